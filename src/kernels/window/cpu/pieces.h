// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Shares rows of equal length among threads, for kernels that find their own
// way from a row's number to its memory. Names no operator.
#pragma once

#include <algorithm>
#include <cstdint>

#include "backends/cpu/executor.h"
#include "backends/cpu/rows.h"
#include "base/checked_math.h"

namespace anydml::cpu {

// Calls body(row, first, count) for pieces that cover `rows` rows of `length`
// elements. `work` is the cost of one element in units of a plain copy's; a row
// is not cut below 64 elements, which fill the vectors.
template <typename Body>
void ForEachPiece(int64_t rows, int64_t length, uint64_t work, const Executor& executor,
                  const Body& body) {
  const uint64_t elements = std::max<uint64_t>(1, kElementsPerUnit / std::max<uint64_t>(work, 1));
  const uint64_t pieces_per_row =
      CeilDivide(static_cast<uint64_t>(length), std::max<uint64_t>(64, elements));
  const uint64_t piece = CeilDivide(static_cast<uint64_t>(length), pieces_per_row);
  executor.ParallelFor(static_cast<uint64_t>(rows) * pieces_per_row, elements / piece,
                       [&](uint64_t begin, uint64_t end) {
                         for (uint64_t unit = begin; unit < end; ++unit) {
                           const auto first = static_cast<int64_t>(unit % pieces_per_row * piece);
                           const int64_t count =
                               std::min(static_cast<int64_t>(piece), length - first);
                           if (count > 0) {
                             body(static_cast<int64_t>(unit / pieces_per_row), first, count);
                           }
                         }
                       });
}

}  // namespace anydml::cpu
