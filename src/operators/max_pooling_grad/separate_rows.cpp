// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rows of windows that share no input row: along depth and height the stride
// reaches past the window. Every row of windows then owns a cell of the output,
// and is finished while its keys are in the first-level cache.
#include "operators/max_pooling_grad/separate_rows.h"

#include "operators/max_pooling_grad/cells.h"
#include "operators/max_pooling_grad/formula.h"
#include "operators/max_pooling_grad/strategies.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/max_pooling_grad/separate_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/window/cpu/window_tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling_grad {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

using Ints = hn::ScalableTag<int32_t>;
using Floats = hn::ScalableTag<float>;

// One row of windows over one tile of columns.
template <typename T>
class SeparateRow {
 public:
  SeparateRow(const Plan& plan, const SeparateRows& rows, const Bindings& bindings,
              int32_t* scratch)
      : plan_(plan), rows_(rows), bindings_(bindings), keys_(scratch) {}

  void SetTile(int64_t column_part, int64_t channel_part) {
    const WindowAxis& width = rows_.axes[WindowLoop::kWidth];
    const IndexRange channels = rows_.channel_parts.Part(channel_part, rows_.lanes);
    IndexRange q = rows_.position_parts.Part(column_part, rows_.positions);
    channel_ = channels.begin;
    tile_.emplace(width, channels.end - channels.begin, rows_.first_position + q.begin,
                  rows_.first_position + q.end);
    key_move_.emplace(tile_->keys, InputColumns(plan_.input));
    gradient_move_.emplace(tile_->windows, WindowColumns());
    sum_move_.emplace(tile_->elements, InputColumns(plan_.output_gradient));
    sums_ = reinterpret_cast<float*>(keys_ + rows_.row_taps * tile_->keys.size());
    zeros_ = sums_ + rows_.row_taps * tile_->elements.size();
    gradients_ = zeros_ + tile_->elements.size();
    codes_ = reinterpret_cast<int32_t*>(gradients_ + tile_->windows.size());
    for (int64_t r = 0; r < rows_.row_taps; ++r) {
      vectors::FillOutside(tile_->keys, InputColumns(plan_.input), vectors::kPaddingKey,
                           keys_ + r * tile_->keys.size());
    }
    // Phases without a tap keep these zeros.
    std::fill(sums_, gradients_, 0.0f);
    vectors::FillOutside(tile_->windows, WindowColumns(), 0.0f, gradients_);
  }

  void Run(int64_t plane, int64_t od, int64_t oh) const {
    const auto& [depth, height, width] = rows_.axes;
    const Progression depths = TapsOf(depth, od), heights = TapsOf(height, oh);
    const T* x = bindings_.Input<T>(0) + Offset(plan_.input, plane);
    for (int64_t i = 0, r = 0; i < depths.count; ++i) {
      for (int64_t j = 0; j < heights.count; ++j, ++r) {
        const T* row = x + (depths.first + i * depths.step) * plan_.input.spatial[0] +
                       (heights.first + j * heights.step) * plan_.input.spatial[1];
        vectors::MoveRow(Floats(), *key_move_,
                         vectors::LoadKeys<T>{row, keys_ + r * tile_->keys.size()});
      }
    }
    const T* dy = bindings_.Input<T>(1) + Offset(plan_.input_gradient, plane) +
                  od * plan_.input_gradient.spatial[0] + oh * plan_.input_gradient.spatial[1];
    vectors::MoveRow(Floats(), *gradient_move_, vectors::LoadValues<T>{dy, gradients_});
    const int64_t taps = depths.count * heights.count;
    if (rows_.columns_overlap) {
      FindWinners(taps);
      for (int64_t r = 0; r < taps; ++r) SumRow(r);
    } else if (taps > 0) {
      HandOut(taps);
    }
    StoreCell(plane, CellOf(depth, od), CellOf(height, oh), depths, heights);
  }

