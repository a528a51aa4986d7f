// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Random words, every one from its index alone.
#include "backends/cpu/rows.h"
#include "kernels/move/cpu/strategies.h"
#include "kernels/move/random_plan.h"

namespace anydml::move {
namespace {

Refusal AcceptsPackedRows(const RandomWords& plan) {
  if (plan.loop.inner_stride(0) != 1 || plan.loop.inner_stride(1) != 1) {
    return {"the output's innermost stride is not 1"};
  }
  return kAccepted;
}

// `count` words from an index on.
void PutRow(const RandomState& state, uint64_t index, uint32_t* to, uint64_t count) {
  uint64_t skip = index % 4;
  for (uint64_t block = index / 4; count > 0; ++block) {
    const PhiloxCounter words = state.Words(block);
    const uint64_t n = std::min(4 - skip, count);
    std::copy_n(words.data() + skip, n, to);
    to += n;
    count -= n;
    skip = 0;
  }
}

template <bool kPacked>
void RunRandom(const RandomWords& plan, const NoTables&, const Bindings& bindings,
               const cpu::Executor& executor) {
  const RandomState state(bindings.Input<uint32_t>(0), plan.input_step);
  const StridedLoop<2>& loop = plan.loop;
  cpu::ForEachRowPiece(loop, executor, [&](const auto& at, uint64_t count) {
    uint32_t* to = bindings.Output<uint32_t>(0) + at[1];
    if (kPacked) return PutRow(state, static_cast<uint64_t>(at[0]), to, count);
    for (int64_t i = 0; i < static_cast<int64_t>(count); ++i) {
      const auto index = static_cast<uint64_t>(at[0] + i * loop.inner_stride(0));
      to[i * loop.inner_stride(1)] = state.Words(index / 4)[index % 4];
    }
  });
  if (plan.output_step == 0) return;
  state.PutAdvanced(loop.ElementCount(), bindings.Output<uint32_t>(1), plan.output_step);
}

using Strategy = StrategyOf<RandomWords, NoTables>;

}  // namespace

constinit const std::array<CpuStrategy, 2> kRandomStrategies = {
    Strategy::Named<AcceptsPackedRows, RunRandom<true>>("packed_rows"),
    Strategy::Named<AcceptsAll<RandomWords>, RunRandom<false>>("strided"),
};

}  // namespace anydml::move
