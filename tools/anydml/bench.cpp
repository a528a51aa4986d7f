// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "bench/program.h"
#include "commands.h"
#include "console.h"

namespace anydml::tool {

int Benchmark(const bench::Options& options) {
  const bench::Console console = {[](std::string_view text) { WriteOutput(text); },
                                  [](std::string_view sentence) { Complain("{}", sentence); }};
  return bench::RunBench(options, {}, console) == 0 ? kSuccess : kFailure;
}

}  // namespace anydml::tool
