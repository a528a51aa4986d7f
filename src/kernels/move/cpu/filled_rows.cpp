// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/move/cpu/filled_rows.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/move/cpu/filled_rows.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The pattern as it goes on after `bytes` bytes; an element never begins inside of another.
HWY_INLINE uint64_t Shifted(uint64_t pattern, uint64_t bytes) {
  const uint64_t bits = bytes % 8 * 8;
  return bits == 0 ? pattern : pattern >> bits | pattern << (64 - bits);
}

HWY_INLINE void FillBytes(std::byte* to, uint64_t bytes, uint64_t pattern) {
  uint64_t i = 0;
  for (; i + 8 <= bytes; i += 8) std::memcpy(to + i, &pattern, 8);
  std::memcpy(to + i, &pattern, bytes - i);
}

void Fill(std::byte* to, uint64_t bytes, uint64_t pattern, bool stream) {
  const hn::ScalableTag<uint64_t> d;
  const uint64_t N = hn::Lanes(d) * sizeof(uint64_t);
  constexpr uint64_t kLine = 64;
  const uint64_t head = std::min(bytes, (kLine - reinterpret_cast<uintptr_t>(to) % kLine) % kLine);
  FillBytes(to, head, pattern);
  const auto lines = hn::Set(d, Shifted(pattern, head));
  uint64_t i = head;
  for (; i + kLine <= bytes; i += kLine) {
    for (uint64_t k = 0; k < kLine; k += N) {
      auto* const at = reinterpret_cast<uint64_t*>(to + i + k);
      stream ? hn::Stream(lines, d, at) : hn::Store(lines, d, at);
    }
  }
  FillBytes(to + i, bytes - i, Shifted(pattern, head));
}

FillRow Choose() { return Fill; }

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::cpu {

HWY_EXPORT(Choose);

FillRow ChooseFillRow() { return HWY_DYNAMIC_DISPATCH(Choose)(); }

}  // namespace anydml::cpu
#endif  // HWY_ONCE
