// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// When to use non-temporal stores. A plain store reads its line first; a
// non-temporal one does not, and leaves the caches to others. Which of them is
// used never changes a result. The stores themselves are in streaming-inl.h.
#pragma once

#include <atomic>
#include <cstdint>

namespace anydml::cpu {

// Bytes read and written from which on an output takes non-temporal stores. Measured
// with a gradient of two inputs at 2 threads and 32 MiB of last-level cache, time
// over that of plain stores. Inputs cold: 0.85 to 0.90 from 6 MB on; with a reader
// of the result behind it 1.05 at 24 MB, 1.01 at 36 MB, 0.97 at 48 MB, 0.93 at 192
// MB. All of it in the caches already: 2 at 12 MB, 1.1 at 36 MB, 0.97 at 48 MB. So
// much data is seldom there already. A constant, because in virtual machines the C
// library reports the caches of the whole host.
inline constexpr uint64_t kStreamedBytes = uint64_t{24} << 20;

namespace internal {
inline std::atomic<uint64_t> streamed_bytes = kStreamedBytes;

inline bool IsMadeByAmd() {
#if defined(__x86_64__)
  __builtin_cpu_init();  // this runs before main()
  return __builtin_cpu_is("amd") != 0;
#else
  return false;
#endif
}
inline std::atomic<bool> mixes_stores = IsMadeByAmd();
}  // namespace internal

// For outputs that are not laid over an input: a line that was just read is in
// the cache, and a plain store costs nothing more.
inline bool ShouldStream(uint64_t bytes_read_and_written) {
  return bytes_read_and_written >= internal::streamed_bytes.load(std::memory_order_relaxed);
}

// The shortest row with non-temporal stores between plain stores of its ends. Of rows of
// 224 bytes every third line is shared with a neighbour, and streaming takes two to three
// times as long; rows of 448 bytes gain a quarter.
inline constexpr uint64_t kMinStreamedRow = 384;

// Whether that is so for kernels that mostly write. On an Intel Xeon (Sapphire Rapids) it
// is not: slices with gaps after rows of 448 bytes took 3.4 to 5.8 copies and take 2.3 to
// 4.6 with plain stores alone, half lines of pooling 2.1 to 2.8 and 1.6 to 2.2. It may be
// that a plain store brings the neighbour of its line into the cache as well. AMD's Zen 4
// gains as other kernels do.
inline bool MixesStores() { return internal::mixes_stores.load(std::memory_order_relaxed); }

// Moves the border until the destructor, and mixes stores, for tests of small tensors.
// Not for use while kernels run.
class ScopedStreaming {
 public:
  explicit ScopedStreaming(uint64_t from_bytes) {
    internal::streamed_bytes = from_bytes;
    internal::mixes_stores = true;
  }
  ~ScopedStreaming() {
    internal::streamed_bytes = kStreamedBytes;
    internal::mixes_stores = internal::IsMadeByAmd();
  }
  ScopedStreaming(const ScopedStreaming&) = delete;
  ScopedStreaming& operator=(const ScopedStreaming&) = delete;
};

}  // namespace anydml::cpu
