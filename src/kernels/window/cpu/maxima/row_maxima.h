// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How the strategy row_maxima cuts its work. Knows nothing of vectors.
#pragma once

#include "kernels/window/cpu/window_tiles.h"
#include "kernels/window/plan.h"

namespace anydml::window::maxima {

inline constexpr int64_t kMaxBufferLanes = 32768;
// Vectors may reach so far beyond the lanes that count: four vectors of bytes.
inline constexpr int64_t kSpareLanes = 256;

// What is worked on at a time.
struct MaximaTile {
  int64_t plane;  // batch where channels are lanes
  std::array<IndexRange, 3> windows;
  IndexRange channels;  // {0, 1} where columns are lanes
};

// The buffer of a tile: slices, rows in each, columns in each, lanes in each.
struct MaximaBuffer {
  std::array<int64_t, 3> size;
  int64_t lanes;

  int64_t RowLanes() const { return size[WindowLoop::kWidth] * lanes; }
  int64_t SliceLanes() const { return size[WindowLoop::kHeight] * RowLanes(); }
  int64_t AllLanes() const { return size[WindowLoop::kDepth] * SliceLanes(); }
};

struct RowMaxima {
  WindowLoop loop;
  PlaneStrides input;
  PlaneStrides output;
  PlaneStrides indices;
  int64_t lanes;   // per column: 1, or all channels
  int64_t planes;  // batches where channels are lanes
  // Whether the buffer holds every input row of a tile once. Otherwise it holds the maxima of
  // the rows that each row of windows sees: where no rows overlap, and where a tile of all
  // rows is too large.
  bool shares;
  std::array<cpu::Parts, 3> parts;  // of windows
  cpu::Parts channel_parts;

  RowMaxima(const Plan& plan, int threads);

  MaximaBuffer Buffer(const std::array<int64_t, 3>& windows, int64_t lane_count) const;
  int64_t Units() const {
    return planes * parts[0].count * parts[1].count * parts[2].count * channel_parts.count;
  }
  MaximaTile Tile(int64_t unit) const;
};

}  // namespace anydml::window::maxima
