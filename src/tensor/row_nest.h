// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Weighted sums along axes (tensor/axis_sums.h) as a nest of loops over rows. A
// row's elements, its lanes, lie side by side in source and target, so a sum
// along any other axis is a sum of whole rows: images of packed planes have the
// width in their lanes, images with channels last the channels. At most one
// changing axis lies in the lanes.
#pragma once

#include <array>
#include <cstdint>

namespace anydml {

// At most four of them change: only operators of two changing axes have five.
inline constexpr uint32_t kMaxSumAxes = 5;

struct RowAxis {
  uint32_t axis = 0;  // logical
  uint64_t source_size = 1;
  uint64_t target_size = 1;
  int64_t source_stride = 0;
  int64_t target_stride = 0;
};

struct RowNest {
  bool possible = false;  // false: no axis lies side by side in both tensors

  // Axes outside the rows that change nothing, outermost in the target first.
  uint32_t plane_axes = 0;
  std::array<RowAxis, kMaxSumAxes> planes = {};
  // Changing axes outside the rows, in the order of the sums: last logical axis
  // first.
  uint32_t level_count = 0;
  std::array<RowAxis, kMaxSumAxes> levels = {};

  uint64_t source_lanes = 1;
  uint64_t target_lanes = 1;
  // The changing axis in the lanes, if any. Each of its indices has
  // `lane_repeat` lanes (few channels beside the width); its turn comes after
  // `lane_turn` levels.
  bool lanes_change = false;
  uint32_t lane_axis = 0;
  uint64_t lane_repeat = 1;
  uint32_t lane_turn = 0;

  uint64_t PlaneCount() const {
    uint64_t count = 1;
    for (uint32_t i = 0; i < plane_axes; ++i) count *= planes[i].target_size;
    return count;
  }
};

// `changes` says which of the `rank` axes do.
RowNest MakeRowNest(uint32_t rank, const std::array<RowAxis, kMaxSumAxes>& axes,
                    const std::array<bool, kMaxSumAxes>& changes);

}  // namespace anydml
