// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/elementwise/plan.h"

namespace anydml::elementwise {

// The loop of the tensors that there are.
template <int kInputs>
StridedLoop<kInputs + 1> Narrow(const Loop& loop) {
  StridedLoop<kInputs + 1> narrow;
  narrow.rank = loop.rank;
  narrow.sizes = loop.sizes;
  for (int t = 0; t < kInputs; ++t) narrow.strides[t] = loop.strides[t];
  narrow.strides[kInputs] = loop.strides[kOutput];
  return narrow;
}

}  // namespace anydml::elementwise
