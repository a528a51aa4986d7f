// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Shares the rows of a strided loop among threads. Names no operator; the body
// is the operator's own row.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "backends/cpu/executor.h"
#include "base/checked_math.h"
#include "tensor/strided_loop.h"

namespace anydml::cpu {

// Long rows are cut, short rows are grouped, into units of about this many
// elements: enough to pay for a hand-over between threads.
inline constexpr uint64_t kElementsPerUnit = 16384;

// The same for kernels that do little more than move their elements, where N
// tensors of T are walked together: below about a megabyte, read and written, a
// hand-over costs more than half of the work.
template <typename T, int N>
inline constexpr uint64_t kMovedElementsPerUnit = (uint64_t{1} << 19) / (N * sizeof(T));

struct Nothing {
  void operator()() const {}
};

// Calls body(offsets, count) for pieces of rows that cover the loop. offsets[t]
// is the element offset in tensor t of the first of `count` elements, which lie
// at the inner strides. A thread calls after() when it is done with its share.
template <int N, typename Body, typename After = Nothing>
void ForEachRowPiece(const StridedLoop<N>& loop, const Executor& executor, const Body& body,
                     uint64_t elements_per_unit = kElementsPerUnit, const After& after = {}) {
  // Pieces of whole lines keep the alignment of their row.
  constexpr uint64_t kMaxElementsPerLine = 64;
  const uint64_t length = loop.inner_size();
  const uint64_t pieces_per_row = CeilDivide(length, elements_per_unit);
  const uint64_t piece =
      CeilDivide(CeilDivide(length, pieces_per_row), kMaxElementsPerLine) * kMaxElementsPerLine;
  const uint64_t grain = std::max<uint64_t>(1, elements_per_unit / std::min(piece, length));
  executor.ParallelFor(loop.RowCount() * pieces_per_row, grain, [&](uint64_t begin, uint64_t end) {
    RowWalk<N> walk(loop, begin / pieces_per_row);
    uint64_t part = begin % pieces_per_row;
    for (uint64_t unit = begin; unit < end; ++unit) {
      const uint64_t first = part * piece;
      std::array<int64_t, N> offsets = walk.offsets();
      for (int t = 0; t < N; ++t) {
        offsets[t] += static_cast<int64_t>(first) * loop.inner_stride(t);
      }
      if (first < length) body(offsets, std::min(piece, length - first));
      if (++part == pieces_per_row) {
        part = 0;
        walk.Next();
      }
    }
    after();
  });
}

}  // namespace anydml::cpu
