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

// Calls body(coordinates) for those of a chunk, by ascending logical index.
template <typename T, typename Body>
void ForEachNonzero(const Nonzero& plan, const T* x, uint64_t chunk, const Body& body) {
  const uint32_t last = plan.input.dimension_count - 1;
  const T mask = static_cast<T>(plan.mask);
  uint64_t left = std::min(kChunk, plan.count - chunk * kChunk), first = chunk * kChunk;
  std::array<uint32_t, kMaxDimensions> at = {};
  for (uint32_t i = last + 1; i-- > 0; first /= plan.input.sizes[i]) {
    at[i] = static_cast<uint32_t>(first % plan.input.sizes[i]);
  }
  while (left > 0) {
    const T* row = x;
    for (uint32_t i = 0; i < last; ++i) row += uint64_t{at[i]} * plan.input.strides[i];
    const uint64_t stride = plan.input.strides[last], begin = at[last];
    const uint64_t end = begin + std::min<uint64_t>(left, plan.input.sizes[last] - begin);
    for (uint64_t c = begin; c < end; ++c) {
      if ((row[c * stride] & mask) == 0) continue;
      at[last] = static_cast<uint32_t>(c);
      body(at);
    }
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
  const uint32_t skipped = plan.input.dimension_count - plan.columns;
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const T* x = bindings.Input<T>(0);
    executor.ParallelFor(chunks, 1, [&](uint64_t begin, uint64_t end) {
      for (uint64_t chunk = begin; chunk < end; ++chunk) {
        uint32_t count = 0;
        ForEachNonzero(plan, x, chunk, [&](const auto&) { ++count; });
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
        ForEachNonzero(plan, x, chunk, [&](const auto& at) {
          for (uint32_t c = 0; c < plan.columns; ++c) row[c * plan.column_stride] = at[skipped + c];
          row += plan.row_stride;
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
