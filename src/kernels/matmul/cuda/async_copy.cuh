// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Copies from memory into shared memory that do not pass through registers. Unlike
// __pipeline_memcpy_async these take at run time whether the source is read: zeros otherwise.
#pragma once

#include <cstdint>

namespace anydml::cuda {

// These do not count as writes to memory for the compiler, so that it may find the next addresses
// in the meantime: who reads what they bring waits first, and who overwrites it passes a barrier.
template <int kBytes>
__device__ inline void CopyAsync(void* to, const void* from, bool reads = true) {
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  if constexpr (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from));
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(address), "l"(from),
                 "n"(kBytes), "r"(reads ? kBytes : 0));
  }
}

// Closes a group of copies; there may be none in it.
__device__ inline void CloseCopies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Until all groups of this thread but the last `kLeft` have arrived.
template <int kLeft>
__device__ inline void WaitForCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}

}  // namespace anydml::cuda
