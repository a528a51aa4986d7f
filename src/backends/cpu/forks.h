// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a fork leaves of the library. A child has the memory of its parent and of
// its threads only the one that forked: a lock that another thread held stays
// locked, and TBB's workers and the threads of queues are gone.
//
// Threads say when they are inside of the library. If at a fork none is, every
// lock is free and every structure whole: the child works, on its calling thread
// alone. Else the child is lost: it touches nothing and refuses in words.
//
// Functions of anydml.h and tasks of queues say so. Objects of Direct3D 12 and
// DirectML are not meant to outlive a fork: in a child their queues refuse work.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/result.h"

namespace anydml::cpu {

// The calling thread is inside of the library as long as this object lives. The
// start waits while another thread forks; a fork waits for nobody.
class InsideLibrary {
 public:
  InsideLibrary();
  ~InsideLibrary() { counter_->fetch_sub(1, std::memory_order_release); }
  InsideLibrary(const InsideLibrary&) = delete;
  InsideLibrary& operator=(const InsideLibrary&) = delete;

 private:
  std::atomic<int64_t>* const counter_;  // one of several, lest threads share a cache line
};

// How many forks lie between this process and the one that loaded the library.
// Threads that were started at another depth are not here.
uint32_t ForkDepth();

// Whether a fork came while another thread was inside of the library.
bool IsLostInFork();
Error LostInFork();

}  // namespace anydml::cpu
