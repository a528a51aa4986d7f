// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/window/cpu/gradient_rows.h"
#include "kernels/window/cpu/gradient_strategies.h"

namespace anydml::window {
namespace {

constexpr int64_t kTargetScratchLanes = 61440;
constexpr int64_t kFilledLanes = 128;
constexpr int64_t kLeastRowParts = 4;  // reaches of a window

// The windows that see a column of [begin, end).
IndexRange WindowsOf(const WindowAxis& axis, IndexRange inputs) {
  const int64_t excess = inputs.begin + axis.start_padding - axis.reach();
  const int64_t begin = excess > 0 ? CeilDivideSigned(excess, axis.stride) : 0;
  const int64_t last = (inputs.end - 1 + axis.start_padding) / axis.stride;
  return {std::min(begin, axis.output_size), std::max(begin, std::min(last + 1, axis.output_size))};
}

// Somewhere in the middle of a long row.
int64_t ScratchLanesOf(const GradientRows& rows, int64_t lanes, int64_t columns) {
  WindowAxis width = rows.axes[WindowLoop::kWidth];
  const int64_t begin = width.reach() / width.stride * width.stride + width.stride - 1;
  width.start_padding = 0;
  width.output_size = int64_t{1} << 36;
  return rows.ScratchLanes(ColumnTile(width, lanes, rows.group, {begin, begin + columns}));
}

}  // namespace

ColumnTile::ColumnTile(const WindowAxis& width, int64_t lane_count, int64_t group, IndexRange own)
    : lanes(lane_count), columns(own), windows(WindowsOf(width, own)) {
  const int64_t count = windows.end - windows.begin, more = width.reach() / width.stride;
  first_tap = count == 0 ? own.begin : windows.begin * width.stride - width.start_padding;
  first_sum = std::min(first_tap, own.begin);
  const int64_t past = first_tap + (count - 1) * width.stride + width.reach() + 1;
  // Windows between those of two planes see both, and nobody asks for them.
  window_pitch = (group == 1 ? count : count + more) * lanes;
  window_lanes = cpu::WholeVectors(group * window_pitch);
  phase_size = cpu::WholeVectors(group * window_pitch + more * lanes);
  sum_pitch = (std::max(count == 0 ? own.end : past, own.end) - first_sum) * lanes;
  sum_lanes = cpu::WholeVectors(group * sum_pitch);
}

GradientRows::GradientRows(const GradientPlan& plan, int threads) : axes(plan.loop.axes) {
  for (WindowAxis& axis : axes) {
    if (axis.output_size == 1) axis.stride = 1;
    axis = CompleteAxis(axis);
  }
  const auto& [depth, height, width] = axes;
  lanes = cpu::LanesPerColumn(plan.loop, plan.input, plan.input_gradient, plan.output_gradient);
  if (lanes == 0) lanes = 1;
  planes = lanes == 1 ? plan.loop.PlaneCount() : plan.loop.batches;
  group = lanes == 1 && planes >= 4 * kTurns * threads ? kTurns : 1;
  has_depth = depth.window_size > 1;
  packs_codes = plan.data_type == DataType::kFloat16;
  ring_depths = std::min(depth.window_size, CeilDivideSigned(depth.input_size, depth.dilation));
  const int64_t class_rows = CeilDivideSigned(height.input_size, height.dilation);
  row_parts = {1, height.input_size};
  ring_heights = has_depth ? class_rows : std::min(height.window_size, class_rows);
  // Channels first: their runs in memory should be long.
  const int64_t reach = width.reach() + 1;
  const auto fits = [&](int64_t lane_count, int64_t columns) {
    return ScratchLanesOf(*this, lane_count, columns) <= kTargetScratchLanes;
  };
  if (group > 1 && !fits(1, std::min(width.input_size, 4 * reach))) group = 1;
  // Rows of small planes fill vectors together.
  while (group > 1 && group < kMaxGroup && width.output_size * group < kFilledLanes &&
         planes >= 8 * group * threads) {
    group *= 2;
    if (fits(1, width.input_size)) continue;
    group /= 2;
    break;
  }
  int64_t channels = lanes;
  const int64_t least_columns = std::min(width.input_size, 4 * reach);
  while (channels > 16 && !fits(channels, least_columns)) channels = (channels + 1) / 2;
  if (channels < lanes && channels > 16) channels = channels / 16 * 16;
  channel_parts = cpu::Parts::Of(lanes, channels);
  int64_t columns = width.input_size;
  while (columns > least_columns && !fits(channel_parts.length, columns))
    columns = (columns + 1) / 2;
  column_parts = cpu::Parts::Of(width.input_size, columns);
  // Enough units for all threads. With a depth all rows of a part are held.
  const int64_t tiles = planes / group * column_parts.count * channel_parts.count;
  const int64_t wanted = threads == 1 ? 1 : CeilDivideSigned(int64_t{4} * threads, tiles);
  const int64_t least = kLeastRowParts * (height.reach() + 1);
  row_parts = cpu::Parts::Of(height.input_size,
                             std::max(CeilDivideSigned(height.input_size, wanted), least));
  const auto set_ring = [&] {
    if (!has_depth) return;
    ring_heights = std::min(
        class_rows, CeilDivideSigned(row_parts.length + 2 * height.reach(), height.dilation) + 1);
  };
  set_ring();
  while (has_depth && MaxScratchLanes() > kMaxScratchLanes && row_parts.length > 1) {
    row_parts = cpu::Parts::Of(height.input_size, (row_parts.length + 1) / 2);
    set_ring();
  }
  all_rows_seen = true;
  for (const WindowAxis* axis : {&depth, &height}) {
    for (int64_t p = 0; all_rows_seen && p < axis->input_size; ++p) {
      all_rows_seen = WindowsOver(*axis, p).count > 0;
    }
  }
}

int64_t GradientRows::ScratchLanes(const ColumnTile& tile) const {
  const WindowAxis& width = axes[WindowLoop::kWidth];
  const int64_t keys = width.stride * tile.phase_size;
  return Slots() * (tile.window_lanes * (packs_codes ? 1 : 2) + tile.sum_lanes) + 2 * keys +
         tile.sum_lanes + 3 * tile.window_lanes + cpu::kMostLanes;
}

int64_t GradientRows::MaxScratchLanes() const {
  return ScratchLanesOf(*this, channel_parts.length, column_parts.length);
}

Refusal AcceptsRows(const GradientPlan& plan) {
  for (const WindowAxis& axis : plan.loop.axes) {
    if (axis.window_size > kMaxScratchLanes || axis.reach() > kMaxScratchLanes ||
        (axis.output_size > 1 && axis.stride > kMaxScratchLanes)) {
      return {"the window is too large for the row buffers"};
    }
  }
  if (plan.loop.axes[WindowLoop::kWidth].window_size > kMaxWidthTaps) {
    return {"the window is too wide"};
  }
  const GradientRows rows(plan, 1);
  if (rows.MaxScratchLanes() > kMaxScratchLanes || rows.Slots() > kMaxSlots) {
    return {"the window is too large for the row buffers"};
  }
  return kAccepted;
}

}  // namespace anydml::window
