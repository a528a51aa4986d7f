// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Row kernels from vector formulas. Included once per instruction set.

#if defined(ANYDML_KERNELS_ELEMENTWISE_CPU_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_ELEMENTWISE_CPU_ROWS_INL_H_
#undef ANYDML_KERNELS_ELEMENTWISE_CPU_ROWS_INL_H_
#else
#define ANYDML_KERNELS_ELEMENTWISE_CPU_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include "backends/cpu/float16-inl.h"
#include "backends/cpu/streaming-inl.h"
#include "kernels/elementwise/arithmetic.h"
#include "kernels/elementwise/bits.h"
#include "kernels/elementwise/cpu/row_table.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::elementwise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// How elements of type T become vectors: as they are, halves as their bits. Not named
// Load: that would find Highway's aligned load by its arguments.
template <typename T>
struct AsLanes {
  using Element = std::conditional_t<std::is_same_v<T, Float16>, int16_t, T>;
  using Lane = Element;

  template <class D>
  static HWY_INLINE hn::Vec<D> Fetch(D d, const Element* from) {
    return hn::LoadU(d, from);
  }
  template <class D, class V>
  static HWY_INLINE void Put(D d, V v, Element* to) {
    hn::StoreU(v, d, to);
  }
  template <class D, class V>
  static HWY_INLINE void Stream(D d, V v, Element* to) {
    hn::Stream(v, d, to);
  }
};

// The same for formulas that calculate: in float.
template <typename T>
struct AsFloats {
  using Element = T;
  using Lane = float;

  template <class D>
  static HWY_INLINE hn::Vec<D> Fetch(D d, const T* from) {
    return cpu::HWY_NAMESPACE::LoadFloats(d, from);
  }
  template <class D, class V>
  static HWY_INLINE void Put(D d, V v, T* to) {
    cpu::HWY_NAMESPACE::StoreFloats(d, v, to);
  }
  template <class D, class V>
  static HWY_INLINE void Stream(D d, V v, T* to) {
    if constexpr (sizeof(T) == 4) {
      hn::Stream(v, d, to);
    } else if constexpr (hn::MaxLanes(d) * sizeof(T) < 16) {
      Put(d, v, to);  // there is no such store of 8 bytes
    } else {
      const hn::Rebind<uint16_t, D> d16;
      hn::Stream(cpu::HWY_NAMESPACE::HalfBits(d, v), d16, reinterpret_cast<uint16_t*>(to));
    }
  }
};

// g(x), which is x without a ScaleBias: x * 1 + -0.
struct Scaled {
  float scale;
  float bias;
  explicit Scaled(const Attributes& a)
      : scale(a.As<float>(kScaleAttribute)), bias(a.As<float>(kScaleAttribute + 1)) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Add(hn::Mul(x, hn::Set(d, scale)), hn::Set(d, bias));
  }
};

// output[i] = f(inputs[i]...). The output may be one of the inputs, hence no
// HWY_RESTRICT. What is left after whole vectors goes by 16 bytes and by lanes: through
// a buffer it takes twice as long in rows of 448 bytes.
template <class A, class F, typename E, typename... Inputs>
HWY_INLINE void Row(const F& f, size_t count, E* output, const Inputs*... inputs) {
  using Lane = typename A::Lane;
  const hn::ScalableTag<Lane> d;
  const size_t N = hn::Lanes(d);
  size_t i = 0;
  for (; i + N <= count; i += N) A::Put(d, f(d, A::Fetch(d, inputs + i)...), output + i);
  constexpr size_t kShort = 16 / sizeof(Lane);
  if constexpr (hn::MaxLanes(d) > kShort) {
    const hn::CappedTag<Lane, kShort> d16;
    for (; i + kShort <= count; i += kShort) {
      A::Put(d16, f(d16, A::Fetch(d16, inputs + i)...), output + i);
    }
  }
  const hn::CappedTag<Lane, 1> d1;
  for (; i < count; ++i) A::Put(d1, f(d1, A::Fetch(d1, inputs + i)...), output + i);
}

