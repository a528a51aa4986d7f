// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A kernel per type of the first operand. The type of the output and the comparison are data: every
// thread takes the same way.
#include "kernels/elementwise/cuda/narrow_loop.h"
#include "kernels/elementwise/cuda/row_packs.cuh"
#include "kernels/elementwise/cuda/typed.h"
#include "kernels/elementwise/formulas.h"

namespace anydml::elementwise {
namespace {

DataType OutputType(const Plan& plan) { return static_cast<DataType>(plan.types & 15); }
DataType FirstType(const Plan& plan) {
  return static_cast<DataType>(plan.types >> (4 * plan.inputs) & 15);
}

// Of an output whose elements have so many bytes.
__device__ int64_t LeadOfBytes(const void* y, int64_t offset, uint32_t bytes) {
  return (reinterpret_cast<uintptr_t>(y) / bytes + static_cast<uint64_t>(offset)) % (16 / bytes);
}

// Small numbers, as UINT8 or UINT32.
template <int N, int kCount>
__device__ void StoreSmall(const cuda::Place<N, kCount>& place,
                           const cuda::Pack<uint8_t, kCount>& narrow, void* y, uint32_t bytes) {
  if (bytes == 1) return place.Store(narrow, static_cast<uint8_t*>(y), N - 1);
  cuda::Pack<uint32_t, kCount> wide;
  for (int i = 0; i < kCount; ++i) wide.values[i] = narrow.values[i];
  place.Store(wide, static_cast<uint32_t*>(y), N - 1);
}

// The outcomes of a comparison that make it true.
enum Outcome : uint8_t { kIsLess = 1, kIsEqual = 2, kIsGreater = 4 };

uint8_t TrueOutcomes(Formula formula) {
  switch (formula) {
    case Formula::kEquals:
      return kIsEqual;
    case Formula::kGreater:
      return kIsGreater;
    case Formula::kLess:
      return kIsLess;
    case Formula::kGreaterOrEqual:
      return kIsGreater | kIsEqual;
    default:
      return kIsLess | kIsEqual;
  }
}

template <typename T>
__device__ T Comparable(T x) {
  return x;
}
__device__ float Comparable(Float16 x) { return cuda::Widen(x); }

template <typename T>
struct Comparing {
  uint8_t outcomes;
  uint32_t bytes;  // of a result
  const T* a;
  const T* b;
  void* y;

  __device__ int64_t Lead(const int64_t (&offsets)[3]) const {
    return LeadOfBytes(y, offsets[2], bytes);
  }
  template <int kCount>
  __device__ void operator()(const cuda::Place<3, kCount>& place) const {
    const auto left = place.Load(a, 0), right = place.Load(b, 1);
    cuda::Pack<uint8_t, kCount> narrow;
    for (int i = 0; i < kCount; ++i) {
      const auto x = Comparable(left.values[i]), z = Comparable(right.values[i]);
      const int outcome =
          (x < z ? kIsLess : 0) | (x == z ? kIsEqual : 0) | (x > z ? kIsGreater : 0);
      narrow.values[i] = (outcomes & outcome) != 0 ? 1 : 0;
    }
    StoreSmall(place, narrow, y, bytes);
  }
};

// Bit for bit.
template <typename Bits>
struct IfElse {
  const uint8_t* condition;
  const Bits* a;
  const Bits* b;
  Bits* y;

  __device__ int64_t Lead(const int64_t (&offsets)[4]) const {
    return LeadOfBytes(y, offsets[3], sizeof(Bits));
  }
  template <int kCount>
  __device__ void operator()(const cuda::Place<4, kCount>& place) const {
    const auto test = place.Load(condition, 0);
    const auto yes = place.Load(a, 1), no = place.Load(b, 2);
    cuda::Pack<Bits, kCount> out;
    for (int i = 0; i < kCount; ++i) {
      out.values[i] = test.values[i] != 0 ? yes.values[i] : no.values[i];
    }
    place.Store(out, y, 3);
  }
};

template <typename From>
struct Casting {
  DataType to;
  uint32_t bytes;
  const From* x;
  void* y;

