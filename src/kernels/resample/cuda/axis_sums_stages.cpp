// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "kernels/resample/cuda/axis_sums_stage.h"

namespace anydml::cuda {
namespace {

// Axes that are walked together, none of which changes, or one that does.
struct Group {
  uint64_t source_size = 1;
  uint64_t target_size = 1;
  int64_t source_stride = 0;
  int64_t target_stride = 0;
};

class StageMaker {
 public:
  explicit StageMaker(const AxisSums& sums) : sums_(sums), inner_axis_(InnerAxis(sums)) {
    stages_.possible = inner_axis_ != kNoAxis;
    if (!stages_.possible) return;
    SetOrder();
    for (uint32_t axis = sums.rank; axis-- > 0;) {
      if (sums.changes[axis]) passes_[pass_count_++] = axis;
    }
    sizes_ = sums.source_sizes;
    strides_ = sums.source_strides;
  }

  SumStages Make() {
    uint32_t pass = 0;
    while (stages_.possible && pass < pass_count_) {
      const uint32_t axes = AxesFrom(pass);
      AddStage(pass, axes);
      pass += axes;
    }
    return stages_;
  }

 private:
  static bool LiesSideBySide(uint64_t size, int64_t stride) { return size == 1 || stride == 1; }

  // The axis whose elements lie side by side in both tensors; the longest one.
  static uint32_t InnerAxis(const AxisSums& sums) {
    uint32_t inner = kNoAxis;
    uint64_t most = 0;
    for (uint32_t i = 0; i < sums.rank; ++i) {
      const uint64_t size = sums.source_sizes[i] * sums.target_sizes[i];
      if (LiesSideBySide(sums.source_sizes[i], sums.source_strides[i]) &&
          LiesSideBySide(sums.target_sizes[i], sums.target_strides[i]) && size >= most) {
        inner = i;
        most = size;
      }
    }
    return inner;
  }

  // Outermost in the target first, the inner axis last.
  void SetOrder() {
    std::iota(order_.begin(), order_.end(), 0u);
    std::stable_sort(order_.begin(), order_.begin() + sums_.rank, [&](uint32_t a, uint32_t b) {
      if (a == inner_axis_ || b == inner_axis_) return a != inner_axis_;
      return sums_.target_strides[a] > sums_.target_strides[b];
    });
  }

  // How many passes one stage takes. Only the first one takes several; three only
  // forward, as a gradient's volumes shrink: two launches were measured to be faster.
  uint32_t AxesFrom(uint32_t pass) const {
    const bool planes = passes_[pass] == inner_axis_;
    if (pass > 0 || pass_count_ == 1) return 1;
    if (planes && pass_count_ == 3 && !sums_.transposed) return 3;
    return planes || passes_[1] != inner_axis_ ? 2 : 1;
  }

  void AddStage(uint32_t pass, uint32_t axes) {
    const bool last = pass + axes == pass_count_;
    target_sizes_ = sizes_;
    for (uint32_t i = pass; i < pass + axes; ++i) {
      target_sizes_[passes_[i]] = sums_.target_sizes[passes_[i]];
    }
    uint64_t elements = 1;
    for (uint32_t k = sums_.rank; k-- > 0;) {
      target_strides_[order_[k]] = static_cast<int64_t>(elements);
      elements *= target_sizes_[order_[k]];
    }
    if (last) target_strides_ = sums_.target_strides;

    SumStage stage;
    stage.transposed = sums_.transposed;
    stage.unit_weights = sums_.axes[0].sampling != Sampling::kLinear;
    // Sums between two stages are floats.
    stage.source_type = pass == 0 ? sums_.data_type : DataType::kFloat32;
    stage.target_type = last ? sums_.data_type : DataType::kFloat32;
    if (passes_[pass] == inner_axis_) {
      FillPlanes(stage, pass, axes);
    } else {
      FillLanes(stage, pass, axes);
    }
    stages_.target_elements[stages_.count] = elements;
    stages_.all[stages_.count++] = stage;
    sizes_ = target_sizes_;
    strides_ = target_strides_;
  }

  Group GroupOf(uint32_t axis) const {
    return {sizes_[axis], target_sizes_[axis], strides_[axis], target_strides_[axis]};
  }

  // The axes that are not `taken`, outermost first; neighbours that can be walked
  // as one are one.
  uint32_t OtherGroups(const std::array<bool, kMaxSumAxes>& taken,
                       std::array<Group, kMaxSumAxes>& groups) const {
    uint32_t count = 0;
    for (uint32_t k = 0; k < sums_.rank; ++k) {
      if (taken[order_[k]] || target_sizes_[order_[k]] == 1) continue;
      const Group group = GroupOf(order_[k]);
      if (count > 0 && Continues(groups[count - 1], group)) {
        groups[count - 1] = {groups[count - 1].source_size * group.source_size,
                             groups[count - 1].target_size * group.target_size, group.source_stride,
                             group.target_stride};
      } else {
        groups[count++] = group;
      }
    }
    return count;
  }

