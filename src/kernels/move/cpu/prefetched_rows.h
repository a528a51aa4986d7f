// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Prefetches rows of the input of a placed loop that hardware does not foresee:
// where they do not follow one another at ascending addresses, or leave much out
// between them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "kernels/move/cpu/placed_blocks.h"
#include "tensor/placed_loop.h"

namespace anydml::cpu {

// Runs before a thread that writes its share row by row.
class PrefetchedRows {
 public:
  static constexpr uint64_t kBytes = 4096;  // twice as many gain nothing more

  // For a share that begins at `position`, counted as if the output had no gaps.
  PrefetchedRows(const PlacedLoop& loop, const void* input, uint64_t position)
      : rows_(std::span(loop.axes.data(), loop.rank), loop.input_start, position) {
    if (!Accepts(loop)) return;
    size_ = loop.element_size;
    bytes_ = SpanBytes(loop);
    input_ = reinterpret_cast<uintptr_t>(input);
    if (loop.inner().input_stride < 0) input_ -= bytes_ - static_cast<uint64_t>(size_);
    distance_ = rows_.InputDistance() * size_;
    const uint64_t rows_ahead = std::max<uint64_t>(1, kBytes / bytes_);
    BeginGroup();  // a share behind the last row has nothing to prefetch
    Skip(rows_ahead);
  }

  // Called before so many rows are read.
  void Prefetch(uint64_t rows) {
    for (uint64_t i = 0; i < rows && bytes_ != 0; ++i) PrefetchOne();
  }

  // Whether there are such rows, short enough to be prefetched as a whole.
  static bool Accepts(const PlacedLoop& loop) {
    const PlacedAxis& row = loop.inner();
    const uint64_t bytes = SpanBytes(loop);
    const bool dense = row.input_stride != 0 && uint64_t{row.count} * kLine >= bytes;
    if (loop.rank < 2 || !dense || bytes > kBytes) return false;
    for (uint32_t i = 0; i + 1 < loop.rank; ++i) {
      const PlacedAxis& inner = loop.axes[i + 1];
      const bool ascends =
          inner.input_stride > 0 && loop.axes[i].input_stride >= inner.count * inner.input_stride;
      if (loop.axes[i].count > 1 && !ascends) return true;
    }
    const int64_t distance = loop.axes[loop.rank - 2].input_stride * int64_t{loop.element_size};
    // Measured; rows of an output with gaps take longer, and prefetches come on top.
    const uint64_t foreseen_gap = loop.block_rank > 1 ? kLine : 2 * kLine;
    return row.input_stride < 0 || distance >= static_cast<int64_t>(bytes + foreseen_gap);
  }

 private:
  static constexpr uint64_t kLine = 64;

  // From the first element of a row to its last.
  static uint64_t SpanBytes(const PlacedLoop& loop) {
    const auto stride = static_cast<uint64_t>(std::llabs(loop.inner().input_stride));
    return ((loop.inner().count - 1) * stride + 1) * loop.element_size;
  }

  void PrefetchOne() {
    // Into the second-level cache: the nearest one has few places for lines under way.
    const auto* const row = reinterpret_cast<const char*>(row_);
    for (uint64_t i = 0; i < bytes_; i += kLine) __builtin_prefetch(row + i, 0, 2);
    __builtin_prefetch(row + bytes_ - 1, 0, 2);
    Skip(1);
  }

  void BeginGroup() {
    if (rows_.done()) {
      bytes_ = 0;
      return;
    }
    row_ = input_ + static_cast<uintptr_t>(rows_.input() * size_);
    left_ = rows_.RowsOfGroup();
  }

  void Skip(uint64_t rows) {
    for (; bytes_ != 0 && rows >= left_; BeginGroup()) {
      rows -= left_;
      rows_.NextGroup();
    }
    row_ += rows * static_cast<uintptr_t>(distance_);
    left_ -= rows;
  }

  WindowRows rows_;  // one group behind the next row to prefetch
  // Addresses, for they may lie outside the tensor: a prefetch reads nothing.
  uintptr_t input_ = 0;
  uintptr_t row_ = 0;  // the next one to prefetch
  int64_t distance_ = 0;
  int64_t size_ = 0;
  uint64_t bytes_ = 0;  // 0 where there is nothing to prefetch
  uint64_t left_ = 0;   // rows of the group that have not been prefetched
};

}  // namespace anydml::cpu
