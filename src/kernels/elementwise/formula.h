// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What formulas are made of: their list, the numbers of a description, sets of types.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "tensor/data_type.h"
#include "tensor/scalar.h"

namespace anydml::elementwise {

// Versions of an operator share one. Every table of kernels has an entry for each.
enum class Formula : uint8_t {
  kIdentity,
  kRelu,
  kReluGrad,
  kClip,
  kClipGrad,
  // cpu/arithmetic_rows.cpp
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kMax,
  kMin,
  kNegate,
  kAbs,
  kRecip,
  kSqrt,
  kEquals,
  kGreater,
  kLess,
  kGreaterOrEqual,
  kLessOrEqual,
  kIf,
  kCast,
  kMean,
  kDifferenceSquare,
  kSign,
  kCeil,
  kFloor,
  kRound,
  kLogicalAnd,  // to kBitShiftRight: CUDA kernels by width
  kLogicalOr,
  kLogicalXor,
  kLogicalNot,
  kBitAnd,
  kBitOr,
  kBitXor,
  kBitNot,
  kBitShiftLeft,
  kBitShiftRight,
  kBitCount,
  kIsNan,
  kIsInfinity,
  kQuantize,
  kDequantize,
  kModulusTruncate,  // scalar code alone
  kModulusFloor,
  // cpu/activation_rows.cpp
  kLinear,
  kLeakyRelu,
  kThresholdedRelu,
  kHardSigmoid,
  kSoftsign,
  kParameterizedRelu,
  kShrink,
  kHardSwish,
  // cpu/function_rows.cpp
  kExp,
  kLog,
  kErf,
  kTanh,
  kSigmoid,
  kGelu,
  kElu,
  kCelu,
  kScaledElu,
  kScaledTanh,
  kSoftplus,
  kParametricSoftplus,
  kSwish,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kAsinh,
  kAcosh,
  kAtanh,
  kConstantPow,
  kAtan2,
  kPow,
  kScaleBias,  // stays last: a stage before the formula of an operator, and no operator's own
};
inline constexpr auto kFormulaCount = static_cast<size_t>(Formula::kScaleBias) + 1;

// The numbers of a description, in the order of its struct.
struct Attributes {
  std::array<Scalar, 4> values = {};

  template <typename T>
  T As(size_t i) const {
    return values[i].As<T>();
  }
};

template <class F>
F MakeFormula(const Attributes& attributes) {
  if constexpr (std::is_constructible_v<F, const Attributes&>) {
    return F(attributes);
  } else {
    return F();
  }
}

using Floats = TypeList<float, Float16>;
using FloatsAndSigned = TypeList<float, Float16, int32_t, int16_t, int8_t>;
using FloatsAndIntegers = TypeList<float, Float16, int64_t, int32_t, int16_t, int8_t, uint64_t,
                                   uint32_t, uint16_t, uint8_t>;
using FloatsAndNarrowIntegers =
    TypeList<float, Float16, int32_t, int16_t, int8_t, uint32_t, uint16_t, uint8_t>;
using FloatsAndAllSigned = TypeList<float, Float16, int64_t, int32_t, int16_t, int8_t>;
using EveryType = TypeList<double, float, Float16, int64_t, int32_t, int16_t, int8_t, uint64_t,
                           uint32_t, uint16_t, uint8_t>;
using FloatsAndWide = TypeList<float, Float16, int32_t, uint32_t>;
using AllUnsigned = TypeList<uint64_t, uint32_t, uint16_t, uint8_t>;
using Truths = TypeList<uint32_t, uint8_t>;

// The types of an output, then of the inputs, where they differ.
template <typename Out, typename... In>
struct Signature {};

// Floats are calculated in float, and rounded once to the element's type (B101); integers
// wrap (B114).
template <typename T>
constexpr T FromFloat(float value) {
  if constexpr (std::is_same_v<T, Float16>) {
    return ToFloat16(value);
  } else {
    return value;
  }
}
constexpr float AsFloat(float x) { return x; }
constexpr float AsFloat(Float16 x) { return ToFloat(x); }
template <typename T>
inline constexpr bool kIsFloat = std::is_same_v<T, float> || std::is_same_v<T, Float16>;
// Products of 16 bits must not become int, which overflows.
template <typename T>
using Wrapping = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

// Of formulas that calculate in float and have a ScaleBias: its place among the attributes.
// Without one it is 1 and -0, which change nothing. Nothing is rounded to FLOAT16 between
// it and the formula (B101).
inline constexpr size_t kScaleAttribute = 2;

struct ScaledFloat {
  float scale;
  float bias;
  explicit ScaledFloat(const Attributes& a)
      : scale(a.As<float>(kScaleAttribute)), bias(a.As<float>(kScaleAttribute + 1)) {}

  template <typename T>
  constexpr float operator()(T x) const {
    return AsFloat(x) * scale + bias;
  }
};

}  // namespace anydml::elementwise
