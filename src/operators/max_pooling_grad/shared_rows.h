// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How the strategy shared_rows cuts its work. Knows nothing of vectors.
#pragma once

#include "kernels/window/cpu/window_tiles.h"
#include "operators/max_pooling_grad/plan.h"

namespace anydml::max_pooling_grad {

// Buffers of this many lanes in all are aimed at: they stay in the first-level
// cache. Never more than the second.
inline constexpr int64_t kBandLanes = 4096;
inline constexpr int64_t kMostBandLanes = 65536;
inline constexpr int64_t kMostBandRows = 16;
inline constexpr int64_t kLeastBandRows = 4;  // input rows

// Input rows and rows of windows, counted along the padded height. With a
// dilation the rows of each remainder modulo it form a walk of their own, in
// which neighbours are `step` apart.
struct SharedRows {
  WindowAxis height;
  WindowAxis width;
  int64_t lanes;
  int64_t planes;
  int64_t depths;
  int64_t first_position;
  int64_t positions;
  cpu::Parts channel_parts;
  cpu::Parts position_parts;
  cpu::Parts row_parts;
  int64_t band;  // rows of windows at a time

  SharedRows(const Plan& plan, int threads);

  int64_t carried() const { return std::max<int64_t>(0, height.window_size - height.stride); }
  int64_t PaddedRows() const { return height.start_padding + height.input_size; }
  int64_t Units() const {
    return planes * depths * row_parts.count * position_parts.count * channel_parts.count;
  }
  // Lanes of all buffers for tiles of this shape.
  int64_t BufferLanes(const cpu::WindowTile& tile, int64_t rows) const;
};

// Elements of the padded rows [begin, end) over a tile of columns.
struct UnitOfRows {
  int64_t batch;
  int64_t channel;
  int64_t depth;
  IndexRange rows;
  IndexRange positions;
  int64_t lanes;
};

inline UnitOfRows UnitAt(const SharedRows& shared, int64_t number) {
  cpu::Digits digits{number};
  UnitOfRows unit;
  const IndexRange channels = digits.NextPart(shared.channel_parts, shared.lanes);
  unit.lanes = channels.end - channels.begin;
  unit.positions = digits.NextPart(shared.position_parts, shared.positions);
  unit.rows = digits.NextPart(shared.row_parts, shared.PaddedRows());
  unit.depth = digits.Next(shared.depths);
  unit.channel = channels.begin;
  unit.batch = digits.number;
  return unit;
}

}  // namespace anydml::max_pooling_grad
