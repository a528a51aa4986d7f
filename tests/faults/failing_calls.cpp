// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// In a file of its own: compilers know what malloc does and would not expect this.
#include "faults/failing_calls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>

// What glibc calls its own allocator.
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);
}

namespace anydml::faults {
namespace {

// Counts down to the call that fails; 0 means that none does.
std::atomic<int64_t> allocations_left{0};
std::atomic<int64_t> threads_left{0};
std::atomic<Which> which_fails{Which::kOne};
std::atomic<Threads> whose_fails{Threads::kAll};
std::atomic<bool> has_failed{false};
std::atomic<int64_t> live{0};
thread_local bool is_calling_thread = false;

bool CountDown(std::atomic<int64_t>& left, Which which) {
  int64_t now = left.load();
  while (now > 0) {
    const int64_t next = now == 1 && which == Which::kAllFromThere ? 1 : now - 1;
    if (!left.compare_exchange_weak(now, next)) continue;
    if (now == 1) has_failed = true;
    return now == 1;
  }
  return false;
}

bool AllocationFails() {
  if (allocations_left.load() == 0) return false;
  if (whose_fails.load() == Threads::kCalling && !is_calling_thread) return false;
  return CountDown(allocations_left, which_fails);
}

void* Count(void* memory) {
  if (memory != nullptr) ++live;
  return memory;
}

void* OutOfMemory() {
  errno = ENOMEM;
  return nullptr;
}

}  // namespace

void FailAllocation(int64_t number, Which which, Threads threads) {
  has_failed = false;
  is_calling_thread = true;
  which_fails = which;
  whose_fails = threads;
  allocations_left = number;
}
void OpenCudaLibrary() {
  static constexpr char kFile[] = "/../lib/libanydml_cuda.so";
  static char path[4096 + sizeof kFile];
  const ssize_t length = readlink("/proc/self/exe", path, 4095);
  if (length <= 0) return;
  path[length] = '\0';
  char* slash = std::strrchr(path, '/');
  if (slash == nullptr) return;
  std::memcpy(slash, kFile, sizeof kFile);
  dlopen(path, RTLD_NOW | RTLD_LOCAL);
}
void FailThread(int64_t number) {
  has_failed = false;
  threads_left = number;
}
void StopFailing() {
  allocations_left = 0;
  threads_left = 0;
}
bool HasFailed() { return has_failed; }
int64_t LiveAllocations() { return live; }

}  // namespace anydml::faults

using namespace anydml::faults;  // NOLINT: what follows are the C library's names

extern "C" {

void* malloc(size_t size) { return AllocationFails() ? OutOfMemory() : Count(__libc_malloc(size)); }
void* calloc(size_t count, size_t size) {
  return AllocationFails() ? OutOfMemory() : Count(__libc_calloc(count, size));
}
void* realloc(void* memory, size_t size) {
  if (AllocationFails()) return OutOfMemory();
  void* grown = __libc_realloc(memory, size);
  if (memory == nullptr) return Count(grown);
  if (size == 0 && grown == nullptr) --live;
  return grown;
}
void* memalign(size_t alignment, size_t size) {
  return AllocationFails() ? OutOfMemory() : Count(__libc_memalign(alignment, size));
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** memory, size_t alignment, size_t size) {
  *memory = memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
void free(void* memory) {
  if (memory != nullptr) --live;
  __libc_free(memory);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (CountDown(threads_left, Which::kAllFromThere)) return EAGAIN;
  return create(thread, attributes, start, argument);
}

}  // extern "C"
