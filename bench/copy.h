// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The yardstick: a copy that moves as many bytes as the operator does.
#pragma once

#include "backends/cpu/executor.h"
#include "bench/memory.h"

namespace anydml::bench {

// Reads half of the bytes and writes the other half.
class Copy {
 public:
  explicit Copy(uint64_t bytes_moved);

  // By memcpy.
  void Library(const cpu::Executor& executor);
  // With plain stores whatever the size.
  void Plain(const cpu::Executor& executor);
  // With stores that go past the caches: faster where the data is far larger.
  void NonTemporal(const cpu::Executor& executor);

 private:
  Buffer from_;
  Buffer to_;
};

}  // namespace anydml::bench
