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

// Calls body(offsets, count) for pieces of rows that cover the loop. offsets[t]
// is the element offset in tensor t of the first of `count` elements, which lie
// at the inner strides.
template <int N, typename Body>
void ForEachRowPiece(const StridedLoop<N>& loop, const Executor& executor, const Body& body) {
  const uint64_t length = loop.inner_size();
  const uint64_t pieces_per_row = CeilDivide(length, kElementsPerUnit);
  const uint64_t piece = CeilDivide(length, pieces_per_row);
  const uint64_t grain = std::max<uint64_t>(1, kElementsPerUnit / piece);
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
  });
}

}  // namespace anydml::cpu
