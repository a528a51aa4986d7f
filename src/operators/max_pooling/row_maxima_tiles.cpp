// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Which plans the strategy row_maxima takes, and its tiles.
#include "operators/max_pooling/row_maxima.h"
#include "operators/max_pooling/strategies.h"

namespace anydml::max_pooling {
namespace {

constexpr int64_t kMostStride = 64;
constexpr int64_t kTileLanes = 1024;

}  // namespace

RowMaxima::RowMaxima(const Plan& plan, int threads) {
  for (size_t i = 0; i < 3; ++i) axes[i] = cpu::SeparateSingleWindow(plan.loop.axes[i]);
  const auto& [depth, height, width] = axes;
  lanes = cpu::LanesPerColumn(plan.loop, plan.input, plan.output);
  planes = lanes == 1 ? plan.loop.PlaneCount() : plan.loop.batches;
  shares = depth.window_size == 1;
  slots = shares ? std::min(height.reach() + 1, kMostRowTaps + 1)
                 : std::min(depth.window_size, kMostRowTaps + 1) *
                       std::min(height.window_size, kMostRowTaps + 1);
  const int64_t reach = width.reach() / width.stride;
  // Tall windows keep many rows, so their tiles are narrower.
  const int64_t fitting = std::min(kTileLanes, kMostMaximaLanes / (4 * slots + 16));
  const int64_t most = std::max<int64_t>(64, fitting / width.stride);
  channel_parts = cpu::Parts::Of(lanes, std::max<int64_t>(32, most / (1 + 2 * reach)));
  window_parts = cpu::Parts::Of(width.output_size,
                                std::max<int64_t>(most / channel_parts.length, 2 * reach + 1));
  // Enough units for all threads.
  const int64_t tiles = planes * depth.output_size * window_parts.count * channel_parts.count;
  const int64_t wanted = threads == 1 ? 1 : CeilDivideSigned(int64_t{4} * threads, tiles);
  row_parts =
      cpu::Parts::Of(height.output_size, std::max(CeilDivideSigned(height.output_size, wanted),
                                                  4 * (height.reach() / height.stride + 1)));
}

cpu::LaneRow RowMaxima::Windows(int64_t lane_count, IndexRange windows) const {
  const int64_t count = windows.end - windows.begin;
  return {lane_count, 1, windows.begin, count, 2 * cpu::WholeVectors((count * lane_count + 1) / 2)};
}

cpu::LaneRow RowMaxima::Inputs(int64_t lane_count, IndexRange windows) const {
  const WindowAxis& width = axes[WindowLoop::kWidth];
  const int64_t reach = width.reach() / width.stride;
  return {lane_count, width.stride, windows.begin, windows.end - windows.begin + reach,
          cpu::WholeVectors(Windows(lane_count, windows).phase_size + reach * lane_count)};
}

int64_t RowMaxima::BufferLanes() const {
  const IndexRange windows = {0, window_parts.length};
  return 2 * Inputs(channel_parts.length, windows).size() +
         (3 * slots + 4) * Windows(channel_parts.length, windows).phase_size;
}

Refusal AcceptsRowMaxima(const Plan& plan) {
  if (!SetOf(TypeList<float, Float16>()).Contains(plan.data_type)) {
    return {"the data type is neither FLOAT32 nor FLOAT16"};
  }
  if (cpu::LanesPerColumn(plan.loop, plan.input, plan.output) == 0) {
    return {"neither columns nor channels lie side by side in both tensors"};
  }
  const WindowAxis width = cpu::SeparateSingleWindow(plan.loop.axes[WindowLoop::kWidth]);
  if (width.window_size > cpu::kMostWidthTaps || width.stride > kMostStride ||
      width.reach() > kMostStride) {
    return {"the window is too wide"};
  }
  const RowMaxima maxima(plan, 1);
  if (maxima.slots > kMostRowTaps || maxima.BufferLanes() > kMostMaximaLanes) {
    return {"the window is too large for the row buffers"};
  }
  return kAccepted;
}

}  // namespace anydml::max_pooling
