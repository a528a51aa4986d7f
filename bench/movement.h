// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the memory gives: reads as many bytes as an operator does and writes as many, and
// computes nothing. A copy reads half of its bytes; most operators read more than that.
#pragma once

#include "backends/cpu/executor.h"
#include "bench/memory.h"
#include "bench/row.h"

namespace anydml::bench {

class Movement {
 public:
  explicit Movement(RowBytes bytes);

  // Non-temporal stores where operators of this size do.
  void Run(const cpu::Executor& executor);

  const Buffer& written() const { return to_; }

 private:
  Buffer from_;
  Buffer to_;
};

}  // namespace anydml::bench
