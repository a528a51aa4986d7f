// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cpu/executor.h"

#include <sched.h>

#include <algorithm>
#include <thread>

#include "backends/cpu/forks.h"
#include "base/checked_math.h"
#include "base/float_environment.h"

namespace anydml::cpu {

// (TBB knows too, but what it does for its first caller, it never finishes when there is no
// memory for it, and all others wait.)
int AvailableCores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(1, CPU_COUNT(&cores));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

namespace {

// A forked child has none of TBB's workers, and TBB's locks may be held by one of
// them: nothing of TBB is touched there.
int ThreadsFor(int wanted) {
  if (ForkDepth() != 0) return 1;
  return wanted > 0 ? wanted : AvailableCores();
}

}  // namespace

Executor::Executor(int threads, Cut cut)
    : threads_(ThreadsFor(threads)), cut_(cut), fork_depth_(ForkDepth()) {
  if (threads_ == 1) return;
  // More than the cores would not run anyway, and TBB complains about them on
  // standard error.
  const int cores = AvailableCores();
  if (cores > 1) arena_ = std::make_unique<Arena>(std::min(threads_, cores));
}

Executor::~Executor() {
  if (ForkDepth() != fork_depth_) static_cast<void>(arena_.release());  // see ThreadsFor
}

uint64_t Executor::PiecesFor(uint64_t count, uint64_t grain) const {
  if (cut_ == Cut::kEverywhere) return std::min<uint64_t>(count, 64);
  // Four pieces per thread even out a busy core; more would only cost hand-overs.
  return std::min(count / std::max<uint64_t>(grain, 1), static_cast<uint64_t>(threads_) * 4);
}

void Executor::ParallelFor(uint64_t count, uint64_t grain, RangeBody body) const {
  const uint64_t wanted = PiecesFor(count, grain);
  const bool alone = arena_ == nullptr || wanted <= 1 || ForkDepth() != fork_depth_;
  if (alone || !arena_->HasThreads()) {
    const ScopedDefaultFloatEnvironment guard;
    body(0, count);
    return;
  }
  arena_->ForEachPiece(count, CeilDivide(count, wanted), [&](uint64_t begin, uint64_t end) {
    const ScopedDefaultFloatEnvironment guard;
    body(begin, end);
  });
}

}  // namespace anydml::cpu
