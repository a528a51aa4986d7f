// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Formulas of logic, bits, tests of bits and quantization on one element.
#pragma once

#include "kernels/elementwise/formula.h"

namespace anydml::elementwise {

// ---- Any number but 0 is true; 1 or 0 (B118).
template <typename T>
struct LogicalAnd {
  constexpr T operator()(T a, T b) const { return a != 0 && b != 0; }
};
template <typename T>
struct LogicalOr {
  constexpr T operator()(T a, T b) const { return a != 0 || b != 0; }
};
template <typename T>
struct LogicalXor {
  constexpr T operator()(T a, T b) const { return (a != 0) != (b != 0); }
};
template <typename T>
struct LogicalNot {
  constexpr T operator()(T x) const { return x == 0; }
};

// ---- On the encoding, of floats too (B119).
template <typename T>
struct BitAnd {
  constexpr T operator()(T a, T b) const { return static_cast<T>(a & b); }
};
template <typename T>
struct BitOr {
  constexpr T operator()(T a, T b) const { return static_cast<T>(a | b); }
};
template <typename T>
struct BitXor {
  constexpr T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
};
template <typename T>
struct BitNot {
  constexpr T operator()(T x) const { return static_cast<T>(~x); }
};

// Beyond the width: 0 (B117).
template <typename T>
struct BitShiftLeft {
  constexpr T operator()(T a, T b) const {
    return b < 8 * sizeof(T) ? static_cast<T>(Wrapping<T>{a} << b) : T{};
  }
};
template <typename T>
struct BitShiftRight {
  constexpr T operator()(T a, T b) const {
    return b < 8 * sizeof(T) ? static_cast<T>(a >> b) : T{};
  }
};

// ---- Tests of bits, whose output has another type.

// Sums of neighbours: in pairs of bits, fours, bytes, and all bytes in the highest one.
// Compilers make vectors of it, unlike of std::popcount.
template <typename Out>
struct BitCount {
  static constexpr bool kSeesBits = true;

  template <typename T>
  constexpr Out operator()(T bits) const {
    constexpr Wrapping<T> kOnes = static_cast<T>(~T{0});
    Wrapping<T> x = bits;
    x -= (x >> 1) & (kOnes / 3);
    x = (x & (kOnes / 5)) + ((x >> 2) & (kOnes / 5));
    x = (x + (x >> 4)) & (kOnes / 17);
    return static_cast<Out>(static_cast<T>(x * (kOnes / 255)) >> (8 * sizeof(T) - 8));
  }
};

// The bits of positive infinity, of FLOAT32 or FLOAT16.
template <typename T>
inline constexpr T kInfinityBits = static_cast<T>(sizeof(T) == 4 ? 0x7F800000 : 0x7C00);
template <typename T>
inline constexpr T kSignBit = static_cast<T>(T{1} << (8 * sizeof(T) - 1));

template <typename Out>
struct IsNan {
  static constexpr bool kSeesBits = true;

  template <typename T>
  constexpr Out operator()(T bits) const {
    return (bits & ~kSignBit<T>) > kInfinityBits<T>;
  }
};

// Of DML_IS_INFINITY_MODE.
enum InfinityMode : uint32_t { kEitherInfinity, kPositiveInfinity, kNegativeInfinity };
template <typename Out>
struct IsInfinity {
  static constexpr bool kSeesBits = true;
  uint32_t mode;
  explicit IsInfinity(const Attributes& a) : mode(a.As<uint32_t>(0)) {}

  template <typename T>
  constexpr Out operator()(T bits) const {
    const T seen = mode == kEitherInfinity ? static_cast<T>(bits & ~kSignBit<T>) : bits;
    const T sign = mode == kNegativeInfinity ? kSignBit<T> : T{};
    return seen == (kInfinityBits<T> | sign);
  }
};

// ---- Quantization (B121). Without a zero point it is 0.

// clamp(roundeven(x / scale) + zero, MIN, MAX): a quotient in float, NaN 0, an exact sum.
template <typename Out>
struct Quantize {
  static constexpr bool kSeesBits = false;

