// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Elements of a set one after the other: where they lie, or copied into a buffer.
#pragma once

#include <cstring>

#include "backends/cpu/prefetch.h"
#include "base/float16.h"
#include "kernels/reduce/cpu/block_kernels.h"
#include "kernels/reduce/sets.h"

namespace anydml::reduce {

inline float AsFloat(float x) { return x; }
inline float AsFloat(Float16 x) { return ToFloat(x); }
inline void PutFloat(float x, float* to) { *to = x; }
inline void PutFloat(float x, Float16* to) { *to = ToFloat16(x); }

// Copies and asks for lines ahead of what it reads.
inline void CopyAhead(const void* from, uint64_t bytes, void* to) {
  constexpr uint64_t kPiece = 512;
  const auto* source = static_cast<const std::byte*>(from);
  auto* target = static_cast<std::byte*>(to);
  for (; bytes >= kPiece; bytes -= kPiece, source += kPiece, target += kPiece) {
    for (uint64_t line = 0; line < kPiece; line += 64) cpu::PrefetchLine(source, kAhead + line);
    std::memcpy(target, source, kPiece);
  }
  std::memcpy(target, source, bytes);
}

// `count` elements, from number `first` of the set on, of tensor `t`; x is the set's first.
template <int t, int N, typename T>
const T* Gather(const StridedLoop<N>& loop, const T* x, uint64_t first, uint64_t count, T* buffer) {
  const bool packed = loop.inner_stride(t) == 1;
  if (packed && first % loop.inner_size() + count <= loop.inner_size()) {
    if (loop.rank == 1) return x + first;
    return x + RowWalk<N>(loop, first / loop.inner_size()).offsets()[t] + first % loop.inner_size();
  }
  ForEachRun(loop, first, count, [&](const auto& offsets, uint64_t at, uint64_t length) {
    const T* const from = x + offsets[t];
    if (packed) {
      CopyAhead(from, length * sizeof(T), buffer + at);
    } else {
      const int64_t stride = loop.inner_stride(t);
      for (uint64_t i = 0; i < length; ++i) buffer[at + i] = from[static_cast<int64_t>(i) * stride];
    }
  });
  return buffer;
}

// Where `count` elements of a set are in tensor `t`, from number `first` on.
template <int t, int N>
void OffsetsOfElements(const StridedLoop<N>& loop, uint64_t first, uint64_t count,
                       int64_t* offsets) {
  ForEachRun(loop, first, count, [&](const auto& at, uint64_t position, uint64_t length) {
    for (uint64_t i = 0; i < length; ++i) {
      offsets[position + i] = at[t] + static_cast<int64_t>(i) * loop.inner_stride(t);
    }
  });
}

}  // namespace anydml::reduce
