// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The yardstick for threads: arithmetic in registers, which touches no memory. What
// it gains from more threads is what the machine has to give at that moment: two
// processors of a virtual machine may be one core, or share theirs with strangers.
#pragma once

#include <cstdint>

#include "backends/cpu/executor.h"

namespace anydml::bench {

class Arithmetic {
 public:
  // So much that one thread takes about that long: a hand-over counts as much as it
  // does for the row.
  explicit Arithmetic(double one_thread_ms);

  void Run(const cpu::Executor& executor) const;

 private:
  uint64_t steps_per_unit_ = 1;
};

}  // namespace anydml::bench
