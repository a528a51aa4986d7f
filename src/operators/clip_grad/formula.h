// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// dX = x <= Min ? 0 : x >= Max ? 0 : dY, for one element. Both ends are closed. A
// comparison with NaN is false, so a NaN x passes the gradient and a NaN bound
// does nothing (B2); `Min < x && x < Max ? dY : 0` would be wrong for both. A
// selection: the bits of a passed value survive (B3).
#pragma once

#include "tensor/data_type.h"

namespace anydml::clip_grad {

// The types that the kernels take: those of the pages' tables.
using Types = TypeList<float, Float16, int64_t, int32_t, int16_t, int8_t, uint64_t, uint32_t,
                       uint16_t, uint8_t>;

// X and the bounds may be anything that orders as the elements do.
template <typename T, typename X>
constexpr T Gradient(X x, T dy, X min, X max) {
  return x <= min || x >= max ? T{} : dy;
}

}  // namespace anydml::clip_grad
