// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Windows two columns wide at stride 2 over columns side by side, which share no
// input row: 2x2 stride 2, 2x2x2 stride 2.
#include <cstring>

#include "kernels/window/cpu/gradient/cells.h"
#include "kernels/window/cpu/gradient/lines.h"
#include "kernels/window/cpu/gradient/strategies.h"
#include "kernels/window/gradient.h"
#include "kernels/window/plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/window/cpu/gradient/column_pairs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/window/cpu/gradient/column_pairs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::window::gradient {
namespace HWY_NAMESPACE {

// Rows of windows and their cells of rows.
template <typename T>
class PairRow {
 public:
  PairRow(const Plan& plan, const Bindings& bindings)
      : plan_(plan),
        bindings_(bindings),
        depth_(cpu::SeparateSingleWindow(plan.loop.axes[0])),
        height_(cpu::SeparateSingleWindow(plan.loop.axes[1])),
        covered_(CoversCells(depth_) && CoversCells(height_) &&
                 2 * plan.loop.axes[2].output_size == plan.loop.axes[2].input_size),
        are_alike_(covered_ && height_.start_padding == 0 &&
                   height_.output_size * height_.stride == height_.input_size) {
    rows_.windows = plan.loop.axes[2].output_size;
    rows_.x_step = height_.stride * plan.input.spatial[1];
    rows_.dy_step = plan.input_gradient.spatial[1];
    rows_.dx_step = height_.stride * plan.output_gradient.spatial[1];
    rows_.stores = Stores();
    rows_.x_ahead = BytesAhead(plan.input);
    rows_.dx_ahead = BytesAhead(plan.output_gradient);
  }

  void SetPlane(int64_t plane) {
    x_ = bindings_.Input<T>(0) + plan_.input.PlaneOffset(plan_.loop, plane);
    dy_ = bindings_.Input<T>(1) + plan_.input_gradient.PlaneOffset(plan_.loop, plane);
    dx_ = bindings_.Output<T>(0) + plan_.output_gradient.PlaneOffset(plan_.loop, plane);
  }

  // From row `oh` on, as many as are alike and not more than `most`; how many they are.
  int64_t Run(int64_t od, int64_t oh, int64_t most) {
    const Progression depths = TapsOf(depth_, od), heights = TapsOf(height_, oh);
    if (depths.count != depth_taps_ || heights.count != height_taps_) SetTaps(depths, heights);
    if (!covered_) ZeroOutsideTaps(CellOf(depth_, od), CellOf(height_, oh), depths, heights);
    const PairPlace<T> row = {x_ + OffsetOf(plan_.input, depths.first, heights.first),
                              dy_ + OffsetOf(plan_.input_gradient, od, oh),
                              dx_ + OffsetOf(plan_.output_gradient, depths.first, heights.first),
                              are_alike_ ? most : 1};
    if (rows_.count == 2) {
      HandOutPairs<2>(rows_, row);
    } else if (rows_.count == 4) {
      HandOutPairs<4>(rows_, row);
    } else if (rows_.count > 0) {
      HandOutPairs<0>(rows_, row);
    }
    return row.count;
  }

 private:
  // To the row of windows after the next, or further where rows are short.
  uintptr_t BytesAhead(const PlaneStrides& strides) const {
    const auto stride = static_cast<uintptr_t>(std::min<int64_t>(height_.stride, 8));
    const uintptr_t bytes = stride * static_cast<uintptr_t>(strides.spatial[1]) * sizeof(T);
    if (bytes == 0) return 0;
    return std::max<uintptr_t>(2, (kPrefetchBytes + bytes - 1) / bytes) * bytes;
  }

  PairStores Stores() const {
    const PlaneStrides& s = plan_.output_gradient;
    const std::initializer_list<int64_t> strides = {s.batch, s.channel, s.spatial[0], s.spatial[1],
                                                    2 * rows_.windows};
    const T* dx = bindings_.Output<T>(0);
    const size_t vector = kBlockColumns<T> * sizeof(T);
    if (ShouldStreamLines(plan_, dx, vector, strides)) return PairStores::kLines;
    const bool is_long = 2 * rows_.windows * static_cast<int64_t>(sizeof(T)) >= kLine;
    if (cpu::MixesStores() && vector >= kHalfLine && is_long &&
        ShouldStreamFrom(plan_, dx, kHalfLine, strides)) {
      return PairStores::kHalfLines;
    }
    return PairStores::kPlain;
  }

  static int64_t OffsetOf(const PlaneStrides& strides, int64_t d, int64_t h) {
    return d * strides.spatial[0] + h * strides.spatial[1];
  }

