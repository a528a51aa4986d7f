// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How kernels that slide a window lay rows into small buffers of 32-bit lanes.
// A buffer splits the columns of the padded input by their remainder modulo the
// window's stride, its phase: then tap k of neighbouring windows lies side by
// side, whatever the stride. A column is one lane or, where channels are
// innermost in memory, as many lanes as there are channels; so one kernel
// serves both layouts. Names no operator and no vector.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "backends/cpu/executor.h"
#include "backends/cpu/rows.h"
#include "tensor/window.h"

namespace anydml::cpu {

struct LaneRow {
  int64_t lanes = 1;       // per column
  int64_t phases = 1;      // the window's stride
  int64_t first = 0;       // the buffer starts at padded column first * phases
  int64_t positions = 0;   // columns per phase
  int64_t phase_size = 0;  // from one phase to the next, whole vectors
  int64_t size() const { return phases * phase_size; }
  int64_t used() const;  // of a phase, whole vectors; the rest is read, never wanted
};

// Columns of a tensor's row: column 0 is the padded column `start_padding`.
struct RowColumns {
  int64_t start_padding;
  int64_t count;
  int64_t stride;
};

// The columns that a tensor's row and a buffer both have, ready to be moved:
// element memory + i of the row and lane buffer + i of the buffer.
struct LaneMove {
  enum Kind {
    kRun,      // all lanes side by side in both
    kPairs,    // columns alternate between two phases
    kColumns,  // one column after the other
  };
  Kind kind = kRun;
  int64_t memory = 0;
  int64_t buffer = 0;
  int64_t count = 0;  // lanes of a run, pairs of columns, or columns
  // kPairs: a single column of phase 1 before the pairs, of phase 0 after them.
  bool odd_before = false;
  bool even_after = false;
  int64_t phase_size = 0;
  // kColumns: the first one's phase.
  int64_t phase = 0;
  int64_t phases = 1;
  int64_t lanes = 1;
  int64_t stride = 1;

  LaneMove(const LaneRow& row, const RowColumns& columns);
};

// The most lanes of a vector; row buffers are whole multiples.
inline constexpr int64_t kMaxLanes = 16;
inline constexpr int64_t kMaxTileTaps = 16;

constexpr int64_t WholeVectors(int64_t lanes) {
  return (lanes + kMaxLanes - 1) / kMaxLanes * kMaxLanes;
}

inline int64_t LaneRow::used() const { return WholeVectors(positions * lanes); }

// Where tap k of a window lies: the window at lane i of its row sees lane
// i + key_offset of the keys; the element at lane i of phase `phase` is seen by
// the window at lane i + window_offset.
struct LaneTap {
  int64_t key_offset;
  int64_t phase;
  int64_t window_offset;
};

// The row buffers for the elements at positions [begin, end) of every phase,
// for all windows that see them and for all that these windows see. The first
// tap of window o lies at column o * stride + first_tap.
struct WindowTile {
  LaneRow keys;
  LaneRow windows;
  LaneRow elements;
  int64_t tap_count;
  std::array<LaneTap, kMaxTileTaps> taps;

  WindowTile(const WindowAxis& width, int64_t lanes, int64_t begin, int64_t end,
             int64_t first_tap = 0) {
    const int64_t reach = (first_tap + width.reach()) / width.stride;
    elements = {lanes, width.stride, begin, end - begin, WholeVectors((end - begin) * lanes)};
    windows = {lanes, 1, begin - reach, end - begin + reach,
               WholeVectors(elements.phase_size + reach * lanes)};
    keys = {lanes, width.stride, begin - reach, end - begin + 2 * reach,
            WholeVectors(windows.used() + reach * lanes)};
    tap_count = width.window_size;
    for (int64_t k = 0; k < tap_count; ++k) {
      const int64_t phase = (first_tap + k * width.dilation) % width.stride;
      const int64_t shift = (first_tap + k * width.dilation) / width.stride;
      taps[static_cast<size_t>(k)] = {phase * keys.phase_size + shift * lanes, phase,
                                      (reach - shift) * lanes};
    }
  }
};

// A single window never meets a neighbour: a stride as long as its reach says
// so to kernels that ask whether windows overlap.
inline WindowAxis SeparateSingleWindow(WindowAxis axis) {
  if (axis.output_size == 1) axis.stride = std::max(axis.stride, axis.reach() + 1);
  return axis;
}

inline LaneMove::LaneMove(const LaneRow& row, const RowColumns& columns)
    : phase_size(row.phase_size), phases(row.phases), lanes(row.lanes), stride(columns.stride) {
  int64_t begin = std::max(row.first * row.phases, columns.start_padding);
  const int64_t end =
      std::min((row.first + row.positions) * row.phases, columns.start_padding + columns.count);
  count = std::max<int64_t>(0, end - begin);
  if (count == 0) return;
  phase = begin % phases;
  if (phases == 1 && stride == lanes) {
    count *= lanes;
  } else if (phases == 2 && lanes == 1 && stride == 1) {
    kind = kPairs;
    odd_before = phase == 1;
    if (odd_before) ++begin;
    even_after = (end - begin) % 2 != 0;
    count = (end - begin) / 2;
  } else {
    kind = kColumns;
  }
  memory = (begin - columns.start_padding) * stride;
  buffer = (begin / phases - row.first) * lanes;
}

inline bool WindowsOverlap(const WindowAxis& axis) { return axis.stride <= axis.reach(); }

// Lanes per column for tensors of these strides: 1 where columns lie side by
// side, all channels where those do, 0 where neither does in all of them.
template <typename... Strides>
int64_t LanesPerColumn(const WindowLoop& loop, const Strides&... strides) {
  if (((strides.spatial[WindowLoop::kWidth] == 1) && ...)) return 1;
  return ((strides.channel == 1) && ...) ? loop.channels : 0;
}

// Equal parts of at most `most` cover `count`.
struct Parts {
  int64_t count;
  int64_t length;

  static Parts Of(int64_t whole, int64_t most) {
    const int64_t parts = CeilDivideSigned(whole, std::max<int64_t>(1, std::min(whole, most)));
    const int64_t length = CeilDivideSigned(whole, std::max<int64_t>(1, parts));
    return {length == 0 ? 0 : CeilDivideSigned(whole, length), length};
  }
  IndexRange Part(int64_t i, int64_t whole) const {
    return {i * length, std::min(whole, (i + 1) * length)};
  }
};

// The place of a unit along several axes, from its number: each Next takes the
// remainder that the axis counts off, the fastest axis first.
struct Digits {
  int64_t number;

  int64_t Next(int64_t count) {
    const int64_t digit = number % count;
    number /= count;
    return digit;
  }
  IndexRange NextPart(const Parts& parts, int64_t whole) {
    return parts.Part(Next(parts.count), whole);
  }
};

}  // namespace anydml::cpu
