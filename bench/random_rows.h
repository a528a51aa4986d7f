// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rows of random plausible descriptions, to find what the chosen cases do not show.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "bench/row.h"

namespace anydml::bench {

// The rows point into the cases, and these into the names.
struct RandomRows {
  std::deque<std::string> names;
  std::deque<BenchCase> cases;
  std::vector<Row> rows;
};

// `count` rows of every operator, of those that `selection` names. The same seed gives
// the same rows; an operator's do not depend on the others.
RandomRows MakeRandomRows(const Selection& selection, int count, uint64_t seed);

}  // namespace anydml::bench
