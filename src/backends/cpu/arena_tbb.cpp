// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "backends/cpu/arena.h"
#include "base/checked_math.h"

namespace anydml::cpu {

namespace {

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
struct Arena::State {
  explicit State(int count) : tasks(count), threads(count) {}

  bool Start() noexcept {
    try {
      if (!CanStartThreads(threads - 1) || !HasMemoryToStart() || !IsTbbReady()) return false;
      tasks.execute([this] {
        tbb::parallel_for(
            0, 2 * threads, [](int) {}, tbb::simple_partitioner());
      });
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }

  tbb::task_arena tasks;
  const int threads;
  std::once_flag tried;
  bool has_threads = false;
};

Arena::Arena(int threads) : state_(std::make_unique<State>(threads)) {}
Arena::~Arena() = default;

bool Arena::HasThreads() {
  std::call_once(state_->tried, [this] { state_->has_threads = state_->Start(); });
  return state_->has_threads;
}

void Arena::ForEachPiece(uint64_t count, uint64_t length, RangeBody body) {
  state_->tasks.execute([&] {
    tbb::parallel_for(
        uint64_t{0}, CeilDivide(count, length),
        [&](uint64_t piece) {
          const uint64_t begin = piece * length;
          body(begin, std::min(begin + length, count));
        },
        tbb::simple_partitioner());
  });
}

}  // namespace anydml::cpu
