// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// y = max(Min, min(x, Max)), for one element, in this order: with Min above Max
// the result is Min (B5). A comparison with NaN is false, so a NaN x is passed on
// and a NaN bound does nothing (B2); what equals a bound keeps its own bits.
#pragma once

#include "tensor/data_type.h"

namespace anydml::clip {

// The types that the kernels take: those of the pages' tables.
using Types = TypeList<float, Float16, int64_t, int32_t, int16_t, int8_t, uint64_t, uint32_t,
                       uint16_t, uint8_t>;

template <typename T>
constexpr T Clip(T x, T min, T max) {
  const T at_most_max = x > max ? max : x;
  return at_most_max < min ? min : at_most_max;
}

}  // namespace anydml::clip
