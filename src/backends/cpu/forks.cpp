// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cpu/forks.h"

#include <pthread.h>
#include <sched.h>

#include <atomic>

namespace anydml::cpu {
namespace {

constexpr size_t kCounters = 64;
struct alignas(64) Counter {
  std::atomic<int64_t> inside{0};
};

Counter counters[kCounters];
std::atomic<bool> is_forking{false};
std::atomic<pthread_t> forker{};  // while somebody forks
std::atomic<uint32_t> depth{0};
std::atomic<bool> is_lost{false};
pthread_mutex_t one_fork = PTHREAD_MUTEX_INITIALIZER;  // several threads may fork at once
bool someone_is_inside = false;                        // guarded by one_fork

// Any spread of threads over the counters will do.
std::atomic<int64_t>& CounterOfThread() {
  const auto self = static_cast<uint64_t>(pthread_self());
  return counters[(self >> 8) * 0x9E3779B97F4A7C15u >> 58].inside;
}

// Whether the thread is inside: a value of the thread's own that takes no memory, as
// thread_local does where the library was loaded by dlopen. There are few such values;
// without one, a thread is counted as often as it comes in.
//
// Never deleted: the library is not unloaded (nodelete), and while a process exits other
// threads go on, the queues' too. A key that is gone may come back as another library's,
// whose value they would then overwrite.
struct Mark {
  pthread_key_t key = 0;
  bool exists = pthread_key_create(&key, nullptr) == 0;
};
const Mark mark;

bool IsInside() { return mark.exists && pthread_getspecific(mark.key) != nullptr; }

void SetInside(bool inside) {
  if (mark.exists) pthread_setspecific(mark.key, inside ? &mark : nullptr);
}

void Leave() {
  CounterOfThread().fetch_sub(1, std::memory_order_release);
  SetInside(false);
}

void Enter() {
  std::atomic<int64_t>& counter = CounterOfThread();
  for (;;) {
    counter.fetch_add(1, std::memory_order_seq_cst);
    if (!is_forking.load(std::memory_order_seq_cst)) break;
    // Handlers of other libraries may call from within the fork; waiting for
    // oneself would not end.
    if (pthread_equal(forker.load(std::memory_order_relaxed), pthread_self())) break;
    counter.fetch_sub(1, std::memory_order_release);
    while (is_forking.load(std::memory_order_acquire)) sched_yield();
  }
  SetInside(true);
}

// The memory of a process is not copied in one instant. So from here on nobody
// comes in; whoever is inside already is found by the sum.
void BeforeFork() {
  pthread_mutex_lock(&one_fork);
  forker.store(pthread_self(), std::memory_order_relaxed);
  is_forking.store(true, std::memory_order_seq_cst);
  int64_t sum = 0;
  for (const Counter& counter : counters) sum += counter.inside.load(std::memory_order_seq_cst);
  someone_is_inside = sum != (IsInside() ? 1 : 0);
}

void AfterForkInParent() {
  is_forking.store(false, std::memory_order_release);
  pthread_mutex_unlock(&one_fork);
}

void AfterForkInChild() {
  for (Counter& counter : counters) counter.inside.store(0, std::memory_order_relaxed);
  if (IsInside()) CounterOfThread().store(1, std::memory_order_relaxed);
  if (someone_is_inside) is_lost.store(true, std::memory_order_relaxed);
  depth.fetch_add(1, std::memory_order_relaxed);
  AfterForkInParent();
}

// While the library is loaded, before anyone can be inside. Without memory for
// this the library works, and a fork is as dangerous as POSIX says.
[[maybe_unused]] const int registered =
    pthread_atfork(BeforeFork, AfterForkInParent, AfterForkInChild);

}  // namespace

InsideLibrary::InsideLibrary() {
  if (IsInside()) return;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state_);
  Enter();
  is_first_ = true;
}

InsideLibrary::~InsideLibrary() {
  if (!is_first_) return;
  Leave();
  pthread_setcancelstate(cancel_state_, nullptr);
}

OutsideLibrary::OutsideLibrary() : was_inside_(IsInside()) {
  if (was_inside_) Leave();
}

OutsideLibrary::~OutsideLibrary() {
  if (was_inside_) Enter();
}

uint32_t ForkDepth() { return depth.load(std::memory_order_relaxed); }

bool IsLostInFork() { return is_lost.load(std::memory_order_relaxed); }

}  // namespace anydml::cpu
