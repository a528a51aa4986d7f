// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Weighted sums along axes taken one axis after the other, over tensors that are
// packed in one order of the axes (channels last, say).
#pragma once

#include "tensor/axis_sums.h"

namespace anydml {

// One changing axis of packed data: [outer, source_size, inner] becomes
// [outer, target_size, inner].
struct AxisPass {
  uint32_t axis = 0;
  uint64_t outer = 1;
  uint64_t source_size = 1;
  uint64_t target_size = 1;
  uint64_t inner = 1;
};

struct AxisPasses {
  bool packed = false;                         // otherwise there are none
  std::array<AxisPass, kMaxSumAxes> all = {};  // sums.pass_count, in the order of execution
};

AxisPasses PassesOf(const AxisSums& sums);

}  // namespace anydml
