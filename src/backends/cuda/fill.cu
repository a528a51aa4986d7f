// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <cstring>

#include "backends/cuda/cudart.h"
#include "backends/cuda/launch.cuh"

namespace anydml::cuda {
namespace {

using Pattern = std::array<std::byte, 16>;

// 16 bytes per thread; the address may be odd, so bytes are stored one by one
// unless it is a multiple of 16.
__global__ void PutPattern(std::byte* to, Pattern pattern, uint64_t bytes) {
  const uint64_t first = ThreadNumber() * pattern.size();
  if (first >= bytes) return;
  if (IsAligned(to) && first + pattern.size() <= bytes) {
    *reinterpret_cast<uint4*>(to + first) = std::bit_cast<uint4>(pattern);
    return;
  }
  for (uint64_t i = 0; i < pattern.size() && first + i < bytes; ++i) to[first + i] = pattern[i];
}

__global__ void StoreTime(uint64_t* to) {
  uint64_t nanoseconds;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(nanoseconds));
  *to = nanoseconds;
}

}  // namespace

bool FillPattern(void* to, const void* pattern, uint64_t bytes, Stream stream, Failure* failure) {
  Pattern repeated;
  std::memcpy(repeated.data(), pattern, sizeof repeated);
  const unsigned blocks = BlocksFor((bytes + repeated.size() - 1) / repeated.size());
  if (blocks == 0) return true;
  PutPattern<<<blocks, kThreadsPerBlock, 0, stream>>>(static_cast<std::byte*>(to), repeated, bytes);
  return LaunchStatus(failure);
}

bool PutTime(uint64_t* to, Stream stream, Failure* failure) {
  StoreTime<<<1, 1, 0, stream>>>(to);
  return LaunchStatus(failure);
}

}  // namespace anydml::cuda
