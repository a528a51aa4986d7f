// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The yardstick: a copy that moves as many bytes as the operator does, and stores them as
// operators of that size do, so that plain stores are not held against streamed ones.
#pragma once

#include <algorithm>
#include <cstdint>

#include "backends/cpu/executor.h"
#include "backends/cpu/streaming.h"
#include "bench/memory.h"

namespace anydml::bench {

// Bytes moved from which on the baseline may use non-temporal stores, as operators do. A number of
// the yardstick's own: it has to be changed on purpose.
inline constexpr uint64_t kFloorStreams = uint64_t{24} << 20;
static_assert(kFloorStreams == cpu::kStreamedBytes);

// How a yardstick is cut for the threads.
inline constexpr uint64_t kCopiedBlock = 4096;
inline constexpr uint64_t kMinBlocksPerThread = 16;

struct CopyTimes {
  double library, plain, non_temporal;

  double Fastest() const { return std::min({library, plain, non_temporal}); }
  double Floor(uint64_t bytes_moved) const {
    return bytes_moved >= kFloorStreams ? Fastest() : std::min(library, plain);
  }
};

// Reads half of the bytes and writes the other half.
class Copy {
 public:
  explicit Copy(uint64_t bytes_moved);

  // By memcpy.
  void Library(const cpu::Executor& executor);
  // With plain stores whatever the size.
  void Plain(const cpu::Executor& executor);
  // With non-temporal stores: faster where the data is far larger.
  void NonTemporal(const cpu::Executor& executor);

 private:
  Buffer from_;
  Buffer to_;
};

}  // namespace anydml::bench
