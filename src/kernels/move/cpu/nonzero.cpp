// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Coordinates of the elements that are not zero: chunks of the input count theirs, then each knows
// where its first row is.
#include <algorithm>

#include "base/checked_math.h"
#include "kernels/move/cpu/strategies.h"
#include "kernels/move/search_plan.h"

namespace anydml::move {
namespace {

constexpr uint64_t kChunk = 16384;

uint64_t ChunksOf(const Nonzero& plan) { return CeilDivide(plan.count, kChunk); }
uint64_t CountBytes(const Nonzero& plan) { return ChunksOf(plan) * sizeof(uint32_t); }

// Calls body(coordinates, row, begin, end) for the elements of a chunk, by ascending logical index:
// coordinates [begin, end) of the last dimension in a row.
template <typename T, typename Body>
void ForEachPiece(const Nonzero& plan, const T* x, uint64_t chunk, const Body& body) {
  const uint32_t last = plan.input.dimension_count - 1;
  uint64_t left = std::min(kChunk, plan.count - chunk * kChunk), first = chunk * kChunk;
  std::array<uint32_t, kMaxDimensions> at = {};
  for (uint32_t i = last + 1; i-- > 0; first /= plan.input.sizes[i]) {
    at[i] = static_cast<uint32_t>(first % plan.input.sizes[i]);
  }
  while (left > 0) {
    const T* row = x;
    for (uint32_t i = 0; i < last; ++i) row += uint64_t{at[i]} * plan.input.strides[i];
    const uint64_t begin = at[last];
    const uint64_t end = begin + std::min<uint64_t>(left, plan.input.sizes[last] - begin);
    body(at, row, begin, end);
    left -= end - begin;
    at[last] = 0;
    for (uint32_t i = last; i-- > 0;) {
      if (++at[i] < plan.input.sizes[i]) break;
      at[i] = 0;
    }
  }
}

void RunNonzero(const Nonzero& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  auto* const counts = bindings.Temporary<uint32_t>();
  const uint64_t chunks = ChunksOf(plan);
  const uint32_t inner = plan.input.dimension_count - 1;
  const uint32_t skipped = plan.input.dimension_count - plan.columns;
  const uint64_t stride = plan.input.strides[inner];
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const T* x = bindings.Input<T>(0);
    const T mask = static_cast<T>(plan.mask);
    executor.ParallelFor(chunks, 1, [&](uint64_t begin, uint64_t end) {
      for (uint64_t chunk = begin; chunk < end; ++chunk) {
        uint32_t count = 0;
        ForEachPiece(plan, x, chunk, [&](const auto&, const T* row, uint64_t first, uint64_t last) {
          for (uint64_t c = first; c < last; ++c) count += (row[c * stride] & mask) != 0 ? 1 : 0;
        });
        counts[chunk] = count;
      }
    });
    uint32_t before = 0;
    for (uint64_t chunk = 0; chunk < chunks; ++chunk) {
      before += counts[chunk];
      counts[chunk] = before - counts[chunk];
    }
    *bindings.Output<uint32_t>(0) = before;
    executor.ParallelFor(chunks, 1, [&](uint64_t begin, uint64_t end) {
      for (uint64_t chunk = begin; chunk < end; ++chunk) {
        uint32_t* row = bindings.Output<uint32_t>(1) + counts[chunk] * plan.row_stride;
        ForEachPiece(plan, x, chunk, [&](auto at, const T* from, uint64_t first, uint64_t last) {
          for (uint64_t c = first; c < last; ++c) {
            if ((from[c * stride] & mask) == 0) continue;
            at[inner] = static_cast<uint32_t>(c);
            for (uint32_t k = 0; k < plan.columns; ++k) {
              row[k * plan.column_stride] = at[skipped + k];
            }
            row += plan.row_stride;
          }
        });
      }
    });
  });
}

using Strategy = StrategyOf<Nonzero, NoTables>;

}  // namespace

constinit const std::array<CpuStrategy, 1> kNonzeroStrategies = {
    Strategy::Named<AcceptsAll<Nonzero>, RunNonzero, CountBytes>("strided"),
};

}  // namespace anydml::move
