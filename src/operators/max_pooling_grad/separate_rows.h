// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How the strategy separate_rows cuts its work. Knows nothing of vectors.
#pragma once

#include "kernels/window/cpu/window_tiles.h"
#include "operators/max_pooling_grad/plan.h"

namespace anydml::max_pooling_grad {

// Two buffers (keys, sums) of this many lanes in all are aimed at, and never
// more than the second.
inline constexpr int64_t kTileLanes = 6144;
inline constexpr int64_t kMostTileLanes = 32768;

struct SeparateRows {
  std::array<WindowAxis, 3> axes;
  int64_t row_taps;  // input rows of one row of windows
  int64_t first_position;
  int64_t positions;
  int64_t lanes;
  cpu::Parts channel_parts;
  cpu::Parts position_parts;
  bool columns_overlap;

  explicit SeparateRows(const Plan& plan) {
    for (size_t i = 0; i < 3; ++i) axes[i] = cpu::SeparateSingleWindow(plan.loop.axes[i]);
    const auto& [depth, height, width] = axes;
    lanes = cpu::LanesPerColumn(plan.loop, plan.input, plan.input_gradient, plan.output_gradient);
    columns_overlap = cpu::WindowsOverlap(width);
    row_taps = std::min(depth.window_size, depth.input_size) *
               std::min(height.window_size, height.input_size);
    first_position = width.start_padding / width.stride;
    positions =
        CeilDivideSigned(width.start_padding + width.input_size, width.stride) - first_position;
    const int64_t most = std::max<int64_t>(kTileLanes / (2 * row_taps * width.stride), 64);
    channel_parts = cpu::Parts::Of(lanes, most);
    position_parts = cpu::Parts::Of(positions, std::max<int64_t>(1, most / channel_parts.length));
  }

  // Of the row buffers of one tile.
  int64_t TileLanes() const {
    const cpu::WindowTile tile(axes[WindowLoop::kWidth], channel_parts.length, 0,
                               position_parts.length);
    return row_taps * (tile.keys.size() + tile.elements.size()) + 2 * tile.windows.size() +
           tile.elements.size();
  }
};

}  // namespace anydml::max_pooling_grad
