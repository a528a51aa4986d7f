// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// When to write past the caches. A plain store reads its line first; a
// non-temporal one does not, and leaves the caches to others. Which of them is
// used never changes a result. The stores themselves are in streaming-inl.h.
#pragma once

#include <atomic>
#include <cstdint>

namespace anydml::cpu {

// Bytes read and written from which on an output goes past the caches. Measured
// with a gradient of two inputs at 2 threads and 32 MiB of last-level cache, time
// over that of plain stores. Inputs cold: 0.85 to 0.90 from 6 MB on; with a reader
// of the result behind it 1.05 at 24 MB, 1.01 at 36 MB, 0.97 at 48 MB, 0.93 at 192
// MB. All of it in the caches already: 2 at 12 MB, 1.1 at 36 MB, 0.97 at 48 MB. So
// much data is seldom there already. A constant, because in virtual machines the C
// library reports the caches of the whole host.
inline constexpr uint64_t kStreamedBytes = uint64_t{24} << 20;

namespace internal {
inline std::atomic<uint64_t> streamed_bytes = kStreamedBytes;
}

// For outputs that are not laid over an input: a line that was just read is in
// the cache, and a plain store costs nothing more.
inline bool ShouldStream(uint64_t bytes_read_and_written) {
  return bytes_read_and_written >= internal::streamed_bytes.load(std::memory_order_relaxed);
}

// Moves the border until the destructor, for tests of small tensors. Not for use
// while kernels run.
class ScopedStreaming {
 public:
  explicit ScopedStreaming(uint64_t from_bytes) { internal::streamed_bytes = from_bytes; }
  ~ScopedStreaming() { internal::streamed_bytes = kStreamedBytes; }
  ScopedStreaming(const ScopedStreaming&) = delete;
  ScopedStreaming& operator=(const ScopedStreaming&) = delete;
};

}  // namespace anydml::cpu
