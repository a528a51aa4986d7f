// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The formulas of the element-wise operators on one element: what the scalar row
// kernels of the CPU and the kernels of CUDA compute. Their vector forms are in
// cpu/rows.cpp. A formula is a trivially copyable struct that is called with one
// element per input; one that has attributes is constructed from them.
#pragma once

#include "kernels/elementwise/activations.h"
#include "kernels/elementwise/arithmetic.h"
#include "kernels/elementwise/bits.h"
#include "kernels/elementwise/functions.h"

namespace anydml::elementwise {

// y = x, bit for bit.
template <typename T>
struct Identity {
  constexpr T operator()(T x) const { return x; }
};

// y = max(0, x). A NaN stays as it is (B1); -0.0 becomes +0.0, since it is not
// greater than 0 (B4). Floats by their bits: as integers, what becomes 0 lies from
// -infinity up to +0, and NaN with its sign set below that. A selection among floats
// would end as a maximum on CUDA devices, which loses the bits of a NaN.
template <typename T>
struct Relu {
  constexpr T operator()(T x) const {
    if constexpr (std::is_same_v<T, float>) {
      const auto bits = std::bit_cast<uint32_t>(x);
      return static_cast<int32_t>(bits) <= 0 && bits <= 0xFF800000u ? 0.0f : x;
    } else if constexpr (std::is_same_v<T, Float16>) {
      return static_cast<int16_t>(x.bits) <= 0 && x.bits <= 0xFC00u ? Float16{} : x;
    } else {
      return x > 0 ? x : T{};
    }
  }
};

// dX = X > 0 ? dY : 0. A selection and never a product, so a NaN in dY does not leak
// where X is not positive, and the bits of a passed value survive (B3).
template <typename T>
struct ReluGrad {
  constexpr T operator()(T x, T dy) const {
    if constexpr (std::is_same_v<T, Float16>) {
      // As integers: from the least subnormal up to infinity; NaN lies above it.
      const auto bits = static_cast<int16_t>(x.bits);
      return bits > 0 && bits <= 0x7C00 ? dy : T{};
    } else {
      return x > T{} ? dy : T{};
    }
  }
};

// y = max(Min, min(x, Max)), in this order: with Min above Max the result is Min (B5).
// A comparison with NaN is false, so a NaN x is passed on and a NaN bound does nothing
// (B2); what equals a bound keeps its own bits.
template <typename T>
struct Clip {
  T min;
  T max;
  explicit Clip(const Attributes& a) : min(a.As<T>(0)), max(a.As<T>(1)) {}

  constexpr T operator()(T x) const {
    const T at_most_max = x > max ? max : x;
    return at_most_max < min ? min : at_most_max;
  }
};

// dX = x <= Min ? 0 : x >= Max ? 0 : dY. Both ends are closed. A comparison with NaN is
// false, so a NaN x passes the gradient and a NaN bound does nothing (B2);
// `Min < x && x < Max ? dY : 0` would be wrong for both. A selection (B3).
template <typename T>
struct ClipGrad {
  T min;
  T max;
  explicit ClipGrad(const Attributes& a) : min(a.As<T>(0)), max(a.As<T>(1)) {}

  constexpr T operator()(T x, T dy) const { return x <= min || x >= max ? T{} : dy; }
};

// g(x) = x * Scale + Bias. In float; in double where float does not hold the element:
// integers of 32 and 64 bits (B26), FLOAT64 (O1). Product and sum are rounded
// separately: the build has contraction off. The result is rounded to the element's
// type before another formula sees it (O3).
template <typename T>
struct ScaleBias {
  float scale;
  float bias;
  explicit ScaleBias(const Attributes& a) : scale(a.As<float>(0)), bias(a.As<float>(1)) {}

  constexpr T operator()(T x) const {
    using Precision = std::conditional_t<sizeof(T) < 4 || std::is_same_v<T, float>, float, double>;
    if constexpr (std::is_same_v<T, Float16>) {
      return ToFloat16(ToFloat(x) * scale + bias);
    } else {
      const Precision value = static_cast<Precision>(x) * Precision{scale} + Precision{bias};
      if constexpr (std::is_integral_v<T>) {
        return SaturateTo<T>(value);
      } else {
        return value;
      }
    }
  }
};

// The scalar formulas and the types that they are for, one line each. A table calls
// Add<formula, inputs, F>(types) where all tensors have one type, AddScaled where the
// operator has a ScaleBias, AddByWidth where only the size of an element counts. Tensors of
// different types have AddComparison, AddIf, AddCast, AddTyped and AddPowers.
template <class Table>
constexpr void AddScalarFormulas(Table& table) {
  table.template AddByWidth<Formula::kIdentity, 1, Identity>(EveryType());
  table.template Add<Formula::kRelu, 1, Relu>(FloatsAndSigned());
  table.template Add<Formula::kReluGrad, 2, ReluGrad>(FloatsAndSigned());
  table.template AddScaled<Formula::kClip, 1, Clip>(FloatsAndIntegers());
  table.template Add<Formula::kClipGrad, 2, ClipGrad>(FloatsAndIntegers());
  AddArithmetic(table);
  AddBits(table);
  AddActivations(table);
  AddFunctions(table);
  table.template Add<Formula::kScaleBias, 1, ScaleBias>(EveryType());
}

}  // namespace anydml::elementwise
