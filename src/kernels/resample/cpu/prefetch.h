// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Prefetches what is read in the order of memory.
#pragma once

#include <cstdint>

namespace anydml::cpu {

// Reading 26 MB on two threads with prefetches this far ahead takes 1.05 times as long as a
// copy that moves as much, and 1.25 to 1.4 times without; into the nearest cache 1.5 times,
// 1 or 8 KB ahead 1.1 to 1.2 times.
inline constexpr uint64_t kPrefetchDistance = 4096;

// Inline by force: a call that only prefetches is one without effects, and dropped.
__attribute__((always_inline)) inline void PrefetchAhead(const void* at, uint64_t bytes) {
  const auto* ahead = static_cast<const char*>(at) + kPrefetchDistance;
  for (uint64_t i = 0; i < bytes; i += 64) __builtin_prefetch(ahead + i, 0, 2);
}

}  // namespace anydml::cpu
