// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DML_SCALE_BIAS: g(x) = x * Scale + Bias on one element, for the operators that
// have the field. The vector twin is scale_bias-inl.h.
#pragma once

#include <type_traits>

#include "schema/arguments.h"
#include "tensor/scalar.h"

namespace anydml {

struct ScaleBias {
  bool present = false;
  float scale = 1;
  float bias = 0;
};

inline ScaleBias ReadScaleBias(const schema::Arguments& arguments, size_t field) {
  if (!arguments.IsPresent(field)) return {};
  return {
      .present = true, .scale = arguments.FloatAt(field, 0), .bias = arguments.FloatAt(field, 1)};
}

// In float; in double where float does not hold the element: integers of 32 and
// 64 bits (B26), FLOAT64 (O1).
template <typename T>
using ScaleBiasPrecision =
    std::conditional_t<sizeof(T) < 4 || std::is_same_v<T, float>, float, double>;

// Product and sum are rounded separately: the build has contraction off.
template <typename T>
constexpr T Apply(const ScaleBias& g, T x) {
  using Precision = ScaleBiasPrecision<T>;
  if constexpr (std::is_same_v<T, Float16>) {
    return ToFloat16(ToFloat(x) * g.scale + g.bias);
  } else {
    const Precision value = static_cast<Precision>(x) * Precision{g.scale} + Precision{g.bias};
    if constexpr (std::is_integral_v<T>) {
      return SaturateTo<T>(value);
    } else {
      return value;
    }
  }
}

}  // namespace anydml
