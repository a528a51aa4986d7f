// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Runs a small program once for every allocation that it makes, in a process of
// its own where that allocation fails. Whatever fails, the program must hear of it
// as the interface documents, work when it is run again, and leave nothing behind.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "faults/failing_calls.h"

namespace anydml::faults {

enum class Verdict {
  kDone,         // and the results were right
  kOutOfMemory,  // the code that the interface documents, and a sentence
  kOther         // anything else
};

// Takes no memory, since none may be left when it is made.
struct Answer {
  Verdict verdict = Verdict::kDone;
  char sentence[200] = "";

  static Answer Of(Verdict verdict, std::string_view sentence);
};

// From opening a device to closing it. Must take no memory of its own and throw
// nothing; what it prepares, it prepares before.
using Program = std::function<Answer()>;

struct Options {
  Threads threads = Threads::kAll;
  // With worker threads the moment of their own allocations is not determined.
  bool counts_leaks = true;
  // What happens before failures begin, in the same process.
  std::function<void()> prepare = [] {};
  bool also_all_from_there = true;
  // Every allocation fails up to this number; after it those at steps of an eighth.
  int64_t every_one_up_to = 2000;
};

// Reports through GoogleTest, and prints how many failures were injected.
void FailEverywhere(const std::string& name, const Program& program, const Options& options = {});

// The same for the creation of threads. The program may answer that all is well,
// where the work is done by fewer threads.
int64_t FailEveryThread(const std::string& name, const Program& program);

}  // namespace anydml::faults
