// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "tensor/row_nest.h"

#include <algorithm>

namespace anydml {
namespace {

// Rows of fewer lanes leave most of a vector empty; a changing axis beside them
// joins them.
constexpr uint64_t kFewLanes = 16;

// Whether neighbours along the axis are `lanes` elements apart in both tensors.
// An axis of one element has no neighbours.
bool IsBeside(const RowAxis& axis, uint64_t lanes) {
  const auto distance = static_cast<int64_t>(lanes);
  return (axis.source_size == 1 || axis.source_stride == distance) &&
         (axis.target_size == 1 || axis.target_stride == distance);
}

class Maker {
 public:
  Maker(uint32_t rank, const std::array<RowAxis, kMaxSumAxes>& axes,
        const std::array<bool, kMaxSumAxes>& changes)
      : rank_(rank), axes_(axes), changes_(changes) {}

  RowNest Make() {
    uint32_t innermost = rank_;
    for (uint32_t i = 0; i < rank_; ++i) {
      const bool longer = innermost == rank_ || axes_[i].target_size > axes_[innermost].target_size;
      if (IsBeside(axes_[i], 1) && longer) innermost = i;
    }
    if (innermost == rank_) return nest_;
    if (changes_[innermost]) {
      PutChangingAxisIntoLanes(innermost);
    } else {
      PutIntoLanes(innermost);
      JoinNeighbours();
    }
    PlaceTheRest();
    nest_.possible = std::max(nest_.source_lanes, nest_.target_lanes) > 1;
    return nest_;
  }

 private:
  void PutIntoLanes(uint32_t i) {
    in_lanes_[i] = true;
    nest_.source_lanes *= axes_[i].source_size;
    nest_.target_lanes *= axes_[i].target_size;
  }

  void PutChangingAxisIntoLanes(uint32_t i) {
    nest_.lanes_change = true;
    nest_.lane_axis = i;
    nest_.lane_repeat = nest_.target_lanes;
    PutIntoLanes(i);
  }

  // Unchanged axes beside the lanes, then one that changes if lanes are few.
  void JoinNeighbours() {
    for (bool joined = true; joined;) {
      joined = false;
      for (uint32_t i = 0; i < rank_; ++i) {
        if (in_lanes_[i] || changes_[i] || !IsBeside(axes_[i], nest_.target_lanes)) continue;
        PutIntoLanes(i);
        joined = true;
      }
    }
    for (uint32_t i = 0; i < rank_ && nest_.target_lanes < kFewLanes; ++i) {
      if (in_lanes_[i] || !IsBeside(axes_[i], nest_.target_lanes)) continue;
      PutChangingAxisIntoLanes(i);
      return;
    }
  }

  void PlaceTheRest() {
    for (uint32_t i = rank_; i-- > 0;) {
      if (nest_.lanes_change && i == nest_.lane_axis) nest_.lane_turn = nest_.level_count;
      if (in_lanes_[i]) continue;
      if (changes_[i]) {
        nest_.levels[nest_.level_count++] = axes_[i];
      } else {
        nest_.planes[nest_.plane_axes++] = axes_[i];
      }
    }
    std::sort(nest_.planes.begin(), nest_.planes.begin() + nest_.plane_axes,
              [](const RowAxis& a, const RowAxis& b) { return a.target_stride > b.target_stride; });
    JoinPlanes();
  }

  // Neighbours that lie side by side in both tensors become one axis.
  void JoinPlanes() {
    uint32_t count = 0;
    for (uint32_t i = 0; i < nest_.plane_axes; ++i) {
      const RowAxis inner = nest_.planes[i];
      if (inner.target_size == 1) continue;
      const auto size = static_cast<int64_t>(inner.target_size);
      RowAxis* const outer = count == 0 ? nullptr : &nest_.planes[count - 1];
      if (outer != nullptr && outer->source_stride == inner.source_stride * size &&
          outer->target_stride == inner.target_stride * size) {
        const uint64_t both = outer->target_size * inner.target_size;
        *outer = {inner.axis, both, both, inner.source_stride, inner.target_stride};
      } else {
        nest_.planes[count++] = inner;
      }
    }
    nest_.plane_axes = count;
  }

  uint32_t rank_;
  const std::array<RowAxis, kMaxSumAxes>& axes_;
  const std::array<bool, kMaxSumAxes>& changes_;
  std::array<bool, kMaxSumAxes> in_lanes_ = {};
  RowNest nest_;
};

}  // namespace

RowNest MakeRowNest(uint32_t rank, const std::array<RowAxis, kMaxSumAxes>& axes,
                    const std::array<bool, kMaxSumAxes>& changes) {
  return Maker(rank, axes, changes).Make();
}

}  // namespace anydml
