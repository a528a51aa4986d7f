// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Which plans the strategy shared_columns takes, and its tiles.
#include "operators/max_pooling_grad/shared_columns.h"
#include "operators/max_pooling_grad/strategies.h"

namespace anydml::max_pooling_grad {
namespace {

constexpr int64_t kMostDilation = 64;
constexpr int64_t kMostReach = 16;

bool IsInstantiated(const WindowAxis& axis) {
  if (axis.stride == 1) {
    return axis.window_size == 2 || axis.window_size == 3 || axis.window_size == 5;
  }
  return axis.stride == 2 && axis.window_size == 3 && axis.dilation == 1;
}

}  // namespace

SharedColumns::SharedColumns(const Plan& plan, int threads)
    : height(plan.loop.axes[WindowLoop::kHeight]),
      width(plan.loop.axes[WindowLoop::kWidth]),
      start(CeilDivideSigned(width.start_padding, width.stride) * width.stride),
      first_position(start / width.stride),
      positions(CeilDivideSigned(width.input_size, width.stride)),
      planes(plan.loop.PlaneCount()),
      depths(plan.loop.axes[WindowLoop::kDepth].input_size) {
  const int64_t reach = (start - width.start_padding + width.reach()) / width.stride;
  position_parts = cpu::Parts::Of(positions, kWordWindows - reach);
  const cpu::WindowTile tile = Tile({0, position_parts.length});
  band = 1;
  while (band < kMostWordRows && BufferLanes(tile, band + 1) <= kWordRowLanes) ++band;
  // Enough units for all threads; each begins with rows that its neighbour has
  // seen too.
  const int64_t tiles = planes * depths * position_parts.count;
  const int64_t wanted = threads == 1 ? 1 : CeilDivideSigned(int64_t{4} * threads, tiles);
  const int64_t rows = CeilDivideSigned(PaddedRows(), wanted);
  row_parts = cpu::Parts::Of(PaddedRows(), std::max(rows, 4 * (height.reach() + 1)));
}

cpu::WindowTile SharedColumns::Tile(IndexRange range) const {
  return cpu::WindowTile(width, 1, range.begin, range.end, start - width.start_padding);
}

uint64_t SharedColumns::WindowsOf(const cpu::WindowTile& tile) const {
  uint64_t valid = 0;
  for (int64_t i = 0; i < tile.windows.positions; ++i) {
    const int64_t window = tile.windows.first + i;
    if (window >= 0 && window < width.output_size) valid |= uint64_t{1} << i;
  }
  return valid;
}

int64_t SharedColumns::BufferLanes(const cpu::WindowTile& tile, int64_t rows) const {
  return (rows * height.stride + 1) * tile.keys.size() + rows * tile.windows.phase_size +
         carried() * (tile.windows.phase_size + tile.elements.size());
}

Refusal AcceptsSharedColumns(const Plan& plan) {
  for (const PlaneStrides* strides : {&plan.input, &plan.input_gradient, &plan.output_gradient}) {
    if (strides->spatial[WindowLoop::kWidth] != 1) {
      return {"the innermost stride is not 1 in every tensor"};
    }
  }
  const auto& [depth, height, width] = plan.loop.axes;
  if (!SeesOneSlice(depth)) return {"the window has a depth"};
  if (!IsInstantiated(height) || height.window_size != width.window_size ||
      height.stride != width.stride || !IsInstantiated(width)) {
    return {"the window is neither 2x2, 3x3 or 5x5 at stride 1 nor 3x3 at stride 2"};
  }
  if (height.dilation > kMostDilation || width.reach() > kMostReach ||
      height.start_padding > height.reach() || width.start_padding > width.reach()) {
    return {"the dilation is too large, or whole rows of windows lie in padding"};
  }
  return kAccepted;
}

}  // namespace anydml::max_pooling_grad
