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
// Functions of anydml.h, methods of DXCore, Direct3D 12 and DirectML, and tasks of
// queues say so. What a queue would have done stays with the parent: in a child the
// queues of before refuse work, and their fences refuse to be waited for.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/float_environment.h"
#include "base/result.h"

namespace anydml::cpu {

// The calling thread is inside of the library as long as this object lives. The
// start waits while another thread forks; a fork waits for nobody. Within another one
// it does nothing. A thread that itself forks, from a callback, does not lose the child:
// it is there, and leaves what it has begun.
//
// Arithmetic is the default one meanwhile, in callbacks of the program too: neither its
// rounding nor its traps reach a comparison or a conversion anywhere in the library.
// And nobody cancels the thread (pthread_cancel): that would unwind it out of a wait
// that what it holds does not outlive. A request stays, and finds the thread where it
// comes to the next point of cancellation outside.
class InsideLibrary {
 public:
  InsideLibrary();
  ~InsideLibrary();
  InsideLibrary(const InsideLibrary&) = delete;
  InsideLibrary& operator=(const InsideLibrary&) = delete;

 private:
  const ScopedDefaultFloatEnvironment default_floats_;
  bool is_first_ = false;
  int cancel_state_ = 0;  // of the thread outside, where this is the first
};

// For a wait in the midst of the library: whoever forks meanwhile need not mind the
// thread. It must hold no lock, and what it waits with must not be touched in a child.
class OutsideLibrary {
 public:
  OutsideLibrary();
  ~OutsideLibrary();
  OutsideLibrary(const OutsideLibrary&) = delete;
  OutsideLibrary& operator=(const OutsideLibrary&) = delete;

 private:
  const bool was_inside_;
};

// How many forks lie between this process and the one that loaded the library.
// Threads that were started at another depth are not here.
uint32_t ForkDepth();

// Whether a fork came while another thread was inside of the library.
bool IsLostInFork();
inline constexpr std::string_view kLostInFork =
    "this process was forked while another thread of its parent was inside of AnyDML, whose "
    "memory may be half changed here; fork while no other thread is, or start the process anew "
    "(exec, Python's spawn)";
inline Error LostInFork() { return Unsupported(std::string(kLostInFork)); }

}  // namespace anydml::cpu
