// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Prefetches into the second-level cache: the first level has few slots for lines in
// flight, and loads need them.
#pragma once

#include <cstdint>

namespace anydml::cpu {

// The line `ahead` bytes further, an address that need not be one of the tensor's.
// always_inline: the compiler drops calls of a function whose only effect is a prefetch.
__attribute__((always_inline)) inline void PrefetchLine(const void* from, uintptr_t ahead) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(from) + ahead;
  __builtin_prefetch(reinterpret_cast<const void*>(address), 0, 2);
}

// Rows that will be read soon, `stride` bytes apart, line by line in the order of memory,
// a few lines at a time between computations.
class RowPrefetcher {
 public:
  RowPrefetcher() = default;
  RowPrefetcher(const void* begin, int64_t stride, uint64_t rows, uint64_t bytes)
      : row_(static_cast<const char*>(begin)), stride_(stride), rows_(rows), bytes_(bytes) {}

  // Prefetch() will be called this many times; sets how many lines each call takes.
  void Spread(uint64_t times) { step_ = rows_ * (bytes_ / kLine + 1) / times + 1; }
  void Prefetch() {
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
