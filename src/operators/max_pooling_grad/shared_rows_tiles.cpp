// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Which plans the strategy shared_rows takes, and its tiles.
#include "operators/max_pooling_grad/shared_rows.h"
#include "operators/max_pooling_grad/strategies.h"

namespace anydml::max_pooling_grad {
namespace {

constexpr int64_t kMostStride = 64;
constexpr int64_t kMostTileLanes = 2048;

bool IsInstantiated(const WindowAxis& height) {
  if (height.stride == 1) return height.window_size >= 2 && height.window_size <= 5;
  return height.stride == 2 && height.window_size == 3 && height.dilation == 1;
}

}  // namespace

SharedRows::SharedRows(const Plan& plan, int threads)
    : height(plan.loop.axes[WindowLoop::kHeight]),
      width(cpu::SeparateSingleWindow(plan.loop.axes[WindowLoop::kWidth])),
      lanes(cpu::LanesPerColumn(plan.loop, plan.input, plan.input_gradient, plan.output_gradient)),
      planes(lanes == 1 ? plan.loop.PlaneCount() : plan.loop.batches),
      depths(plan.loop.axes[WindowLoop::kDepth].input_size),
      first_position(width.start_padding / width.stride) {
  positions =
      CeilDivideSigned(width.start_padding + width.input_size, width.stride) - first_position;
  const int64_t reach = width.reach() / width.stride;
  const int64_t most = std::max<int64_t>(64, kMostTileLanes / width.stride);
  channel_parts = cpu::Parts::Of(lanes, std::max<int64_t>(16, most / (1 + 2 * reach)));
  position_parts =
      cpu::Parts::Of(positions, std::max<int64_t>(most / channel_parts.length, 2 * reach + 1));
  const cpu::WindowTile tile(width, channel_parts.length, 0, position_parts.length);
  band = 1;
  while (band < kMostBandRows && BufferLanes(tile, band + 1) <= kBandLanes) ++band;
  // Wide tiles leave the first-level cache in any case; a few rows keep what
  // neighbours share in registers.
  while (band * height.stride < kLeastBandRows && BufferLanes(tile, band + 1) <= kMostBandLanes) {
    ++band;
  }
  // Enough units for all threads; each begins with rows that its neighbour has
  // seen too.
  const int64_t tiles = planes * depths * position_parts.count * channel_parts.count;
  const int64_t wanted = threads == 1 ? 1 : CeilDivideSigned(int64_t{4} * threads, tiles);
  const int64_t rows = CeilDivideSigned(PaddedRows(), wanted);
  const int64_t least = 4 * (height.reach() + 1);
  row_parts = cpu::Parts::Of(PaddedRows(), std::max(rows, least));
}

int64_t SharedRows::BufferLanes(const cpu::WindowTile& tile, int64_t rows) const {
  const int64_t windows = tile.windows.phase_size;
  return (rows * height.stride + 1) * tile.keys.size() + 2 * rows * windows +
         rows * height.stride * tile.elements.size() +
         carried() * (2 * windows + tile.elements.size());
}

Refusal AcceptsSharedRows(const Plan& plan) {
  if (cpu::LanesPerColumn(plan.loop, plan.input, plan.input_gradient, plan.output_gradient) == 0) {
    return {"neither columns nor channels lie side by side in every tensor"};
  }
  if (!SeesOneSlice(plan.loop.axes[WindowLoop::kDepth])) return {"the window has a depth"};
  if (!IsInstantiated(plan.loop.axes[WindowLoop::kHeight])) {
    return {"the window along the height is neither 2 to 5 at stride 1 nor 3 at stride 2"};
  }
  const WindowAxis& height = plan.loop.axes[WindowLoop::kHeight];
  if (height.dilation > kMostStride || height.start_padding > height.reach()) {
    return {"the dilation is too large, or whole rows of windows lie in padding"};
  }
  const WindowAxis width = cpu::SeparateSingleWindow(plan.loop.axes[WindowLoop::kWidth]);
  if (width.window_size > cpu::kMostWidthTaps || width.stride > kMostStride ||
      width.reach() > kMostStride) {
    return {"the window is too wide"};
  }
  const SharedRows shared(plan, 1);
  const cpu::WindowTile tile(width, shared.channel_parts.length, 0, shared.position_parts.length);
  if (shared.BufferLanes(tile, shared.band) > kMostBandLanes) {
    return {"the window is too large for the row buffers"};
  }
  return kAccepted;
}

}  // namespace anydml::max_pooling_grad