  static bool Continues(const Group& outer, const Group& inner) {
    const auto size = static_cast<int64_t>(inner.target_size);
    return outer.source_stride == inner.source_stride * size &&
           outer.target_stride == inner.target_stride * size;
  }

  static void SetRows(SumStage& stage, const Group& rows) {
    stage.source_rows = rows.source_size;
    stage.target_rows = rows.target_size;
    stage.source.row = rows.source_stride;
    stage.target.row = rows.target_stride;
  }
  static void SetColumns(SumStage& stage, const Group& columns) {
    stage.source_columns = columns.source_size;
    stage.target_columns = columns.target_size;
    stage.source.column = columns.source_stride;
    stage.target.column = columns.target_stride;
  }

  // Batches and channels, from the first `count` groups. A stage has no place for a third.
  void SetOuter(SumStage& stage, const std::array<Group, kMaxSumAxes>& groups, uint32_t count) {
    if (count > 2) stages_.possible = false;
    if (count > 0) {
      const Group& channels = groups[count - 1];
      stage.channels = channels.target_size;
      stage.source.channel = channels.source_stride;
      stage.target.channel = channels.target_stride;
    }
    if (count > 1) {
      stage.batches = groups[0].target_size;
      stage.source.batch = groups[0].source_stride;
      stage.target.batch = groups[0].target_stride;
    }
  }

  void FillPlanes(SumStage& stage, uint32_t pass, uint32_t axes) {
    std::array<bool, kMaxSumAxes> taken = {};
    for (uint32_t i = pass; i < pass + axes; ++i) taken[passes_[i]] = true;
    std::array<Group, kMaxSumAxes> groups;
    uint32_t count = OtherGroups(taken, groups);
    stage.planes = true;
    stage.column_axis = passes_[pass];
    SetColumns(stage, GroupOf(passes_[pass]));
    stage.source.column = stage.target.column = 1;  // also where there is one
    if (axes > 1) {
      stage.row_axis = passes_[pass + 1];
      SetRows(stage, GroupOf(stage.row_axis));
    } else if (count > 0) {
      SetRows(stage, groups[--count]);
    }
    if (axes > 2) {
      stage.slice_axis = passes_[pass + 2];
      stage.source_slices = sizes_[stage.slice_axis];
      stage.target_slices = target_sizes_[stage.slice_axis];
      stage.source.slice = strides_[stage.slice_axis];
      stage.target.slice = target_strides_[stage.slice_axis];
    }
    // The stride of a single row does not matter; this one stands for no gap.
    if (stage.source_rows == 1) stage.source.row = static_cast<int64_t>(stage.source_columns);
    if (stage.target_rows == 1) stage.target.row = static_cast<int64_t>(stage.target_columns);
    SetOuter(stage, groups, count);
  }

  void FillLanes(SumStage& stage, uint32_t pass, uint32_t axes) {
    std::array<bool, kMaxSumAxes> taken = {};
    for (uint32_t i = pass; i < pass + axes; ++i) taken[passes_[i]] = true;
    std::array<Group, kMaxSumAxes> groups;
    uint32_t count = OtherGroups(taken, groups);
    if (count > 0 && groups[count - 1].source_stride == 1 && groups[count - 1].target_stride == 1) {
      stage.inner = groups[--count].target_size;
    }
    stage.row_axis = passes_[pass + axes - 1];
    SetRows(stage, GroupOf(stage.row_axis));
    if (axes > 1) {
      stage.column_axis = passes_[pass];
      SetColumns(stage, GroupOf(stage.column_axis));
    } else if (count > 0 && groups[count - 1].target_stride < stage.target.row) {
      SetColumns(stage, groups[--count]);
    }
    SetOuter(stage, groups, count);
  }

  const AxisSums& sums_;
  uint32_t inner_axis_;
  std::array<uint32_t, kMaxSumAxes> order_ = {};
  std::array<uint32_t, kMaxSumAxes> passes_ = {};  // changing axes, in the order of the sums
  uint32_t pass_count_ = 0;
  // Before and after the stage that is being made.
  std::array<uint64_t, kMaxSumAxes> sizes_ = {}, target_sizes_ = {};
  std::array<int64_t, kMaxSumAxes> strides_ = {}, target_strides_ = {};
  SumStages stages_;
};

}  // namespace

SumStages MakeStages(const AxisSums& sums) { return StageMaker(sums).Make(); }

uint64_t SumStages::BufferBytes() const {
  uint64_t elements = 0;
  for (uint32_t i = 0; i + 1 < count; ++i) elements = std::max(elements, target_elements[i]);
  return (elements * sizeof(float) + 255) / 256 * 256;
}

}  // namespace anydml::cuda
