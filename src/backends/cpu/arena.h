// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The threads of an executor, in two implementations: arena_tbb.cpp, and
// arena_threads.cpp for ThreadSanitizer.
#pragma once

#include <cstdint>
#include <memory>

#include "backends/cpu/range_body.h"

namespace anydml::cpu {

class Arena {
 public:
  // So many with the calling one.
  explicit Arena(int threads);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Whether there are threads beside the calling one; tried at the first call.
  bool HasThreads();

  // Calls body for [0, length), [length, 2 * length) and so on up to count, each once,
  // on any of the threads; returns when all are done. Only where HasThreads().
  void ForEachPiece(uint64_t count, uint64_t length, RangeBody body);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace anydml::cpu