// The same with non-temporal stores, for an output that is none of the inputs.
template <class A, class F, typename E, typename... Inputs>
HWY_INLINE void StreamedRow(const F& f, size_t count, E* output, const Inputs*... inputs) {
  const hn::ScalableTag<typename A::Lane> d;
  const size_t N = hn::Lanes(d);
  const auto [head, lines_end] = cpu::HWY_NAMESPACE::SplitIntoLines(output, count);
  Row<A>(f, head, output, inputs...);
  for (size_t i = head; i < lines_end; i += N) {
    A::Stream(d, f(d, A::Fetch(d, inputs + i)...), output + i);
  }
  Row<A>(f, count - lines_end, output + lines_end, inputs + lines_end...);
}

// Formula and pointers are copied: stores of vectors may alias anything in memory.
template <class A, class F, int kInputs, bool kStream>
void Rows(const Attributes& attributes, const RowBlock& block) {
  using E = typename A::Element;
  const F f = MakeFormula<F>(attributes);
  [&]<size_t... k>(std::index_sequence<k...>) HWY_ATTR {
    const auto steps = block.steps;
    const auto inputs = block.inputs;
    std::byte* const output = block.output;
    const uint64_t count = block.count;
    const auto rows = static_cast<int64_t>(block.rows);
    for (int64_t r = 0; r < rows; ++r) {
      auto* const to = reinterpret_cast<E*>(output + r * steps[kOutput]);
      if constexpr (kStream) {
        StreamedRow<A>(f, count, to, reinterpret_cast<const E*>(inputs[k] + r * steps[k])...);
      } else {
        Row<A>(f, count, to, reinterpret_cast<const E*>(inputs[k] + r * steps[k])...);
      }
    }
  }
  (std::make_index_sequence<kInputs>());
}

// A scalar formula in a plain loop, of which the compiler makes vectors of the
// instruction set. Elements at the same place may share memory, others may not.
template <class F, typename Out, typename... In>
void PlainRows(const Attributes& attributes, const RowBlock& block) {
  const F f = MakeFormula<F>(attributes);
  const auto row = [&f](uint64_t count, Out* output, const In*... inputs) HWY_ATTR {
#if HWY_COMPILER_CLANG
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (uint64_t i = 0; i < count; ++i) output[i] = f(inputs[i]...);
  };
  [&]<size_t... k>(std::index_sequence<k...>) HWY_ATTR {
    for (int64_t r = 0; r < static_cast<int64_t>(block.rows); ++r) {
      row(block.count, reinterpret_cast<Out*>(block.output + r * block.steps[kOutput]),
          reinterpret_cast<const In*>(block.inputs[k] + r * block.steps[k])...);
    }
  }
  (std::index_sequence_for<In...>());
}

template <class F, typename T, int kInputs>
constexpr RowKernel PlainRowsOf() {
  return []<size_t... k>(std::index_sequence<k...>) { return PlainRows<F, T, Repeated<T, k>...>; }
  (std::make_index_sequence<kInputs>());
}

template <typename T, class A, class F, int kInputs>
constexpr RowEntry MovingEntry() {
  return {.types = KeyOfAlike<T, kInputs>(),
          .run = Rows<A, F, kInputs, false>,
          .stream = Rows<A, F, kInputs, true>};
}

template <int kInputs, template <typename> class F, typename... Ts>
inline constexpr RowEntry kMoves[] = {
    MovingEntry<Ts, AsLanes<BitsOf<Ts>>, F<BitsOf<Ts>>, kInputs>()...};
template <int kInputs, template <typename> class F, typename... Ts>
inline constexpr RowEntry kSelects[] = {MovingEntry<Ts, AsLanes<Ts>, F<Ts>, kInputs>()...};
template <int kInputs, class F, typename... Ts>
inline constexpr RowEntry kCalculates[] = {MovingEntry<Ts, AsFloats<Ts>, F, kInputs>()...};
template <int kInputs, class F, typename... Ts>
inline constexpr RowEntry kFunctions[] = {{.types = KeyOfAlike<Ts, kInputs>(),
                                           .run = Rows<AsFloats<Ts>, F, kInputs, false>,
                                           .stream = Rows<AsFloats<Ts>, F, kInputs, true>,
                                           .calculates = true}...};

