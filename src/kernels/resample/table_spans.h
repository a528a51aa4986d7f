// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Tables of sums along axes on their way to another device's library: of each
// axis the arrays `begin` and `terms`.
#pragma once

#include <algorithm>

#include "kernels/strategy.h"
#include "tensor/axis_sums.h"

namespace anydml {

inline TableSpans SpansOf(const AxisSumsTables& tables) {
  static_assert(2 * kMaxSumAxes <= std::tuple_size_v<TableSpans>);
  TableSpans spans;
  for (uint32_t i = 0; i < kMaxSumAxes; ++i) {
    const TermTable& axis = tables.axes[i];
    spans[2 * i] = {axis.begin.data(), axis.begin.size() * sizeof(uint32_t)};
    spans[2 * i + 1] = {axis.terms.data(), axis.terms.size() * sizeof(Term)};
  }
  return spans;
}

// A copy of these parts of the tables.
inline AxisSumsTables TablesOf(const TableSpan* spans) {
  AxisSumsTables tables;
  for (uint32_t i = 0; i < kMaxSumAxes; ++i) {
    TermTable& axis = tables.axes[i];
    const auto* begin = static_cast<const uint32_t*>(spans[2 * i].data);
    const auto* terms = static_cast<const Term*>(spans[2 * i + 1].data);
    axis.begin.assign(begin, begin + spans[2 * i].bytes / sizeof(uint32_t));
    axis.terms.assign(terms, terms + spans[2 * i + 1].bytes / sizeof(Term));
    for (uint64_t k = 0; k + 1 < axis.begin.size(); ++k) {
      axis.max_terms = std::max(axis.max_terms, axis.TermCount(k));
    }
  }
  return tables;
}

}  // namespace anydml
