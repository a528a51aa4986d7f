// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Results as a table for people and as JSON for programs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/measure_row.h"

namespace anydml::bench {

// What a row has to reach, and what of it it does not.
struct Verdict {
  std::vector<std::string> targets;  // "floor 1.15x", "peer 2x", "packed 1.3x", "2 us"
  std::vector<std::string> missed;
};

// `all` may hold the same case in the packed layout, which the other layouts are
// measured against: as ratios to the floor of their own run.
Verdict Judge(const RowResult& result, std::span<const RowResult> all);

// Lines of one width each, so that they can be printed as they come.
std::string TableHeading();
std::string TableLine(const RowResult& result, std::span<const RowResult> all);

// "125 rows: 80 meet their targets, 30 miss one, 15 have none"
std::string Summary(std::span<const RowResult> results);

// A line per operator: how many rows, and the copies that the one in the middle and the
// slowest take.
std::string SummaryByOperator(std::span<const RowResult> results);

// An array of rows.
std::string ToJson(std::span<const RowResult> results);

}  // namespace anydml::bench