 private:
  int64_t Offset(const PlaneStrides& strides, int64_t plane) const {
    if (rows_.lanes == 1) return strides.PlaneOffset(plan_.loop, plane);
    return plane * strides.batch + channel_ * strides.channel;
  }
  cpu::RowColumns InputColumns(const PlaneStrides& strides) const {
    const WindowAxis& width = rows_.axes[WindowLoop::kWidth];
    return {width.start_padding, width.input_size, strides.spatial[WindowLoop::kWidth]};
  }
  cpu::RowColumns WindowColumns() const {
    return {0, rows_.axes[WindowLoop::kWidth].output_size,
            plan_.input_gradient.spatial[WindowLoop::kWidth]};
  }

  // The number of the winning tap of the windows from lane i on, counted in
  // logical order. A row of windows has at least one tap row here.
  HWY_INLINE hn::Vec<Ints> Winners(int64_t taps, int64_t i) const {
    const Ints di;
    auto best = hn::LoadU(di, keys_ + i + tile_->taps[0].key_offset);
    auto code = hn::Zero(di);
    int32_t number = 0;
    for (int64_t r = 0; r < taps; ++r) {
      const int32_t* keys = keys_ + r * tile_->keys.size() + i;
      for (int64_t k = 0; k < tile_->tap_count; ++k, ++number) {
        const auto key = hn::LoadU(di, keys + tile_->taps[static_cast<size_t>(k)].key_offset);
        const auto greater = hn::Gt(key, best);
        best = hn::Max(key, best);
        code = hn::IfThenElse(greater, hn::Set(di, number), code);
      }
    }
    return code;
  }

  // Windows that do not overlap along the width either: every element is seen
  // by one window at most.
  void HandOut(int64_t taps) const {
    const Ints di;
    const Floats df;
    for (int64_t i = 0; i < tile_->elements.phase_size; i += static_cast<int64_t>(hn::Lanes(df))) {
      const auto code = Winners(taps, i);
      // A single -0 becomes +0 (B13).
      const auto gradient = hn::Add(hn::LoadU(df, gradients_ + i), hn::Zero(df));
      int32_t number = 0;
      for (int64_t r = 0; r < taps; ++r) {
        float* sums = sums_ + r * tile_->elements.size() + i;
        for (int64_t k = 0; k < tile_->tap_count; ++k, ++number) {
          const auto won = hn::RebindMask(df, hn::Eq(code, hn::Set(di, number)));
          hn::StoreU(hn::IfThenElseZero(won, gradient), df,
                     sums + tile_->taps[static_cast<size_t>(k)].phase * tile_->elements.phase_size);
        }
      }
    }
  }

  void FindWinners(int64_t taps) const {
    const Ints di;
    if (taps == 0) return;
    for (int64_t i = 0; i < tile_->windows.used(); i += static_cast<int64_t>(hn::Lanes(di))) {
      hn::StoreU(Winners(taps, i), di, codes_ + i);
    }
  }

  // The sums of input row r, ascending windows: the last tap first (B13).
  void SumRow(int64_t r) const {
    const Ints di;
    const Floats df;
    const auto size = tile_->elements.phase_size;
    float* sums = sums_ + r * tile_->elements.size();
    for (int64_t phase = 0; phase < tile_->elements.phases; ++phase) {
      for (int64_t i = 0; i < size; i += static_cast<int64_t>(hn::Lanes(df))) {
        auto sum = hn::Zero(df);
        for (int64_t k = tile_->tap_count - 1; k >= 0; --k) {
          const cpu::LaneTap& tap = tile_->taps[static_cast<size_t>(k)];
          if (tap.phase != phase) continue;
          const auto number = hn::Set(di, static_cast<int32_t>(r * tile_->tap_count + k));
          const auto won = hn::Eq(hn::LoadU(di, codes_ + i + tap.window_offset), number);
          const auto gradient = hn::LoadU(df, gradients_ + i + tap.window_offset);
          sum = hn::IfThenElse(hn::RebindMask(df, won), hn::Add(sum, gradient), sum);
        }
        hn::StoreU(sum, df, sums + phase * size + i);
      }
    }
  }

