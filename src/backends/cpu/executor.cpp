// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cpu/executor.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "backends/cpu/float_environment.h"
#include "base/checked_math.h"

namespace anydml::cpu {

struct Executor::Arena {
  explicit Arena(int threads) : tasks(threads) {}
  tbb::task_arena tasks;
};

Executor::Executor(int threads)
    : threads_(threads > 0 ? threads : tbb::this_task_arena::max_concurrency()) {
  if (threads_ > 1) arena_ = std::make_unique<Arena>(threads_);
}

Executor::~Executor() = default;

void Executor::ParallelFor(uint64_t count, uint64_t grain, RangeBody body) const {
  grain = std::max<uint64_t>(grain, 1);
  // Four pieces per thread even out a busy core; more would only cost hand-overs.
  const uint64_t most_pieces = static_cast<uint64_t>(threads_) * 4;
  const uint64_t pieces = std::min(count / grain, most_pieces);
  if (threads_ == 1 || pieces <= 1) {
    const ScopedDefaultFloatEnvironment guard;
    body(0, count);
    return;
  }
  const uint64_t length = CeilDivide(count, pieces);
  arena_->tasks.execute([&] {
    tbb::parallel_for(
        uint64_t{0}, pieces,
        [&](uint64_t piece) {
          const ScopedDefaultFloatEnvironment guard;
          const uint64_t begin = std::min(piece * length, count);
          body(begin, std::min(begin + length, count));
        },
        tbb::simple_partitioner());
  });
}

}  // namespace anydml::cpu
