// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// y = x, for one element: a copy of the bits, whatever they mean. With ScaleBias
// y = x * Scale + Bias, which is Apply() of operators/scale_bias.h.
#pragma once

#include "tensor/data_type.h"

namespace anydml::identity {

// The types that the kernels take: those of the page's table.
using Types = TypeList<double, float, Float16, int64_t, int32_t, int16_t, int8_t, uint64_t,
                       uint32_t, uint16_t, uint8_t>;

template <typename T>
constexpr T Identity(T x) {
  return x;
}

}  // namespace anydml::identity
