// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Contestants in turns: every round times each of them once, so that all see the
// same machine; the medians count.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "backends/cpu/executor.h"

namespace anydml::bench {

struct ContestOptions {
  uint64_t bytes = 0;    // that one execution moves
  double seconds = 1.5;  // that the contest may take, 7 rounds apart
  bool warm = false;     // data in the caches, as far as it fits
};

double Median(std::vector<double> values);

// Milliseconds of one execution, roughly.
double RoughTime(const std::function<void()>& run);

// Milliseconds per execution, in the order of the contestants.
//
// All start from the same state of the caches. Cold: they hold nothing of the
// contestant's data, which comes from memory, as that of a long backward pass
// does. Warm: the contestant has just run. Without either, what its predecessor
// left behind would help or hurt it by its place in the order. Executions below
// 1 MiB are timed many at once, and are warm for that.
std::vector<double> HoldContest(const std::vector<std::function<void()>>& contestants,
                                const ContestOptions& options, const cpu::Executor& executor);

}  // namespace anydml::bench
