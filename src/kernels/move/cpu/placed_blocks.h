// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The output of a placed loop (tensor/placed_loop.h) as blocks of memory without gaps: all of it
// where it is packed, single rows where rows are padded. Inside a block the rows of the window come
// in ascending order, and all between them is zero, across however many axes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "backends/cpu/executor.h"
#include "kernels/move/cpu/placed_rows.h"

namespace anydml::cpu {

// Walks the rows of the window in a block that the window crosses. Needs axes
// whose output strides leave no gaps; the last one is the row.
class WindowRows {
 public:
  // Starts with the first row that is not wholly below `position`.
  WindowRows(std::span<const PlacedAxis> axes, int64_t input, uint64_t position)
      : outer_(axes.first(axes.size() - 1)), input_(input) {
    if (!outer_.empty()) Seek(position / axes.back().size);  // else the block is a row
  }

  bool done() const { return done_; }
  uint64_t start() const { return start_; }  // position of the row's coordinate 0
  int64_t input() const { return input_; }   // element offset of the row's element 0
  // Rows at equal distances: this one and those behind it on the same axis.
  uint64_t RowsOfGroup() const {
    return outer_.empty() ? 1 : outer_.back().count - element_[outer_.size() - 1];
  }
  uint64_t RowDistance() const {
    return outer_.empty() ? 0 : outer_.back().step * Stride(outer_.size() - 1);
  }
  int64_t InputDistance() const { return outer_.empty() ? 0 : outer_.back().input_stride; }
  void NextGroup() {
    if (outer_.empty()) return SkipAll();
    MoveTo(outer_.size() - 1, 0);
    Advance(outer_.size() - 1);
  }
  void SkipAll() { done_ = true; }

 private:
  // To the first row of the window that is not below row `row` of the block. Apart from
  // the constructor, which is to stay short where blocks are rows.
  [[gnu::noinline]] void Seek(uint64_t row) {
    std::array<uint64_t, kMaxDimensions> at = {};
    for (size_t i = outer_.size(); i-- > 0; row /= outer_[i].size) at[i] = row % outer_[i].size;
    for (size_t i = 0; i < outer_.size(); ++i) {
      const uint64_t element = ElementsBelow(outer_[i], at[i]);
      if (element == outer_[i].count) {
        Advance(i);
        break;
      }
      MoveTo(i, element);
      if (CoordinateOf(outer_[i], element) != at[i]) break;
    }
    for (size_t i = 0; i < outer_.size(); ++i) start_ += outer_[i].first * Stride(i);
  }

  uint64_t Stride(size_t i) const { return static_cast<uint64_t>(outer_[i].output_stride); }

  void MoveTo(size_t i, uint64_t element) {
    const auto distance = static_cast<int64_t>(element) - static_cast<int64_t>(element_[i]);
    start_ += static_cast<uint64_t>(distance) * outer_[i].step * Stride(i);
    input_ += distance * outer_[i].input_stride;
    element_[i] = element;
  }

  // To the next element of the axes outside of `end`.
  void Advance(size_t end) {
    for (size_t i = end; i-- > 0;) {
      if (element_[i] + 1 < outer_[i].count) return MoveTo(i, element_[i] + 1);
      MoveTo(i, 0);
    }
    done_ = true;
  }

  std::span<const PlacedAxis> outer_;
  std::array<uint64_t, kMaxDimensions> element_ = {};
  uint64_t start_ = 0;
  int64_t input_;
  bool done_ = false;
};

// Positions [begin, end) of a block.
struct BlockPiece {
  int64_t output;  // element offset of position 0 in the output
  int64_t input;   // element offset of element 0 in the input
  bool has_elements;
  uint64_t begin;
  uint64_t end;
};

// Calls body(piece, share) for pieces that cover the output, each position once. A
// thread's share of a block is one piece; shares begin with whole lines where the
// block does. A thread makes its share by start(position), counted as if the output
// had no gaps, and calls after() when it is done with it.
template <typename Start, typename Body, typename After>
void ForEachBlockPiece(const PlacedLoop& loop, const Executor& executor, const Start& start,
                       const Body& body, const After& after) {
  constexpr uint64_t kMaxElementsPerLine = 64;
  constexpr uint64_t kUnitBytes = 16384;     // fine enough for equal shares
  constexpr uint64_t kShareBytes = 1 << 18;  // what pays for a hand-over
  const uint64_t length = loop.BlockSize();
  const uint64_t parts = CeilDivide(length, kUnitBytes / loop.element_size);
  const uint64_t step =
      CeilDivide(CeilDivide(length, parts), kMaxElementsPerLine) * kMaxElementsPerLine;
  const uint64_t unit_bytes = std::min(step, length) * loop.element_size;
  const uint64_t grain = std::max<uint64_t>(1, kShareBytes / unit_bytes);
  executor.ParallelFor(loop.BlockCount() * parts, grain, [&](uint64_t begin, uint64_t end) {
    const uint64_t block = begin / parts;
    uint64_t part = begin % parts;
    PlacedRowWalk walk(loop, loop.rank - loop.block_rank, block);
    auto share = start(block * length + std::min(part * step, length - 1));
    for (uint64_t i = begin; i < end; walk.Next()) {
      const uint64_t parts_end = std::min(parts, part + (end - i));
      const uint64_t first = part * step;
      if (first < length) {
        const uint64_t last = std::min(parts_end * step, length);
        body(BlockPiece{walk.output(), walk.input(), walk.HasElements(), first, last}, share);
      }
      i += parts_end - part;
      part = 0;
    }
    after();
  });
}

}  // namespace anydml::cpu