  __device__ int64_t Lead(const int64_t (&offsets)[2]) const {
    return LeadOfBytes(y, offsets[1], bytes);
  }
  template <int kCount>
  __device__ void operator()(const cuda::Place<2, kCount>& place) const {
    const auto in = place.Load(x, 0);
    [&]<typename... To>(TypeList<To...>) {
      ((to == kDataTypeOf<To> ? Put<To>(place, in) : void()), ...);
    }(EveryType());
  }
  template <typename To, int kCount>
  __device__ void Put(const cuda::Place<2, kCount>& place,
                      const cuda::Pack<From, kCount>& in) const {
    cuda::Pack<To, kCount> out;
    for (int i = 0; i < kCount; ++i) out.values[i] = Cast<From, To>()(in.values[i]);
    place.Store(out, static_cast<To*>(y), 1);
  }
};

// The type of the exponent is data.
template <typename T>
struct Raising {
  Pow<T, float> of_floats;
  bool is_scaled;
  ScaleBias<T> scale_bias;
  DataType exponent_type;
  const T* x;
  const void* exponent;
  T* y;

  __device__ int64_t Lead(const int64_t (&offsets)[3]) const {
    return LeadOfBytes(y, offsets[2], sizeof(T));
  }
  template <int kCount>
  __device__ void operator()(const cuda::Place<3, kCount>& place) const {
    auto base = place.Load(x, 0);
    if constexpr (std::is_integral_v<T>) {
      for (int i = 0; is_scaled && i < kCount; ++i) base.values[i] = scale_bias(base.values[i]);
    }
    double exponents[kCount];
    bool is_integer = false;
    [&]<typename... E>(TypeList<E...>) {
      ((exponent_type == kDataTypeOf<E> ? Widen<E>(place, exponents, is_integer) : void()), ...);
    }(FloatsAndNarrowIntegers());
    cuda::Pack<T, kCount> out;
    for (int i = 0; i < kCount; ++i)
      out.values[i] = Power(base.values[i], exponents[i], is_integer);
    place.Store(out, y, 2);
  }
  __device__ T Power(T base, double e, bool is_integer) const {
    if constexpr (std::is_integral_v<T>) {
      if (is_integer) return static_cast<T>(IntegerPower(base, static_cast<int64_t>(e)));
    }
    return of_floats.Of(base, e);
  }
  template <typename E, int kCount>
  __device__ void Widen(const cuda::Place<3, kCount>& place, double (&exponents)[kCount],
                        bool& is_integer) const {
    is_integer = std::is_integral_v<E>;
    const auto loaded = place.Load(static_cast<const E*>(exponent), 1);
    for (int i = 0; i < kCount; ++i) exponents[i] = AsExponent(loaded.values[i]);
  }
};

// What there is to tell of an element's bits.
template <typename Bits>
struct Testing {
  Formula formula;
  IsInfinity<uint8_t> is_infinity;
  uint32_t bytes;
  const Bits* x;
  void* y;

  __device__ int64_t Lead(const int64_t (&offsets)[2]) const {
    return LeadOfBytes(y, offsets[1], bytes);
  }
  template <int kCount>
  __device__ void operator()(const cuda::Place<2, kCount>& place) const {
    const auto in = place.Load(x, 0);
    cuda::Pack<uint8_t, kCount> out;
    for (int i = 0; i < kCount; ++i) out.values[i] = Of(in.values[i]);
    StoreSmall(place, out, y, bytes);
  }
  __device__ uint8_t Of(Bits bits) const {
    if constexpr (sizeof(Bits) == 2 || sizeof(Bits) == 4) {
      if (formula == Formula::kIsNan) return IsNan<uint8_t>()(bits);
      if (formula == Formula::kIsInfinity) return is_infinity(bits);
    }
    return static_cast<uint8_t>(sizeof(Bits) == 8 ? __popcll(bits) : __popc(bits));
  }
};

// Two elements of one type, or one and no b.
template <typename T, class Body>
struct Pairing {
  Body body;
  const T* a;
  const T* b;
  T* y;

  __device__ int64_t Lead(const int64_t (&offsets)[3]) const {
    return LeadOfBytes(y, offsets[2], sizeof(T));
  }
  template <int kCount>
  __device__ void operator()(const cuda::Place<3, kCount>& place) const {
    auto pack = place.Load(a, 0);
    body(pack, b != nullptr ? place.Load(b, 1) : pack);
    place.Store(pack, y, 2);
  }
};

template <typename Bits>
struct Combining {
  Formula formula;

