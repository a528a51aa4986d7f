// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "bench/movement.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/movement.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "backends/cpu/prefetch.h"
#include "backends/cpu/streaming.h"
#include "bench/copy.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Lines that are read and lines that are written take turns, as evenly as their numbers
// allow, and both are asked for 1 KiB ahead. With pages of both in turn, or without asking,
// it takes up to 1.4 times as long. Every count and address is a multiple of a line.
template <bool kStream>
void Move(const uint8_t* from, uint64_t read, uint8_t* to, uint64_t written) {
  constexpr uintptr_t kAhead = 1024;
  const hn::CappedTag<uint8_t, kCacheLine> d;
  const uint64_t lanes = hn::Lanes(d);
  auto all = hn::Zero(d);  // written, so that nobody skips the reading
  uint64_t due = 0;
  const auto write = [&]() HWY_ATTR {
    for (uint64_t i = 0; i < kCacheLine; i += lanes) {
      if (kStream) {
        hn::Stream(all, d, to + i);
      } else {
        hn::Store(all, d, to + i);
      }
    }
    if (!kStream) cpu::PrefetchLine(to, kAhead);
    to += kCacheLine;
  };
  uint8_t* const written_end = to + written;
  for (const uint8_t* const end = from + read; from != end; from += kCacheLine) {
    for (uint64_t i = 0; i < kCacheLine; i += lanes) all = hn::Or(all, hn::Load(d, from + i));
    cpu::PrefetchLine(from, kAhead);
    for (due += written; due >= read; due -= read) write();
  }
  while (to != written_end) write();  // of a piece that reads nothing
}

void MoveThroughCaches(const uint8_t* from, uint64_t read, uint8_t* to, uint64_t written) {
  Move<false>(from, read, to, written);
}
void MovePastCaches(const uint8_t* from, uint64_t read, uint8_t* to, uint64_t written) {
  Move<true>(from, read, to, written);
  hwy::FlushStream();
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::bench {
namespace {

HWY_EXPORT(MovePastCaches);
HWY_EXPORT(MoveThroughCaches);

uint64_t WholeLines(uint64_t bytes) { return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine; }

}  // namespace

Movement::Movement(RowBytes bytes) : from_(WholeLines(bytes.read)), to_(WholeLines(bytes.written)) {
  std::memset(from_.data(), 63, from_.bytes());
  std::memset(to_.data(), 1, to_.bytes());
}

void Movement::Run(const cpu::Executor& executor) {
  const bool stream = cpu::ShouldStream(from_.bytes() + to_.bytes());
  const uint64_t blocks = std::max(from_.bytes(), to_.bytes()) / kCopiedBlock + 1;
  const auto begin_of = [&](const Buffer& buffer, uint64_t block) {
    return buffer.bytes() / kCacheLine * block / blocks * kCacheLine;
  };
  executor.ParallelFor(blocks, kMinBlocksPerThread, [&](uint64_t begin, uint64_t end) {
    const uint64_t read = begin_of(from_, begin), written = begin_of(to_, begin);
    (stream ? HWY_DYNAMIC_DISPATCH(MovePastCaches) : HWY_DYNAMIC_DISPATCH(MoveThroughCaches))(
        from_.data() + read, begin_of(from_, end) - read, to_.data() + written,
        begin_of(to_, end) - written);
  });
}

}  // namespace anydml::bench
#endif  // HWY_ONCE
