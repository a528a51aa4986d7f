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
// Planes whose windows take turns when gradients are added: neighbours in a row often
// have the same winner, and an addition would wait for the one before it.
inline constexpr int64_t kTurns = 4;
inline constexpr int64_t kMaxGroup = 16;

// The columns [columns.begin, columns.end) of a row, the windows that see them and
// all that these windows see. A column is `lanes` lanes. Rows of a group of planes lie
// one after the other, each `pitch` lanes after the one before.
struct ColumnTile {
  int64_t lanes = 1;
  IndexRange columns;
  IndexRange windows;
  int64_t first_tap = 0;   // the first window's, an input column, negative in padding
  int64_t first_sum = 0;   // the input column where rows of sums begin
  int64_t phase_size = 0;  // of a row of keys, which is split by the stride
  int64_t window_pitch = 0;
  int64_t window_lanes = 0;  // of a row of windows, whole vectors
  int64_t sum_pitch = 0;
  int64_t sum_lanes = 0;  // of a row of sums

  ColumnTile(const WindowAxis& width, int64_t lane_count, int64_t group, IndexRange own);
  int64_t UsedLanes() const { return (windows.end - windows.begin) * lanes; }
};

struct AnyRows {
  std::array<WindowAxis, 3> axes;
  int64_t lanes;     // per column: 1, or all channels
  int64_t group;     // planes at a time
  int64_t planes;    // batches where channels are lanes
  bool has_depth;    // windows share slices
  bool packs_codes;  // FLOAT16: the place is the lower half of a 32-bit key
  cpu::Parts channel_parts;
  cpu::Parts column_parts;
  cpu::Parts row_parts;  // of input rows
  int64_t ring_depths;   // slices, and rows of each, that are held at once
  int64_t ring_heights;
  bool all_rows_seen;

  AnyRows(const Plan& plan, int threads);

  int64_t Slots() const { return ring_depths * ring_heights; }
  int64_t Units() const {
    return CeilDivideSigned(planes, group) * row_parts.count * column_parts.count *
           channel_parts.count;
  }
  int64_t ScratchLanes(const ColumnTile& tile) const;
  int64_t MaxScratchLanes() const;
};

}  // namespace anydml::window::gradient
