// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "bench/copy.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/copy.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace anydml::bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Both addresses are multiples of a cache line.
void Stream(const uint8_t* from, uint64_t count, uint8_t* to) {
  const hn::ScalableTag<uint8_t> d;
  const uint64_t lanes = hn::Lanes(d);
  uint64_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    const auto a = hn::Load(d, from + i), b = hn::Load(d, from + i + lanes);
    const auto c = hn::Load(d, from + i + 2 * lanes), e = hn::Load(d, from + i + 3 * lanes);
    hn::Stream(a, d, to + i);
    hn::Stream(b, d, to + i + lanes);
    hn::Stream(c, d, to + i + 2 * lanes);
    hn::Stream(e, d, to + i + 3 * lanes);
  }
  std::memcpy(to + i, from + i, count - i);
  hwy::FlushStream();
}

// Plain stores; the C library's copy chooses for itself, by the size.
void CopyVectors(const uint8_t* from, uint64_t count, uint8_t* to) {
  const hn::ScalableTag<uint8_t> d;
  const uint64_t lanes = hn::Lanes(d);
  uint64_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    const auto a = hn::Load(d, from + i), b = hn::Load(d, from + i + lanes);
    hn::Store(a, d, to + i);
    hn::Store(b, d, to + i + lanes);
  }
  std::memcpy(to + i, from + i, count - i);
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::bench {
namespace {

HWY_EXPORT(CopyVectors);
HWY_EXPORT(Stream);

template <typename F>
void ForEachRange(uint64_t bytes, const cpu::Executor& executor, const F& copy) {
  const uint64_t blocks = (bytes + kCopiedBlock - 1) / kCopiedBlock;
  executor.ParallelFor(blocks, kMinBlocksPerThread, [&](uint64_t begin, uint64_t end) {
    const uint64_t first = begin * kCopiedBlock;
    copy(first, std::min(end * kCopiedBlock, bytes) - first);
  });
}

}  // namespace

Copy::Copy(uint64_t bytes_moved) : from_(bytes_moved / 2 + 1), to_(bytes_moved / 2 + 1) {
  // Pages of zeros alone would do, but a reader should not have to wonder.
  std::memset(from_.data(), 63, from_.bytes());
}

void Copy::Library(const cpu::Executor& executor) {
  ForEachRange(from_.bytes(), executor, [&](uint64_t first, uint64_t count) {
    std::memcpy(to_.data() + first, from_.data() + first, count);
  });
}

void Copy::Plain(const cpu::Executor& executor) {
  ForEachRange(from_.bytes(), executor, [&](uint64_t first, uint64_t count) {
    HWY_DYNAMIC_DISPATCH(CopyVectors)(from_.data() + first, count, to_.data() + first);
  });
}

void Copy::NonTemporal(const cpu::Executor& executor) {
  ForEachRange(from_.bytes(), executor, [&](uint64_t first, uint64_t count) {
    HWY_DYNAMIC_DISPATCH(Stream)(from_.data() + first, count, to_.data() + first);
  });
}

}  // namespace anydml::bench
#endif  // HWY_ONCE
