// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// y = max(0, x), for one element. A NaN stays as it is (B1); -0.0 becomes +0.0,
// since it is not greater than 0 (B4).
#pragma once

#include "tensor/data_type.h"

namespace anydml::relu {

// The types that the kernels take: those of the page's table.
using Types = TypeList<float, Float16, int32_t, int16_t, int8_t>;

template <typename T>
constexpr T Relu(T x) {
  return x <= T{} ? T{} : x;  // a NaN compares false
}

}  // namespace anydml::relu