  void StoreCell(int64_t plane, IndexRange depths, IndexRange heights,
                 const Progression& depth_taps, const Progression& height_taps) const {
    const PlaneStrides& strides = plan_.output_gradient;
    T* dx = bindings_.Output<T>(0) + Offset(strides, plane);
    for (int64_t d = depths.begin; d < depths.end; ++d) {
      const int64_t i = TapNumber(depth_taps, d);
      for (int64_t h = heights.begin; h < heights.end; ++h) {
        const int64_t j = TapNumber(height_taps, h);
        const float* sums =
            i < 0 || j < 0 ? zeros_ : sums_ + (i * height_taps.count + j) * tile_->elements.size();
        T* row = dx + d * strides.spatial[0] + h * strides.spatial[1];
        vectors::MoveRow(Floats(), *sum_move_, vectors::StoreValues<T>{sums, row});
      }
    }
  }

  const Plan& plan_;
  const SeparateRows& rows_;
  const Bindings& bindings_;
  std::optional<cpu::WindowTile> tile_;
  std::optional<cpu::LaneMove> key_move_;
  std::optional<cpu::LaneMove> gradient_move_;
  std::optional<cpu::LaneMove> sum_move_;
  int64_t channel_ = 0;
  int32_t* keys_;          // a buffer per tap row
  float* sums_ = nullptr;  // likewise
  float* zeros_ = nullptr;
  float* gradients_ = nullptr;
  int32_t* codes_ = nullptr;
};

template <typename T>
void RunSeparate(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const SeparateRows rows(plan);
  const int64_t tiles = rows.position_parts.count * rows.channel_parts.count;
  const int64_t depths = rows.axes[0].output_size, heights = rows.axes[1].output_size;
  const int64_t planes = rows.lanes == 1 ? plan.loop.PlaneCount() : plan.loop.batches;
  const uint64_t elements = static_cast<uint64_t>(rows.row_taps * rows.position_parts.length *
                                                  rows.channel_parts.length * rows.axes[2].stride);
  const auto body = [&](uint64_t begin, uint64_t end) HWY_ATTR {
    alignas(64) int32_t scratch[kMostTileLanes];
    SeparateRow<T> row(plan, rows, bindings, scratch);
    int64_t current = -1;
    for (auto unit = static_cast<int64_t>(begin); unit < static_cast<int64_t>(end); ++unit) {
      const int64_t tile = unit % tiles, number = unit / tiles;
      if (tile != current) {
        row.SetTile(tile / rows.channel_parts.count, tile % rows.channel_parts.count);
      }
      current = tile;
      row.Run(number / heights / depths, number / heights % depths, number % heights);
    }
  };
  executor.ParallelFor(static_cast<uint64_t>(planes * depths * heights * tiles),
                       cpu::kElementsPerUnit / std::max<uint64_t>(1, elements), body);
}

void SeparateRowsOf(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type,
               [&]<typename T>() HWY_ATTR { RunSeparate<T>(plan, bindings, executor); });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::max_pooling_grad
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::max_pooling_grad {
namespace {

HWY_EXPORT(SeparateRowsOf);

constexpr int64_t kMostStride = 64;
constexpr int64_t kMostRowTaps = 256;

}  // namespace

Refusal AcceptsSeparateRows(const Plan& plan) {
  if (cpu::LanesPerColumn(plan.loop, plan.input, plan.input_gradient, plan.output_gradient) == 0) {
    return {"neither columns nor channels lie side by side in every tensor"};
  }
  for (int axis : {WindowLoop::kDepth, WindowLoop::kHeight}) {
    if (cpu::WindowsOverlap(cpu::SeparateSingleWindow(plan.loop.axes[axis]))) {
      return {"rows of windows share input rows"};
    }
  }
  const WindowAxis width = cpu::SeparateSingleWindow(plan.loop.axes[WindowLoop::kWidth]);
  if (width.window_size > cpu::kMostWidthTaps || width.stride > kMostStride ||
      width.reach() > kMostStride) {
    return {"the window is too wide"};
  }
  const SeparateRows rows(plan);
  if (rows.row_taps > kMostRowTaps || rows.TileLanes() > kMostTileLanes) {
    return {"the window is too large for the row buffers"};
  }
  return kAccepted;
}

void RunSeparateRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                     const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(SeparateRowsOf)(plan, bindings, executor);
}

}  // namespace anydml::max_pooling_grad
#endif  // HWY_ONCE