  template <class Pack>
  __device__ void operator()(Pack& a, const Pack& b) const {
    switch (formula) {
      case Formula::kLogicalAnd:
        return Each(LogicalAnd<Bits>(), a, b);
      case Formula::kLogicalOr:
        return Each(LogicalOr<Bits>(), a, b);
      case Formula::kLogicalXor:
        return Each(LogicalXor<Bits>(), a, b);
      case Formula::kLogicalNot:
        return Each(LogicalNot<Bits>(), a);
      case Formula::kBitAnd:
        return Each(BitAnd<Bits>(), a, b);
      case Formula::kBitOr:
        return Each(BitOr<Bits>(), a, b);
      case Formula::kBitXor:
        return Each(BitXor<Bits>(), a, b);
      case Formula::kBitNot:
        return Each(BitNot<Bits>(), a);
      case Formula::kBitShiftLeft:
        return Each(BitShiftLeft<Bits>(), a, b);
      default:
        return Each(BitShiftRight<Bits>(), a, b);
    }
  }
  template <class F, class Pack, class... Packs>
  __device__ static void Each(const F& f, Pack& a, const Packs&... b) {
    for (int i = 0; i < Pack::kSize; ++i) a.values[i] = f(a.values[i], b.values[i]...);
  }
};

struct Remaining {
  bool floor;

  template <typename T, int kCount>
  __device__ void operator()(cuda::Pack<T, kCount>& a, const cuda::Pack<T, kCount>& b) const {
    for (int i = 0; i < kCount; ++i) {
      const T rest = ModulusTruncate<T>()(a.values[i], b.values[i]);
      a.values[i] = floor ? WithSignOfDivisor(rest, b.values[i]) : rest;
    }
  }
};

// The zero point is null where it is absent. It and the output are INT8 or UINT8.
template <typename T, typename Scale>
struct Quantizing {
  bool is_signed;
  const T* x;
  const Scale* scale;
  const uint8_t* zero;
  uint8_t* y;

  __device__ int64_t Lead(const int64_t (&offsets)[4]) const {
    return LeadOfBytes(y, offsets[3], 1);
  }
  template <int kCount>
  __device__ void operator()(const cuda::Place<4, kCount>& place) const {
    const auto in = place.Load(x, 0);
    const auto by = place.Load(scale, 1);
    cuda::Pack<uint8_t, kCount> out = {};
    if (zero != nullptr) out = place.Load(zero, 2);
    for (int i = 0; i < kCount; ++i) {
      const uint8_t z = out.values[i];
      out.values[i] = is_signed ? static_cast<uint8_t>(Quantize<int8_t>()(
                                      in.values[i], by.values[i], static_cast<int8_t>(z)))
                                : Quantize<uint8_t>()(in.values[i], by.values[i], z);
    }
    place.Store(out, y, 3);
  }
};

// Scale and output are FLOAT32 or FLOAT16.
template <typename Bits>
struct Dequantizing {
  bool is_signed;
  uint32_t bytes;
  const Bits* x;
  const void* scale;
  const Bits* zero;
  void* y;

