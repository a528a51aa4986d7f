// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The threads of an executor, in two implementations: arena_tbb.cpp, and
// arena_threads.cpp for ThreadSanitizer. What TBB needs for them is taken at the first
// work and used again by others when the arena is gone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

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

  // How many of TBB's arenas the process has, those that wait for use included.
  static size_t MadeSoFar();

  struct State;

 private:
  const int threads_;
  std::once_flag tried_;
  bool has_threads_ = false;
  std::unique_ptr<State> state_;  // null before the first call of HasThreads
};

}  // namespace anydml::cpu
