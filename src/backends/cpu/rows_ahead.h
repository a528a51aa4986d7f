// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Brings rows that will be read soon near, while others are computed.
#pragma once

#include <cstdint>

namespace anydml::cpu {

// Of what is read in the order of memory: asks for the bytes this far behind those at
// hand. Reading 26 MB on two threads that way takes 1.05 times as long as a copy that
// moves as much, and 1.25 to 1.4 times without; into the nearest cache 1.5 times, 1 or 8 KB
// ahead 1.1 to 1.2 times.
inline constexpr uint64_t kBytesAhead = 4096;

// Inline by force: a call that only asks is one without effects, and dropped.
__attribute__((always_inline)) inline void AskAhead(const void* at, uint64_t bytes) {
  const auto* ahead = static_cast<const char*>(at) + kBytesAhead;
  for (uint64_t i = 0; i < bytes; i += 64) __builtin_prefetch(ahead + i, 0, 2);
}

template <uint64_t kBytes>
__attribute__((always_inline)) inline void AskAhead(const void* at) {
  AskAhead(at, kBytes);
}

// Asks for rows that will be read soon, line after line: in the order of memory
// and a few at a time between computations, so that both go on at once. Into the
// second-level cache: the nearest one has few places for lines under way, and
// loads need them. The rows lie `stride` bytes apart.
class RowsAhead {
 public:
  RowsAhead() = default;
  RowsAhead(const void* begin, int64_t stride, uint64_t rows, uint64_t bytes)
      : row_(static_cast<const char*>(begin)), stride_(stride), rows_(rows), bytes_(bytes) {}

  // Ask() will be called this many times: how much each time is to ask for.
  void Spread(uint64_t times) { step_ = rows_ * (bytes_ / kLine + 1) / times + 1; }
  void Ask() {
    for (uint64_t lines = step_; lines > 0 && rows_ > 0; --lines) {
      __builtin_prefetch(row_ + at_, 0, 2);
      at_ += kLine;
      if (at_ < bytes_) continue;
      at_ = 0;
      row_ += stride_;
      --rows_;
    }
  }

 private:
  static constexpr uint64_t kLine = 64;
  const char* row_ = nullptr;
  int64_t stride_ = 0;
  uint64_t rows_ = 0;
  uint64_t bytes_ = 0;
  uint64_t at_ = 0;
  uint64_t step_ = 1;
};

}  // namespace anydml::cpu