  __device__ int64_t Lead(const int64_t (&offsets)[4]) const {
    return LeadOfBytes(y, offsets[3], bytes);
  }
  template <int kCount>
  __device__ void operator()(const cuda::Place<4, kCount>& place) const {
    bytes == 4 ? Put<float>(place) : Put<Float16>(place);
  }
  template <typename Out, int kCount>
  __device__ void Put(const cuda::Place<4, kCount>& place) const {
    using Signed = std::make_signed_t<Bits>;
    const auto in = place.Load(x, 0);
    const auto by = place.Load(static_cast<const Out*>(scale), 1);
    cuda::Pack<Bits, kCount> zeros = {};
    if (zero != nullptr) zeros = place.Load(zero, 2);
    cuda::Pack<Out, kCount> out;
    for (int i = 0; i < kCount; ++i) {
      const Bits a = in.values[i], z = zeros.values[i];
      out.values[i] = is_signed ? Dequantize<Out>()(static_cast<Signed>(a), by.values[i],
                                                    static_cast<Signed>(z))
                                : Dequantize<Out>()(a, by.values[i], z);
    }
    place.Store(out, static_cast<Out*>(y), 3);
  }
};

// At least four elements per thread, so that results of one byte make a word.
template <typename T, int N, class Body>
void Run(const StridedLoop<N>& loop, const Body& body, bool packed, cuda::Stream stream) {
  constexpr int kCount = sizeof(T) == 8 ? 4 : 16 / sizeof(T);
  if (packed) {
    cuda::RunPacked<kCount>(loop, stream, body);
  } else {
    cuda::RunSingle(loop, stream, body);
  }
}

template <typename T, class Body>
void LaunchPairs(const Plan& plan, const Body& body, const Bindings& bindings, bool packed,
                 cuda::Stream stream) {
  const T* const b = plan.inputs == 2 ? bindings.Input<T>(1) : nullptr;
  Run<T>(Narrow<2>(plan.loop),
         Pairing<T, Body>{body, bindings.Input<T>(0), b, bindings.Output<T>(0)}, packed, stream);
}

void LaunchQuantized(const Plan& plan, const Bindings& bindings, bool packed, cuda::Stream stream) {
  const auto loop = Narrow<3>(plan.loop);
  const void* const zero = plan.inputs == 3 ? bindings.inputs[2] : nullptr;
  const auto is_signed = [](DataType type) {
    return type == DataType::kInt8 || type == DataType::kInt16 || type == DataType::kInt32;
  };
  if (plan.formula == Formula::kQuantize) {
    const auto run = [&]<typename T, typename Scale>(TypeList<T, Scale>) {
      Run<T>(loop,
             Quantizing<T, Scale>{is_signed(OutputType(plan)), bindings.Input<T>(0),
                                  bindings.Input<Scale>(1), static_cast<const uint8_t*>(zero),
                                  bindings.Output<uint8_t>(0)},
             packed, stream);
    };
    if (plan.element_sizes[1] == sizeof(Float16)) return run(TypeList<Float16, Float16>());
    DispatchType(TypeList<float, Float16, int32_t>(), FirstType(plan),
                 [&]<typename T>() { run(TypeList<T, float>()); });
    return;
  }
  DispatchWidth(plan.element_sizes[0], [&]<typename Bits>() {
    if constexpr (sizeof(Bits) < 8) {
      Run<Bits>(loop,
                Dequantizing<Bits>{is_signed(FirstType(plan)), plan.element_sizes[kOutput],
                                   bindings.Input<Bits>(0), bindings.inputs[1],
                                   static_cast<const Bits*>(zero), bindings.outputs[0]},
                packed, stream);
    }
  });
}

}  // namespace

void LaunchTyped(const Plan& plan, const Bindings& bindings, bool packed, cuda::Stream stream) {
  const uint32_t bytes = plan.element_sizes[kOutput];
  if (plan.formula == Formula::kIf) {
    DispatchWidth(bytes, [&]<typename Bits>() {
      Run<Bits>(Narrow<3>(plan.loop),
                IfElse<Bits>{bindings.Input<uint8_t>(0), bindings.Input<Bits>(1),
                             bindings.Input<Bits>(2), bindings.Output<Bits>(0)},
                packed, stream);
    });
  } else if (plan.formula == Formula::kCast) {
    DispatchType(EveryType(), FirstType(plan), [&]<typename From>() {
      Run<From>(
          Narrow<1>(plan.loop),
          Casting<From>{OutputType(plan), bytes, bindings.Input<From>(0), bindings.outputs[0]},
          packed, stream);
    });
  } else if (plan.formula == Formula::kPow) {
    DispatchType(FloatsAndNarrowIntegers(), OutputType(plan), [&]<typename T>() {
      const Raising<T> body = {
          Pow<T, float>(plan.attributes), plan.scaled,
          ScaleBias<T>(plan.scale_bias),  static_cast<DataType>(plan.types >> 4 & 15),
          bindings.Input<T>(0),           bindings.inputs[1],
          bindings.Output<T>(0)};
      Run<T>(Narrow<2>(plan.loop), body, packed, stream);
    });
  } else if (plan.formula == Formula::kQuantize || plan.formula == Formula::kDequantize) {
    LaunchQuantized(plan, bindings, packed, stream);
  } else if (plan.formula == Formula::kModulusTruncate || plan.formula == Formula::kModulusFloor) {
    DispatchType(FloatsAndIntegers(), FirstType(plan), [&]<typename T>() {
      LaunchPairs<T>(plan, Remaining{plan.formula == Formula::kModulusFloor}, bindings, packed,
                     stream);
    });
  } else if (plan.formula >= Formula::kLogicalAnd && plan.formula <= Formula::kBitShiftRight) {
    DispatchWidth(bytes, [&]<typename Bits>() {
      LaunchPairs<Bits>(plan, Combining<Bits>{plan.formula}, bindings, packed, stream);
    });
  } else if (plan.formula > Formula::kCast) {
    DispatchWidth(plan.element_sizes[0], [&]<typename Bits>() {
      Run<Bits>(Narrow<1>(plan.loop),
                Testing<Bits>{plan.formula, IsInfinity<uint8_t>(plan.attributes), bytes,
                              bindings.Input<Bits>(0), bindings.outputs[0]},
                packed, stream);
    });
  } else {
    DispatchType(FloatsAndIntegers(), FirstType(plan), [&]<typename T>() {
      Run<T>(Narrow<2>(plan.loop),
             Comparing<T>{TrueOutcomes(plan.formula), bytes, bindings.Input<T>(0),
                          bindings.Input<T>(1), bindings.outputs[0]},
             packed, stream);
    });
  }
}

}  // namespace anydml::elementwise
