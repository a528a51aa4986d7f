// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// dX = X > 0 ? dY : 0, for one element. A selection and never a product, so a
// NaN in dY does not leak through a closed gate, and the bits of a passed value
// survive.
#pragma once

#include "tensor/data_type.h"

namespace anydml::relu_grad {

// The types that the kernels take: those of the page's table.
using Types = TypeList<float, Float16, int32_t, int16_t, int8_t>;

template <typename T>
constexpr bool IsPositive(T x) {
  return x > T{0};
}

// As integers: from the least subnormal up to infinity; NaN lies above it and
// negative numbers below 0.
constexpr bool IsPositive(Float16 x) {
  const auto bits = static_cast<int16_t>(x.bits);
  return bits > 0 && bits <= 0x7C00;
}

template <typename T>
constexpr T Gradient(T x, T dy) {
  return IsPositive(x) ? dy : T{};
}

}  // namespace anydml::relu_grad
