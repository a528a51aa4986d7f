// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Bands of diagonals. A row of the output, whichever dimension it is, crosses a band once: it has
// a piece inside and one on either side.
#include <hwy/cache_control.h>

#include <algorithm>
#include <cstring>

#include "backends/cpu/rows.h"
#include "kernels/move/band_plan.h"
#include "kernels/move/cpu/filled_rows.h"
#include "kernels/move/cpu/strategies.h"

namespace anydml::move {
namespace {

// Calls put(first, end, is_filled) for the pieces of `count` elements, of which the first is on
// `diagonal` and the others `step` diagonals apart: 1, -1 or 0.
template <class Put>
void ForEachPiece(const Band& band, int64_t diagonal, int64_t step, int64_t count, const Put& put) {
  const int64_t low = std::min(band.begin, band.end), high = std::max(band.begin, band.end);
  int64_t first = low <= diagonal && diagonal < high ? 0 : count, end = count;
  if (step > 0) {
    first = low - diagonal;
    end = high - diagonal;
  } else if (step < 0) {
    first = diagonal - high + 1;
    end = diagonal - low + 1;
  }
  first = std::clamp<int64_t>(first, 0, count);
  end = std::clamp<int64_t>(end, 0, count);
  const bool fills_inside = band.begin<band.end, fills_outside = band.begin> band.end;
  if (first > 0) put(int64_t{0}, first, fills_outside);
  if (end > first) put(first, end, fills_inside);
  if (count > end) put(end, count, fills_outside);
}

Refusal AcceptsPackedRows(const Banded& plan) {
  if (plan.loop.inner_stride(2) != 1) return {"the output's innermost stride is not 1"};
  if (plan.loop.inner_stride(0) != 1) return {"the input's stride is not 1 along output rows"};
  return kAccepted;
}

void RunPackedRows(const Banded& plan, const NoTables&, const Bindings& bindings,
                   const cpu::Executor& executor) {
  const int64_t size = plan.element_size;
  const uint64_t value = cpu::FillPattern(plan.value, plan.element_size);
  const bool streams =
      !plan.has_input && cpu::MayStreamFills(plan.loop.ElementCount() * plan.element_size,
                                             plan.loop.inner_size() * plan.element_size);
  const cpu::FillRow fill = cpu::ChooseFillRow();
  cpu::ForEachRowPiece(
      plan.loop, executor,
      [&](const auto& at, uint64_t count) {
        const auto* const from = bindings.Input<std::byte>(0) + at[0] * size;
        auto* const to = bindings.Output<std::byte>(0) + at[2] * size;
        ForEachPiece(plan.band, at[1], plan.loop.inner_stride(1), static_cast<int64_t>(count),
                     [&](int64_t first, int64_t end, bool is_filled) {
                       const auto bytes = static_cast<uint64_t>((end - first) * size);
                       if (!is_filled && plan.has_input) {
                         std::memcpy(to + first * size, from + first * size, bytes);
                       } else {
                         fill(to + first * size, bytes, is_filled ? value : 0, streams);
                       }
                     });
      },
      cpu::kMovedElementsPerUnit<std::byte, 2> / plan.element_size,
      [&] {
        if (streams) hwy::FlushStream();
      });
}

void RunStrided(const Banded& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const T value = plan.value.As<T>();
    const int64_t from_step = plan.loop.inner_stride(0), step = plan.loop.inner_stride(2);
    cpu::ForEachRowPiece(plan.loop, executor, [&](const auto& at, uint64_t count) {
      const T* const from = bindings.Input<T>(0) + at[0];
      T* const to = bindings.Output<T>(0) + at[2];
      ForEachPiece(plan.band, at[1], plan.loop.inner_stride(1), static_cast<int64_t>(count),
                   [&](int64_t first, int64_t end, bool is_filled) {
                     const bool copies = !is_filled && plan.has_input;
                     const T other = is_filled ? value : T{};
                     for (int64_t i = first; i < end; ++i) {
                       to[i * step] = copies ? from[i * from_step] : other;
                     }
                   });
    });
  });
}

using Strategy = StrategyOf<Banded, NoTables>;

}  // namespace

constinit const std::array<CpuStrategy, 2> kBandedStrategies = {
    Strategy::Named<AcceptsPackedRows, RunPackedRows>("packed_rows"),
    Strategy::Named<AcceptsAll<Banded>, RunStrided>("strided"),
};

}  // namespace anydml::move
