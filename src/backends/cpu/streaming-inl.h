// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Non-temporal stores, for outputs that ShouldStream() (streaming.h) names.
// Included once per instruction set. They pay only as whole aligned lines, so
// what is left of a row at its ends is stored plainly. A thread that has streamed
// calls hwy::FlushStream() before it hands its piece over.

#if defined(ANYDML_BACKENDS_CPU_STREAMING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_BACKENDS_CPU_STREAMING_INL_H_
#undef ANYDML_BACKENDS_CPU_STREAMING_INL_H_
#else
#define ANYDML_BACKENDS_CPU_STREAMING_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "backends/cpu/streaming.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr size_t kLineBytes = 64;

// A row of `count` elements is a head up to the first line, whole lines, and a
// tail.
struct LineSplit {
  size_t head;
  size_t lines_end;
};

template <typename T>
HWY_INLINE LineSplit SplitIntoLines(const T* output, size_t count) {
  constexpr size_t kPerLine = kLineBytes / sizeof(T);
  const size_t past_line = reinterpret_cast<uintptr_t>(output) / sizeof(T) % kPerLine;
  const size_t head = std::min(count, (kPerLine - past_line) % kPerLine);
  return {head, head + (count - head) / kPerLine * kPerLine};
}

// A copy of elements of any width, as integers.
template <typename T>
HWY_INLINE void StreamCopy(T* output, const T* input, size_t count) {
  const hn::ScalableTag<T> d;
  const size_t N = hn::Lanes(d);
  const LineSplit split = SplitIntoLines(output, count);
  std::memcpy(output, input, split.head * sizeof(T));
  for (size_t i = split.head; i < split.lines_end; i += N) {
    hn::Stream(hn::LoadU(d, input + i), d, output + i);
  }
  std::memcpy(output + split.lines_end, input + split.lines_end,
              (count - split.lines_end) * sizeof(T));
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
