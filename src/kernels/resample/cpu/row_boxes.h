// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How a nest of rows (tensor/row_nest.h) is cut into units of work: each makes a
// box of target indices of one plane, and what lies between its sums fits into a
// scratch memory of the size of a near cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "tensor/axis_sums.h"

namespace anydml::cpu {

// Rows that go through the sums within rows together.
inline constexpr uint64_t kRowsTogether = 16;
// Terms of a sum that are at hand at once; longer sums go on in pieces.
inline constexpr uint64_t kTermsTogether = 64;
// Source lanes of a row that is transposed.
inline constexpr uint64_t kMostColumns = 272;
// On the stack of each thread. Boxes that stay reasonably large keep to the first
// part, which leaves the nearest cache some room.
inline constexpr uint64_t kScratchFloats = 24576;
inline constexpr uint64_t kNearScratchFloats = 6144;

// Where rows are made in the order of memory: lanes whose look-ups are prepared.
inline constexpr uint64_t kMostPreparedLanes = 512;

struct IndexSpan {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t size() const { return end - begin; }
};

struct RowBoxes {
  std::array<uint64_t, kMaxSumAxes> targets = {};  // of each level, at most
  uint64_t lanes = 0;                              // of the target, at most
  uint64_t planes = 1;                             // only rows without levels go together

  // Level j keeps what it adds, items of item[j] floats, in slots[j] slots, a
  // power of two; 0 where it reads the tensor. All in floats from the scratch
  // memory's begin.
  std::array<uint64_t, kMaxSumAxes> slots = {};
  std::array<uint64_t, kMaxSumAxes> item = {};
  std::array<uint64_t, kMaxSumAxes> slots_at = {};
  std::array<uint64_t, kMaxSumAxes> sums_at = {};  // of a sum that goes on in pieces
  uint64_t rows_at = 0;                            // that wait for the lanes' turn
  uint64_t stores_at = 0;                          // that go to the tensor after it

  uint64_t PieceOf(uint32_t level) const {
    return slots[level] == 0 ? kTermsTogether : std::min(slots[level], kTermsTogether);
  }
};

// One unit of work: the targets of a box.
struct RowUnit {
  IndexSpan planes;
  std::array<IndexSpan, kMaxSumAxes> targets = {};  // of each level
  IndexSpan lanes;
  IndexSpan window;  // the source lanes that they read
};

// What level j adds, for every level, and last what all of them make.
struct ItemShape {
  uint64_t rows;
  uint64_t pitch;     // floats from row to row
  uint64_t floats;    // of all rows
  bool side_by_side;  // its rows would lie so in the target tensor
};
using ItemShapes = std::array<ItemShape, kMaxSumAxes + 1>;

// Element offsets of a plane's begin.
struct PlaneOffsets {
  int64_t source = 0;
  int64_t target = 0;
};

// Why no box fits; empty if one does.
std::string_view RefuseRowBoxes(const RowNest& nest);
RowBoxes MakeRowBoxes(const RowNest& nest, const AxisSumsTables& tables, uint64_t threads);
uint64_t UnitCount(const RowNest& nest, const RowBoxes& boxes);
RowUnit UnitOf(const RowNest& nest, const AxisSumsTables& tables, const RowBoxes& boxes,
               uint64_t unit);
ItemShapes ShapesOf(const RowNest& nest, const RowUnit& unit);
PlaneOffsets OffsetsOf(const RowNest& nest, uint64_t plane);

// The source lanes that a range of target lanes reads.
IndexSpan WindowOf(const RowNest& nest, const AxisSumsTables& tables, IndexSpan lanes);

// Floats of a row: as they lie in the tensor, or rounded up to whole vectors
// once lanes have been summed.
inline uint64_t PitchOf(uint64_t lanes, bool summed) {
  return summed ? (lanes + LaneTable::kMostLanesOfAVector - 1) / LaneTable::kMostLanesOfAVector *
                      LaneTable::kMostLanesOfAVector
                : lanes;
}

}  // namespace anydml::cpu