// Floats are calculated in float, integers in lanes of their own.
template <int kInputs, template <typename> class F, typename T>
constexpr RowEntry ArithmeticEntry() {
  if constexpr (kIsFloat<T>) {
    return MovingEntry<T, AsFloats<T>, F<float>, kInputs>();
  } else {
    return MovingEntry<T, AsLanes<T>, F<T>, kInputs>();
  }
}
template <int kInputs, template <typename> class F, typename... Ts>
inline constexpr RowEntry kArithmetic[] = {ArithmeticEntry<kInputs, F, Ts>()...};

template <class Test, typename... Ts>
inline constexpr RowEntry kCompared[] = {
    {.types = KeyOf<Ts, Ts, uint32_t>(),
     .run = PlainRows<Compare<Ts, uint32_t, Test>, uint32_t, Ts, Ts>}...,
    {.types = KeyOf<Ts, Ts, uint8_t>(),
     .run = PlainRows<Compare<Ts, uint8_t, Test>, uint8_t, Ts, Ts>}...};
template <typename... Ts>
inline constexpr RowEntry kIfs[] = {
    {.types = KeyOf<uint8_t, Ts, Ts, Ts>(),
     .run = PlainRows<If<BitsOf<Ts>>, BitsOf<Ts>, uint8_t, BitsOf<Ts>, BitsOf<Ts>>}...};

template <template <typename> class F, typename Out, typename... In>
constexpr RowEntry TypedEntry(Signature<Out, In...>) {
  return {.types = KeyOf<In..., Out>(), .run = PlainRows<F<Out>, Out, SeenBy<F<Out>, In>...>};
}
template <template <typename> class F, class... Signatures>
inline constexpr RowEntry kTyped[] = {TypedEntry<F>(Signatures())...};

template <int kInputs, template <typename> class F, typename... Ts>
inline constexpr RowEntry kPlain[] = {
    {.types = KeyOfAlike<Ts, kInputs>(), .run = PlainRowsOf<F<Ts>, Ts, kInputs>()}...};

// The scalar formula of formulas.h; no non-temporal stores.
template <int kInputs, template <typename> class F, typename... Ts>
constexpr std::span<const RowEntry> Plain(TypeList<Ts...>) {
  return kPlain<kInputs, F, Ts...>;
}
// Rows whose tensors all have one of the types: the formula sees their bits.
template <int kInputs, template <typename> class F, typename... Ts>
constexpr std::span<const RowEntry> Moves(TypeList<Ts...>) {
  return kMoves<kInputs, F, Ts...>;
}
// The formula sees elements, halves as their bits.
template <int kInputs, template <typename> class F, typename... Ts>
constexpr std::span<const RowEntry> Selects(TypeList<Ts...>) {
  return kSelects<kInputs, F, Ts...>;
}
template <int kInputs, template <typename> class F, typename... Ts>
constexpr std::span<const RowEntry> Arithmetic(TypeList<Ts...>) {
  return kArithmetic<kInputs, F, Ts...>;
}
// Tensors of different types, by the scalar formulas.
template <class Test, typename... Ts>
constexpr std::span<const RowEntry> Compares(TypeList<Ts...>) {
  return kCompared<Test, Ts...>;
}
template <typename... Ts>
constexpr std::span<const RowEntry> Chooses(TypeList<Ts...>) {
  return kIfs<Ts...>;
}
template <template <typename> class F, class... Signatures>
constexpr std::span<const RowEntry> Typed(TypeList<Signatures...>) {
  return kTyped<F, Signatures...>;
}
// A function of floats, which costs more than moving them.
template <class F, int kInputs = 1, typename... Ts>
constexpr std::span<const RowEntry> Functions(TypeList<Ts...>) {
  return kFunctions<kInputs, F, Ts...>;
}
// The formula sees floats.
template <int kInputs, class F, typename... Ts>
constexpr std::span<const RowEntry> Calculates(TypeList<Ts...>) {
  return kCalculates<kInputs, F, Ts...>;
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::elementwise
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
