// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Passes over all elements of some tensors, in pieces of rows, where parameters belong to sets of
// them.
#pragma once

#include <hwy/cache_control.h>

#include "backends/cpu/rows.h"
#include "backends/cpu/streaming.h"
#include "kernels/reduce/cpu/gather.h"

namespace anydml::reduce {

// One parameter of each element of a piece.
struct ParameterRow {
  alignas(64) float values[kBlock];
};

inline const float* Spread(const float* from, int64_t stride, uint64_t count, ParameterRow& row) {
  for (uint64_t i = 0; i < count; ++i) row.values[i] = from[static_cast<int64_t>(i) * stride];
  return row.values;
}

template <typename T, int kParameters>
struct PieceBuffers {
  ParameterRow parameters[kParameters];
  alignas(64) T read[2][kBlock];
  alignas(64) T written[kBlock];

  const T* Read(const T* from, int64_t stride, uint64_t count, int which) {
    if (stride == 1) return from;
    T* const to = read[which];
    for (uint64_t i = 0; i < count; ++i) to[i] = from[static_cast<int64_t>(i) * stride];
    return to;
  }
  T* Target(T* to, int64_t stride) { return stride == 1 ? to : written; }
  void Write(T* to, int64_t stride, uint64_t count) const {
    if (stride == 1) return;
    for (uint64_t i = 0; i < count; ++i) to[static_cast<int64_t>(i) * stride] = written[i];
  }
};

// Rows whose results go past the caches (backends/cpu/streaming.h): whole lines of FLOAT32, or
// long.
class Streaming {
 public:
  Streaming(DataType type, bool is_packed, uint64_t elements_read_and_written)
      : wanted_(type == DataType::kFloat32 && is_packed &&
                cpu::ShouldStream(elements_read_and_written * sizeof(float))) {}

  bool Takes(const void* to, uint64_t count) const {
    constexpr uint64_t kLine = 16, kLong = 1024;
    return wanted_ && reinterpret_cast<uintptr_t>(to) % 64 == 0 &&
           (count % kLine == 0 || count >= kLong);
  }

 private:
  bool wanted_;
};

// Calls body(offsets, count) for pieces of at most kBlock elements of rows that cover the loop;
// a thread makes its body with make().
template <int N, typename Make>
void ForEachPiece(const StridedLoop<N>& loop, const cpu::Executor& executor, const Make& make) {
  const uint64_t pieces = CeilDivide(loop.inner_size(), kBlock);
  const uint64_t grain =
      std::max<uint64_t>(1, cpu::kElementsPerUnit / std::min(loop.inner_size(), kBlock));
  executor.ParallelFor(loop.RowCount() * pieces, grain, [&](uint64_t begin, uint64_t end) {
    auto body = make();
    RowWalk<N> walk(loop, begin / pieces);
    uint64_t piece = begin % pieces;
    for (uint64_t unit = begin; unit < end; ++unit) {
      std::array<int64_t, N> offsets = walk.offsets();
      const uint64_t first = piece * kBlock;
      for (int t = 0; t < N; ++t) offsets[t] += static_cast<int64_t>(first) * loop.inner_stride(t);
      body(offsets, std::min(kBlock, loop.inner_size() - first));
      if (++piece < pieces) continue;
      piece = 0;
      walk.Next();
    }
    hwy::FlushStream();
  });
}

}  // namespace anydml::reduce
