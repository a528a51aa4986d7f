// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of a scan: running sums or products along one axis of two tensors.
#pragma once

#include "kernels/reduce/sets.h"

namespace anydml::reduce {

// Tensor 0 is the input, 1 the output.
struct ScanPlan {
  DataType type;
  bool product;
  bool exclusive;    // without the element itself
  uint64_t count;    // of a line
  int64_t first[2];  // of a line: its last element where the scan goes down
  int64_t steps[2];
  // Lines that are scanned together: those side by side, or any others.
  StridedLoop<2> outer;
  uint64_t lanes;
  int64_t lane_steps[2];
};

}  // namespace anydml::reduce
