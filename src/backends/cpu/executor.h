// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Threads for CPU kernels. A kernel describes its work as a range of
// independent units; every output element belongs to exactly one unit, so the
// result cannot depend on how the range is cut.
#pragma once

#include <cstdint>
#include <memory>

#include "backends/cpu/arena.h"
#include "backends/cpu/range_body.h"

namespace anydml::cpu {

// How work is cut: into a few pieces per thread, none smaller than is worth a
// hand-over; or, so that a test's small tensors are shared by threads too and cut
// wherever a kernel may be cut, into single units (long ranges into 64 pieces).
enum class Cut { kWorthwhile, kEverywhere };

// Cores that the process may run on: no executor has more threads at work.
int AvailableCores();

class Executor {
 public:
  // 0 means one thread per core.
  explicit Executor(int threads, Cut cut = Cut::kWorthwhile);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  int threads() const { return threads_; }

  // Calls body(begin, end) for pieces that cover [0, count); pieces hold at
  // least `grain` units where possible (see Cut). Runs on the calling thread alone when
  // there is one thread or one piece. Every piece runs with the default
  // floating-point environment: IEEE rounding, no flush to zero, whatever the
  // application has set. In a forked child the calling thread does everything.
  void ParallelFor(uint64_t count, uint64_t grain, RangeBody body) const;

 private:
  uint64_t PiecesFor(uint64_t count, uint64_t grain) const;

  int threads_;
  Cut cut_;
  uint32_t fork_depth_;  // where the arena's threads are
  std::unique_ptr<Arena> arena_;
};

}  // namespace anydml::cpu
