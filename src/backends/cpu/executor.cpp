// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cpu/executor.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>

#include "backends/cpu/forks.h"
#include "base/checked_math.h"
#include "base/float_environment.h"

namespace anydml::cpu {

struct Executor::Arena {
  explicit Arena(int threads) : tasks(threads) {}
  tbb::task_arena tasks;
};

namespace {

// A forked child has none of TBB's workers, and TBB's locks may be held by one of
// them: nothing of TBB is touched there.
int ThreadsFor(int wanted) {
  if (ForkDepth() != 0) return 1;
  return wanted > 0 ? wanted : tbb::this_task_arena::max_concurrency();
}

}  // namespace

Executor::Executor(int threads) : threads_(ThreadsFor(threads)), fork_depth_(ForkDepth()) {
  if (threads_ == 1) return;
  // More than the cores would not run anyway, and TBB complains about them on
  // standard error.
  const int cores = tbb::info::default_concurrency();
  if (cores > 1) arena_ = std::make_unique<Arena>(std::min(threads_, cores));
}

Executor::~Executor() {
  if (ForkDepth() != fork_depth_) static_cast<void>(arena_.release());  // see ThreadsFor
}

void Executor::ParallelFor(uint64_t count, uint64_t grain, RangeBody body) const {
  grain = std::max<uint64_t>(grain, 1);
  // Four pieces per thread even out a busy core; more would only cost hand-overs.
  const uint64_t most_pieces = static_cast<uint64_t>(threads_) * 4;
  const uint64_t wanted = std::min(count / grain, most_pieces);
  if (arena_ == nullptr || wanted <= 1 || ForkDepth() != fork_depth_) {
    const ScopedDefaultFloatEnvironment guard;
    body(0, count);
    return;
  }
  const uint64_t length = CeilDivide(count, wanted);
  const uint64_t pieces = CeilDivide(count, length);
  // TBB orders the pieces between the caller's before and after. ThreadSanitizer
  // does not see into TBB; this counter says the same in words that it knows.
  std::atomic<uint64_t> ordered{0};
  ordered.store(1, std::memory_order_release);
  arena_->tasks.execute([&] {
    tbb::parallel_for(
        uint64_t{0}, pieces,
        [&](uint64_t piece) {
          ordered.load(std::memory_order_acquire);
          const ScopedDefaultFloatEnvironment guard;
          const uint64_t begin = piece * length;
          body(begin, std::min(begin + length, count));
          ordered.fetch_add(1, std::memory_order_release);
        },
        tbb::simple_partitioner());
  });
  ordered.load(std::memory_order_acquire);
}

}  // namespace anydml::cpu
