// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Shares the rows of a placed loop (tensor/placed_loop.h) among threads: for each
// piece of a row, which elements of the input land on it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "backends/cpu/rows.h"
#include "tensor/placed_loop.h"

namespace anydml::cpu {

// Coordinates [begin, end) of a row, of which elements [from, to) take their
// place and all others are zero.
struct PlacedRowPiece {
  int64_t output;  // element offset of coordinate 0 of the row in the output
  int64_t input;   // element offset of element 0 of the row in the input
  uint64_t begin;
  uint64_t end;
  uint64_t from;
  uint64_t to;
};

// Walks the coordinates of the outer axes in order, starting anywhere: divisions
// for the axes whose coordinate changes, which is one per step nearly always. The
// axes inside are a row, or several that make a block.
class PlacedRowWalk {
 public:
  PlacedRowWalk(const PlacedLoop& loop, uint32_t outer_rank, uint64_t row)
      : loop_(loop), outer_rank_(outer_rank), input_(loop.input_start) {
    for (uint32_t i = outer_rank; i-- > 0;) {
      MoveTo(i, static_cast<uint32_t>(row % loop.axes[i].size));
      row /= loop.axes[i].size;
    }
  }

  void Next() {
    for (uint32_t i = outer_rank_; i-- > 0;) {
      if (position_[i] + 1 < loop_.axes[i].size) return Step(i);
      MoveTo(i, 0);
    }
  }

  // Whether the row crosses the window; only then is input() an element.
  bool HasElements() const { return misses_ == 0; }
  int64_t output() const { return output_; }
  int64_t input() const { return input_; }

 private:
  void MoveTo(uint32_t i, uint32_t position) {
    const PlacedAxis& axis = loop_.axes[i];
    const uint64_t below = ElementsBelow(axis, position);
    const auto element = static_cast<int64_t>(std::min<uint64_t>(below, axis.count - 1));
    output_ += (int64_t{position} - int64_t{position_[i]}) * axis.output_stride;
    input_ += (element - element_[i]) * axis.input_stride;
    position_[i] = position;
    element_[i] = element;
    next_[i] = below < axis.count ? CoordinateOf(axis, below) : kNone;
    NoteMiss(i);
  }

  // To the next coordinate, without the divisions of MoveTo.
  void Step(uint32_t i) {
    const PlacedAxis& axis = loop_.axes[i];
    if (position_[i] == next_[i]) {
      const bool last = element_[i] + 1 == axis.count;
      next_[i] = last ? kNone : next_[i] + axis.step;
      element_[i] += last ? 0 : 1;
      input_ += last ? 0 : axis.input_stride;
    }
    ++position_[i];
    output_ += axis.output_stride;
    NoteMiss(i);
  }

  void NoteMiss(uint32_t i) {
    const bool hit = position_[i] == next_[i];
    misses_ = (misses_ & ~(1u << i)) | (hit ? 0u : 1u << i);
  }

  static constexpr uint64_t kNone = ~uint64_t{0};

  const PlacedLoop& loop_;
  uint32_t outer_rank_;
  std::array<uint32_t, kMaxDimensions> position_ = {};
  std::array<int64_t, kMaxDimensions> element_ = {};  // the next one, or the last
  std::array<uint64_t, kMaxDimensions> next_ = {};    // its coordinate, if it is still to come
  uint32_t misses_ = 0;  // one bit per axis whose coordinate has no element
  int64_t output_ = 0;
  int64_t input_;
};

// Calls body(piece) for pieces that cover the output, each coordinate
// once. Short rows are grouped, long rows are cut.
template <typename Body>
void ForEachPlacedRowPiece(const PlacedLoop& loop, const Executor& executor, const Body& body) {
  const PlacedAxis& inner = loop.inner();
  const uint64_t length = inner.size;
  const uint64_t pieces_per_row = CeilDivide(length, kElementsPerUnit);
  const uint64_t step = CeilDivide(length, pieces_per_row);
  const uint64_t grain = std::max<uint64_t>(1, kElementsPerUnit / step);
  executor.ParallelFor(loop.RowCount() * pieces_per_row, grain, [&](uint64_t begin, uint64_t end) {
    PlacedRowWalk walk(loop, loop.rank - 1, begin / pieces_per_row);
    uint64_t part = begin % pieces_per_row;
    for (uint64_t unit = begin; unit < end; ++unit) {
      PlacedRowPiece piece = {walk.output(), walk.input(), part * step, 0, 0, 0};
      piece.end = std::min(piece.begin + step, length);
      if (walk.HasElements()) {
        piece.from = ElementsBelow(inner, piece.begin);
        piece.to = ElementsBelow(inner, piece.end);
      }
      if (piece.begin < piece.end) body(piece);
      if (++part == pieces_per_row) {
        part = 0;
        walk.Next();
      }
    }
  });
}

}  // namespace anydml::cpu
