// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How the strategy any_rows cuts its work. Knows nothing of vectors.
//
// A dilated axis falls apart into classes: the windows whose numbers are equal
// modulo dilation / gcd(stride, dilation) see inputs of one remainder modulo the
// dilation, and nobody else does. Within a class the axis has no dilation.
#pragma once

#include "kernels/window/cpu/window_tiles.h"
#include "kernels/window/plan.h"

namespace anydml::window::gradient {

inline constexpr int64_t kMaxScratchLanes = 65536;  // 32-bit lanes of all buffers
inline constexpr int64_t kMaxWidthTaps = 256;
inline constexpr int64_t kMaxSlots = 1024;
inline constexpr int64_t kMaxVectorTaps = 32;  // of windows whose gradients are added as vectors
// Planes whose windows take turns when gradients are added: neighbours in a row often
// have the same winner, and an addition would wait for the one before it.
inline constexpr int64_t kTurns = 4;
inline constexpr int64_t kMaxGroup = 16;

// The columns [columns.begin, columns.end) of a row, the windows that see them and
// all that these windows see. A column is `lanes` lanes. A row of keys or of sums is
// split by the stride: column first_column + p * stride + f is position p of phase f. A
// window has the position of its first tap, in phase 0. Rows of a group of planes lie one
// after the other.
struct ColumnTile {
  int64_t lanes = 1;
  IndexRange columns;
  IndexRange windows;
  int64_t first_column = 0;  // negative in padding
  int64_t lead = 0;          // positions before the first window
  int64_t pitch = 0;         // lanes from a plane to the next
  int64_t phase_size = 0;    // lanes of a phase, and of a row of windows: whole vectors

  ColumnTile(const WindowAxis& width, int64_t lane_count, int64_t group, IndexRange own);
};

struct AnyRows {
  std::array<WindowAxis, 3> axes;
  int64_t lanes;     // per column: 1, or all channels
  int64_t group;     // planes at a time
  int64_t planes;    // batches where channels are lanes
  bool has_depth;    // windows share slices
  bool packs_codes;  // FLOAT16: the place is the lower half of a 32-bit key
  bool adds_vectors;
  bool splits_rows;  // columns are lanes and the stride is not 1
  bool has_gaps = false;
  cpu::Parts channel_parts;
  cpu::Parts column_parts;
  cpu::Parts row_parts;  // of input rows
  int64_t ring_depths;   // slices, and rows of each, that are held at once
  int64_t ring_heights;
  bool all_rows_seen;

  AnyRows(const Plan& plan, int threads, int64_t vector_lanes);

  int64_t Slots() const { return ring_depths * ring_heights; }
  int64_t Units() const {
    return CeilDivideSigned(planes, group) * row_parts.count * column_parts.count *
           channel_parts.count;
  }
  // Of winners and gradients, before those of the first position.
  int64_t LanesBefore(const ColumnTile& tile) const;
  int64_t ScratchLanes(const ColumnTile& tile) const;
  int64_t MaxScratchLanes() const;
};

}  // namespace anydml::window::gradient
