// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Threads for CPU kernels. A kernel describes its work as a range of
// independent units; every output element belongs to exactly one unit, so the
// result cannot depend on how the range is cut.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

namespace anydml::cpu {

// A borrowed callable, as cheap as a function pointer; lives only for the call.
class RangeBody {
 public:
  template <typename F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, RangeBody>)
      RangeBody(const F& body)  // NOLINT: implicit by design
      : object_(&body), call_([](const void* object, uint64_t begin, uint64_t end) {
          (*static_cast<const F*>(object))(begin, end);
        }) {}

  void operator()(uint64_t begin, uint64_t end) const { call_(object_, begin, end); }

 private:
  const void* object_;
  void (*call_)(const void*, uint64_t, uint64_t);
};

class Executor {
 public:
  // 0 means one thread per core.
  explicit Executor(int threads);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  int threads() const { return threads_; }

  // Calls body(begin, end) for pieces that cover [0, count); pieces hold at
  // least `grain` units where possible. Runs on the calling thread alone when
  // there is one thread or one piece. Every piece runs with the default
  // floating-point environment: IEEE rounding, no flush to zero, whatever the
  // application has set. In a forked child the calling thread does everything.
  void ParallelFor(uint64_t count, uint64_t grain, RangeBody body) const;

 private:
  struct Arena;
  int threads_;
  uint32_t fork_depth_;  // where the arena's threads are
  std::unique_ptr<Arena> arena_;
};

}  // namespace anydml::cpu