  template <typename T, typename S>
  constexpr Out operator()(T x, S scale, Out zero = 0) const {
    constexpr float kBeyond = 1024;          // any zero point
    constexpr float kToInteger = 0x1.8p23f;  // to add it leaves no fraction
    float quotient = ValueOf(x) / ValueOf(scale);
    quotient = quotient > kBeyond ? kBeyond : quotient < -kBeyond ? -kBeyond : quotient;
    const float whole = quotient == quotient ? quotient + kToInteger - kToInteger : 0.0f;
    constexpr int kLeast = std::numeric_limits<Out>::min(), kMost = std::numeric_limits<Out>::max();
    const int sum = static_cast<int>(whole) + zero;
    return static_cast<Out>(sum < kLeast ? kLeast : sum > kMost ? kMost : sum);
  }

 private:
  static constexpr float ValueOf(Float16 x) { return ToFloat(x); }
  template <typename T>
  static constexpr float ValueOf(T x) {
    return static_cast<float>(x);
  }
};

// (x - zero) * scale: an exact difference, rounded to float, and the product.
template <typename Out>
struct Dequantize {
  static constexpr bool kSeesBits = false;

  template <typename T>
  constexpr Out operator()(T x, Out scale, T zero = 0) const {
    using Exact = std::conditional_t<sizeof(T) < 4, int32_t, int64_t>;
    return FromFloat<Out>(static_cast<float>(Exact{x} - Exact{zero}) * AsFloat(scale));
  }
};

template <typename... Ts>
constexpr auto TestsOf(TypeList<Ts...>) {
  return TypeList<Signature<uint32_t, Ts>..., Signature<uint8_t, Ts>...>();
}
template <typename... Outs>
constexpr auto QuantizesTo(TypeList<Outs...>) {
  return TypeList<Signature<Outs, float, float>..., Signature<Outs, float, float, Outs>...,
                  Signature<Outs, Float16, Float16>..., Signature<Outs, Float16, Float16, Outs>...,
                  Signature<Outs, Float16, float, Outs>..., Signature<Outs, int32_t, float>...,
                  Signature<Outs, int32_t, float, Outs>...>();
}
template <typename... Ts>
constexpr auto DequantizesFrom(TypeList<Ts...>) {
  return TypeList<Signature<float, Ts, float>..., Signature<float, Ts, float, Ts>...,
                  Signature<Float16, Ts, Float16>..., Signature<Float16, Ts, Float16, Ts>...>();
}
using Quantized = TypeList<int8_t, uint8_t>;
using Dequantized = TypeList<int32_t, int16_t, int8_t, uint32_t, uint16_t, uint8_t>;

template <class Table>
constexpr void AddBits(Table& table) {
  table.template Add<Formula::kLogicalAnd, 2, LogicalAnd>(Truths());
  table.template Add<Formula::kLogicalOr, 2, LogicalOr>(Truths());
  table.template Add<Formula::kLogicalXor, 2, LogicalXor>(Truths());
  table.template Add<Formula::kLogicalNot, 1, LogicalNot>(Truths());
  table.template AddByWidth<Formula::kBitAnd, 2, BitAnd>(EveryType());
  table.template AddByWidth<Formula::kBitOr, 2, BitOr>(EveryType());
  table.template AddByWidth<Formula::kBitXor, 2, BitXor>(EveryType());
  table.template AddByWidth<Formula::kBitNot, 1, BitNot>(EveryType());
  table.template Add<Formula::kBitShiftLeft, 2, BitShiftLeft>(AllUnsigned());
  table.template Add<Formula::kBitShiftRight, 2, BitShiftRight>(AllUnsigned());
  table.template AddTyped<Formula::kBitCount, BitCount>(TestsOf(EveryType()));
  table.template AddTyped<Formula::kIsNan, IsNan>(TestsOf(Floats()));
  table.template AddTyped<Formula::kIsInfinity, IsInfinity>(TestsOf(Floats()));
  table.template AddTyped<Formula::kQuantize, Quantize>(QuantizesTo(Quantized()));
  table.template AddTyped<Formula::kDequantize, Dequantize>(DequantizesFrom(Dequantized()));
}

}  // namespace anydml::elementwise
