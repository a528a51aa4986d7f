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

  bool Start() {
    if (is_started) return true;
    if (!CanStartThreads(threads - 1) || !HasMemoryToStart() || !IsTbbReady()) return false;
    tasks.execute([this] {
      tbb::parallel_for(
          0, 2 * threads, [](int) {}, tbb::simple_partitioner());
    });
    is_started = true;
    return true;
  }

  tbb::task_arena tasks;
  const int threads;
  bool is_started = false;
};

namespace {

// TBB does not give back all that an arena took, so arenas are used again: there are as
// many of a thread count as were in use at once. (One for all would have its threads
// shared by devices that could have more.) Never destroyed: threads may still be at
// work while the process exits.
class Pool {
 public:
  using State = std::unique_ptr<Arena::State>;

  State Take(int threads) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(free_, threads, [](const State& s) { return s->threads; });
    if (found != free_.end()) {
      State state = std::move(*found);
      free_.erase(found);
      return state;
    }
    free_.reserve(made_ + 1);  // returning must not fail
    auto state = std::make_unique<Arena::State>(threads);
    ++made_;
    return state;
  }

  void Return(State state) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(state));
  }

  size_t made() const {
    const std::lock_guard lock(mutex_);
    return made_;
  }

  static Pool& Shared() {
    static Pool& pool = *new Pool;
    return pool;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<State> free_;
  size_t made_ = 0;
};

}  // namespace

Arena::Arena(int threads) : threads_(threads) {}

Arena::~Arena() {
  if (state_ != nullptr) Pool::Shared().Return(std::move(state_));
}

bool Arena::HasThreads() {
  std::call_once(tried_, [this]() noexcept {
    try {
      state_ = Pool::Shared().Take(threads_);
      has_threads_ = state_->Start();
    } catch (const std::exception&) {
      // The calling thread does everything.
    }
  });
  return has_threads_;
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

size_t Arena::MadeSoFar() { return Pool::Shared().made(); }

}  // namespace anydml::cpu
