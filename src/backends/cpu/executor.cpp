// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cpu/executor.h"

#include <sched.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "backends/cpu/forks.h"
#include "base/checked_math.h"
#include "base/float_environment.h"

namespace anydml::cpu {

namespace {

// Those that the process may run on. (TBB knows too, but what it does for its first
// caller, it never finishes when there is no memory for it, and all others wait.)
int AvailableCores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(1, CPU_COUNT(&cores));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Whether so many threads can be started at once.
bool CanStartThreads(int count) {
  std::vector<std::thread> threads;
  bool started = true;
  try {
    threads.reserve(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) threads.emplace_back([] {});
  } catch (const std::exception&) {
    started = false;
  }
  for (std::thread& thread : threads) thread.join();
  return started;
}

// TBB loads libraries when it starts, and the C library does not survive that when
// there is no memory at all.
bool HasMemoryToStart() {
  constexpr size_t kEnough = size_t{1} << 20;
  void* memory = std::malloc(kEnough);
  const bool enough = memory != nullptr;
  std::free(memory);
  return enough;
}

// Whether TBB knows the machine; tried once, since a second try would not return.
bool IsTbbReady() {
  static const bool ready = [] {
    try {
      return tbb::info::default_concurrency() > 0;
    } catch (const std::exception&) {
      return false;
    }
  }();
  return ready;
}

}  // namespace

// TBB starts its threads in the middle of the first work, and fails there when it
// cannot. So they are started before, with work of which nothing depends; without
// them the calling thread does everything.
struct Executor::Arena {
  explicit Arena(int threads) : tasks(threads), threads_(threads) {}

  bool HasThreads() {
    std::call_once(tried_, [this] { has_threads_ = Start(); });
    return has_threads_;
  }

  tbb::task_arena tasks;

 private:
  bool Start() noexcept {
    try {
      if (!CanStartThreads(threads_ - 1) || !HasMemoryToStart() || !IsTbbReady()) return false;
      tasks.execute([this] {
        tbb::parallel_for(
            0, 2 * threads_, [](int) {}, tbb::simple_partitioner());
      });
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }

  const int threads_;
  std::once_flag tried_;
  bool has_threads_ = false;
};

namespace {

// A forked child has none of TBB's workers, and TBB's locks may be held by one of
// them: nothing of TBB is touched there.
int ThreadsFor(int wanted) {
  if (ForkDepth() != 0) return 1;
  return wanted > 0 ? wanted : AvailableCores();
}

}  // namespace

Executor::Executor(int threads) : threads_(ThreadsFor(threads)), fork_depth_(ForkDepth()) {
  if (threads_ == 1) return;
  // More than the cores would not run anyway, and TBB complains about them on
  // standard error.
  const int cores = AvailableCores();
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
  const bool alone = arena_ == nullptr || wanted <= 1 || ForkDepth() != fork_depth_;
  if (alone || !arena_->HasThreads()) {
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
