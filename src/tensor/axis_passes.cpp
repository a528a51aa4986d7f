// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "tensor/axis_passes.h"

#include <algorithm>
#include <numeric>

namespace anydml {
namespace {

using AxisOrder = std::array<uint32_t, kMaxSumAxes>;  // outermost in memory first

bool IsPackedIn(const AxisOrder& order, uint32_t rank,
                const std::array<uint64_t, kMaxSumAxes>& sizes,
                const std::array<int64_t, kMaxSumAxes>& strides) {
  uint64_t expected = 1;
  for (uint32_t k = rank; k-- > 0;) {
    const uint32_t axis = order[k];
    if (sizes[axis] != 1 && static_cast<uint64_t>(strides[axis]) != expected) return false;
    expected *= sizes[axis];
  }
  return true;
}

// An order in which both tensors are packed; logical order is tried first.
bool FindPackedOrder(const AxisSums& sums, AxisOrder& order) {
  std::iota(order.begin(), order.end(), 0u);
  do {
    if (IsPackedIn(order, sums.rank, sums.source_sizes, sums.source_strides) &&
        IsPackedIn(order, sums.rank, sums.target_sizes, sums.target_strides)) {
      return true;
    }
  } while (std::next_permutation(order.begin(), order.begin() + sums.rank));
  return false;
}

// Sizes between two passes are a mixture of source and target sizes. No product
// wraps: it is at most the product of both tensors' element counts, each below
// 2^32.
AxisPass MakePass(const AxisSums& sums, uint32_t axis, const AxisOrder& order) {
  AxisPass pass;
  pass.axis = axis;
  pass.source_size = sums.source_sizes[axis];
  pass.target_size = sums.target_sizes[axis];
  bool outside = true;
  for (uint32_t k = 0; k < sums.rank; ++k) {
    const uint32_t other = order[k];
    if (other == axis) {
      outside = false;
      continue;
    }
    const bool done = other > axis;  // last logical axis first
    const uint64_t size = done ? sums.target_sizes[other] : sums.source_sizes[other];
    (outside ? pass.outer : pass.inner) *= size;
  }
  return pass;
}

}  // namespace

AxisPasses PassesOf(const AxisSums& sums) {
  AxisPasses passes;
  AxisOrder order = {};
  passes.packed = FindPackedOrder(sums, order);
  if (!passes.packed) return passes;
  uint32_t count = 0;
  for (uint32_t axis = sums.rank; axis-- > 0;) {
    if (sums.changes[axis]) passes.all[count++] = MakePass(sums, axis, order);
  }
  return passes;
}

}  // namespace anydml
