// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How the strategy shared_columns cuts its work. Knows nothing of vectors.
#pragma once

#include "kernels/window/cpu/window_tiles.h"
#include "kernels/window/plan.h"

namespace anydml::window::gradient {

// The windows of a row within a tile at most: a bit of a word for each.
inline constexpr int64_t kWordWindows = 64;
// Rows of windows of a band at most, and what its buffers may hold: they stay in
// the first-level cache.
inline constexpr int64_t kMaxWordRows = 16;
inline constexpr int64_t kWordRowLanes = 5120;

// Columns of tiles are counted from a multiple of the window's stride before the
// padding, so that whole vectors of a row are whole vectors of a tile. With a
// dilation the input rows of each remainder modulo it form a walk of their own.
struct SharedColumns {
  WindowAxis height;
  WindowAxis width;
  int64_t start;  // column 0 of the input
  int64_t first_position;
  int64_t positions;
  int64_t planes;
  int64_t depths;
  cpu::Parts position_parts;
  cpu::Parts row_parts;
  int64_t band;  // rows of windows at a time

  SharedColumns(const Plan& plan, int threads);

  cpu::WindowTile Tile(IndexRange positions) const;
  cpu::RowColumns InputColumns() const { return {start, width.input_size, 1}; }
  cpu::RowColumns WindowColumns() const { return {0, width.output_size, 1}; }
  // Of the columns of a tile's keys, those of the input.
  IndexRange Inside(const cpu::WindowTile& tile) const {
    const int64_t first = start - tile.keys.first * tile.keys.phases;
    return {first, first + width.input_size};
  }
  // A bit for each of a tile's windows that there is.
  uint64_t WindowsOf(const cpu::WindowTile& tile) const;
  int64_t carried() const { return height.window_size - height.stride; }
  int64_t PaddedRows() const { return height.start_padding + height.input_size; }
  int64_t Units() const { return planes * depths * row_parts.count * position_parts.count; }
  // Lanes of all buffers.
  int64_t BufferLanes(const cpu::WindowTile& tile, int64_t rows) const;
};

// Elements of the padded rows [begin, end) over a tile of columns.
struct UnitOfColumns {
  int64_t plane;
  int64_t depth;
  IndexRange rows;
  IndexRange positions;
};

inline UnitOfColumns ColumnsAt(const SharedColumns& shared, int64_t number) {
  cpu::Digits digits{number};
  UnitOfColumns unit;
  const IndexRange part = digits.NextPart(shared.position_parts, shared.positions);
  unit.positions = {shared.first_position + part.begin, shared.first_position + part.end};
  unit.rows = digits.NextPart(shared.row_parts, shared.PaddedRows());
  unit.depth = digits.Next(shared.depths);
  unit.plane = digits.number;
  return unit;
}

}  // namespace anydml::window::gradient
