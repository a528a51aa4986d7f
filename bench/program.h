// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The benchmark as a program: its options, its loop over the rows, its files.
// Shared by bench/main.cpp, which adds the peers, and by `anydml bench`.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "bench/measure_row.h"

namespace CLI {
class App;
}

namespace anydml::bench {

struct Options {
  Selection selection;
  MeasureOptions measure;
  bool all = false;   // every case, not only the core set
  bool list = false;  // only the names of the rows
  int random = 0;     // so many random rows of every operator instead of the cases
  uint64_t seed = 1;  // of these
  int passes = 1;     // over all rows, so that no slow minute of the machine counts alone
  // File to write when all rows are measured: an interruption leaves the old one as
  // it was. Empty: none.
  std::string json;
};

void AddOptions(CLI::App& app, Options& options);

// Standard output, and one sentence at a time on standard error.
struct Console {
  std::function<void(std::string_view)> print;
  std::function<void(std::string_view)> complain;
};

// 0, or 1 when a row could not be measured or a file could not be written.
int RunBench(Options options, std::span<const Peer> peers, const Console& console);

}  // namespace anydml::bench
