// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cuda/launch.cuh"

namespace anydml::cuda {
namespace {

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

Status FillPattern(void* to, const Pattern& pattern, uint64_t bytes, Stream stream) {
  const unsigned blocks = BlocksFor((bytes + pattern.size() - 1) / pattern.size());
  if (blocks == 0) return {};
  PutPattern<<<blocks, kThreadsPerBlock, 0, stream>>>(static_cast<std::byte*>(to), pattern, bytes);
  return LaunchStatus();
}

Status PutTime(uint64_t* to, Stream stream) {
  StoreTime<<<1, 1, 0, stream>>>(to);
  return LaunchStatus();
}

}  // namespace anydml::cuda