  // Windows with as many taps along both axes see rows at the same distances.
  void SetTaps(const Progression& depths, const Progression& heights) {
    depth_taps_ = depths.count;
    height_taps_ = heights.count;
    rows_.count = 0;
    for (int64_t i = 0; i < depths.count; ++i) {
      for (int64_t j = 0; j < heights.count; ++j) {
        const auto r = static_cast<size_t>(rows_.count++);
        rows_.x[r] = OffsetOf(plan_.input, i * depths.step, j * heights.step);
        rows_.dx[r] = OffsetOf(plan_.output_gradient, i * depths.step, j * heights.step);
      }
    }
  }

  // The elements of the cell that its windows do not see.
  void ZeroOutsideTaps(IndexRange depth_cell, IndexRange height_cell, const Progression& depths,
                       const Progression& heights) const {
    const int64_t width = plan_.loop.axes[2].input_size;
    for (int64_t d = depth_cell.begin; d < depth_cell.end; ++d) {
      for (int64_t h = height_cell.begin; h < height_cell.end; ++h) {
        const bool seen = TapNumber(depths, d) >= 0 && TapNumber(heights, h) >= 0;
        const int64_t begin = seen ? 2 * rows_.windows : 0;
        T* row = dx_ + d * plan_.output_gradient.spatial[0] + h * plan_.output_gradient.spatial[1];
        std::memset(static_cast<void*>(row + begin), 0,
                    static_cast<size_t>(width - begin) * sizeof(T));
      }
    }
  }

  const Plan& plan_;
  const Bindings& bindings_;
  const WindowAxis depth_;
  const WindowAxis height_;
  const bool covered_;
  const bool are_alike_;  // the rows of windows of one depth
  const T* x_ = nullptr;
  const T* dy_ = nullptr;
  T* dx_ = nullptr;
  int64_t depth_taps_ = 0;
  int64_t height_taps_ = 0;
  PairRows rows_;
};

template <typename T>
void RunPairRows(const Plan& plan, const Bindings& bindings, int64_t begin, int64_t end) {
  const int64_t depths = plan.loop.axes[0].output_size, heights = plan.loop.axes[1].output_size;
  PairRow<T> row(plan, bindings);
  WindowRow at = OutputRow(plan.loop, begin);
  row.SetPlane(at.plane);
  for (int64_t number = begin; number < end;) {
    const int64_t rows = row.Run(at.depth, at.height, std::min(heights - at.height, end - number));
    number += rows;
    if ((at.height += rows) < heights) continue;
    at.height = 0;
    if (++at.depth < depths) continue;
    at.depth = 0;
    if (number < end) row.SetPlane(++at.plane);
  }
  hwy::FlushStream();
}

void ColumnPairs(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const WindowLoop& loop = plan.loop;
  const auto rows = static_cast<uint64_t>(loop.PlaneCount() * loop.OutputRowsPerPlane());
  const uint64_t elements = loop.MostTaps() * static_cast<uint64_t>(loop.axes[2].output_size);
  DispatchType(Types(), plan.data_type, [&]<typename T>() HWY_ATTR {
    executor.ParallelFor(
        rows, cpu::kElementsPerUnit / elements, [&](uint64_t begin, uint64_t end) HWY_ATTR {
          RunPairRows<T>(plan, bindings, static_cast<int64_t>(begin), static_cast<int64_t>(end));
        });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::gradient
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::window::gradient {
namespace {

HWY_EXPORT(ColumnPairs);

}  // namespace

Refusal AcceptsColumnPairs(const Plan& plan) {
  for (const PlaneStrides* strides : {&plan.input, &plan.input_gradient, &plan.output_gradient}) {
    if (strides->spatial[WindowLoop::kWidth] != 1) {
      return {"the innermost stride is not 1 in every tensor"};
    }
  }
  const auto& [depth, height, width] = plan.loop.axes;
  if (width.window_size != 2 || width.stride != 2 || width.dilation != 1 ||
      width.start_padding != 0 || 2 * width.output_size > width.input_size) {
    return {"the width is not cut into pairs of columns"};
  }
  if (cpu::WindowsOverlap(cpu::SeparateSingleWindow(depth)) ||
      cpu::WindowsOverlap(cpu::SeparateSingleWindow(height))) {
    return {"rows of windows share input rows"};
  }
  if (depth.window_size > kMaxPairRows || height.window_size > kMaxPairRows ||
      depth.window_size * height.window_size > kMaxPairRows) {
    return {"the window has too many rows"};
  }
  return kAccepted;
}

void RunColumnPairs(const Plan& plan, const NoTables&, const Bindings& bindings,
                    const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(ColumnPairs)(plan, bindings, executor);
}

}  // namespace anydml::window::gradient
#endif  // HWY_ONCE
