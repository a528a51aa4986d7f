// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of MAX_POOLING_GRAD. Both work in two phases: find the winner
// of every window, then let every element of OutputGradientTensor collect the
// gradients that it won. Each phase writes every element once, so threads never
// meet and the order of each sum is fixed.
#include "kernels/window/cpu/gradient_strategies.h"
#include "operators/max_pooling_grad/formula.h"
#include "operators/max_pooling_grad/plan.h"
#include "operators/max_pooling_grad/rows.h"
#include "operators/max_pooling_grad/strategies.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/max_pooling_grad/cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/float16-inl.h"
#include "kernels/window/cpu/window_maximum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling_grad {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

template <int kStep, typename T>
HWY_INLINE void FindRow(const Memory<T>& memory, int64_t number, int64_t first, int64_t count) {
  const WindowLoop& loop = memory.plan.loop;
  const WindowRow row = OutputRow(loop, number);
  uint32_t* winners = memory.winners + number * loop.axes[WindowLoop::kWidth].output_size;
  vectors::RowWinners<kStep>(
      vectors::RowOfWindows<T>{memory.InputPlane(row.plane), memory.plan.input, loop,
                               TapsOf(loop.axes[WindowLoop::kDepth], row.depth),
                               TapsOf(loop.axes[WindowLoop::kHeight], row.height)},
      first, count,
      [&](auto, int64_t o, auto indices, auto)
          HWY_ATTR { hn::StoreU(indices, hn::DFromV<decltype(indices)>(), winners + o); },
      [&](int64_t o, const Winner& winner) { winners[o] = winner.index; });
}

// The elements p, p + kStep, p + 2 * kStep ... of a row, all wholly seen. Their
// windows of one tap lie side by side. An element that did not win adds +0,
// which changes no sum: none is ever -0, since each starts from +0.
template <int kStep, typename T, class D>
HWY_INLINE hn::Vec<D> Sums(D d, const GradientRow<T>& row, int64_t p) {
  const hn::RebindToUnsigned<D> du;
  const WindowAxis& width = row.loop.axes[WindowLoop::kWidth];
  const int64_t heights = row.loop.axes[WindowLoop::kHeight].output_size;
  const auto index =
      hn::Add(hn::Set(du, row.index + static_cast<uint32_t>(p)), vectors::LanePositions<kStep>(du));
  const auto& [depth, height] = row.windows;
  auto sum = hn::Zero(d);
  for (int64_t i = 0, od = depth.first; i < depth.count; ++i, od += depth.step) {
    for (int64_t j = 0, oh = height.first; j < height.count; ++j, oh += height.step) {
      const uint32_t* winners = row.winners + (od * heights + oh) * width.output_size;
      const T* dy = row.dy + od * row.strides.spatial[0] + oh * row.strides.spatial[1];
      // The last tap first: ascending windows (B13).
      for (int64_t w = width.reach(); w >= 0; w -= width.dilation) {
        const int64_t target = p + width.start_padding - w;
        if (target % kStep != 0) continue;
        const int64_t o = target / kStep;
        const auto won = hn::RebindMask(d, hn::Eq(hn::LoadU(du, winners + o), index));
        sum = hn::Add(sum, hn::IfThenElseZero(won, vectors::LoadFloats(d, dy + o)));
      }
    }
  }
  return sum;
}

// kStep * Lanes(d) elements from p on.
template <int kStep, typename T, class D>
HWY_INLINE void CollectBlock(D d, const GradientRow<T>& row, int64_t p) {
  T* dx = row.dx + p;
  if constexpr (kStep == 1) {
    vectors::StoreFloats(d, Sums<1>(d, row, p), dx);
  } else {
    const auto even = Sums<2>(d, row, p), odd = Sums<2>(d, row, p + 1);
    if constexpr (std::is_same_v<T, float>) {
      hn::StoreInterleaved2(even, odd, d, dx);
    } else {
      HWY_ALIGN float both[2 * hn::MaxLanes(d)];
      hn::StoreInterleaved2(even, odd, d, both);
      vectors::StoreFloats(d, hn::LoadU(d, both), dx);
      vectors::StoreFloats(d, hn::LoadU(d, both + hn::Lanes(d)), dx + hn::Lanes(d));
    }
  }
}

// The last block may overlap the one before it; it writes the same sums.
template <int kStep, typename T, class D>
HWY_INLINE void CollectBlocks(D d, const GradientRow<T>& row, IndexRange range) {
  const auto length = static_cast<int64_t>(kStep * hn::Lanes(d));
  for (int64_t p = range.begin; p + length < range.end; p += length) {
    CollectBlock<kStep>(d, row, p);
  }
  CollectBlock<kStep>(d, row, range.end - length);
}

template <int kStep, typename T>
HWY_INLINE void CollectRow(const Memory<T>& memory, int64_t number, int64_t first, int64_t count) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 4> d4;
  const GradientRow<T> row(memory, number);
  IndexRange seen = WhollySeenInputs(row.loop.axes[WindowLoop::kWidth]);
  seen = {std::max(seen.begin, first), std::min(seen.end, first + count)};
  const int64_t length = seen.end - seen.begin;
  if (length < static_cast<int64_t>(kStep * hn::Lanes(d4))) {
    seen = {first, first};
  } else if (length < static_cast<int64_t>(kStep * hn::Lanes(d))) {
    CollectBlocks<kStep>(d4, row, seen);
  } else {
    CollectBlocks<kStep>(d, row, seen);
  }
  row.Collect(first, seen.begin);
  row.Collect(seen.end, first + count);
}

template <int kStep>
void RunStep(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type, [&]<typename T>() HWY_ATTR {
    const Memory<T> memory(plan, bindings);
    ForBothPhases(
        plan.loop, executor,
        [&](int64_t row, int64_t first, int64_t count)
            HWY_ATTR { FindRow<kStep>(memory, row, first, count); },
        [&](int64_t row, int64_t first, int64_t count)
            HWY_ATTR { CollectRow<kStep>(memory, row, first, count); });
  });
}

void PackedRows(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  if (plan.loop.axes[WindowLoop::kWidth].stride == 1) {
    RunStep<1>(plan, bindings, executor);
  } else {
    RunStep<2>(plan, bindings, executor);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::max_pooling_grad
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::max_pooling_grad {
namespace {

HWY_EXPORT(PackedRows);

// One index per window.
uint64_t WinnerBytes(const Plan& plan) {
  return static_cast<uint64_t>(plan.loop.PlaneCount() * plan.loop.OutputPlaneSize()) *
         sizeof(uint32_t);
}

Refusal AcceptsPackedRows(const Plan& plan) {
  for (const PlaneStrides* strides : {&plan.input, &plan.input_gradient, &plan.output_gradient}) {
    if (strides->spatial[WindowLoop::kWidth] != 1) {
      return {"the innermost stride is not 1 in every tensor"};
    }
  }
  if (plan.loop.axes[WindowLoop::kWidth].stride > 2) {
    return {"the window's stride along the width is neither 1 nor 2"};
  }
  return kAccepted;
}

void RunPackedRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                   const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(PackedRows)(plan, bindings, executor);
}

template <typename T>
void FindStridedRow(const Memory<T>& memory, int64_t number, int64_t first, int64_t count) {
  const WindowLoop& loop = memory.plan.loop;
  const WindowAxis& width = loop.axes[WindowLoop::kWidth];
  const WindowRow row = OutputRow(loop, number);
  WindowTaps taps = {TapsOf(loop.axes[WindowLoop::kDepth], row.depth),
                     TapsOf(loop.axes[WindowLoop::kHeight], row.height),
                     {}};
  for (int64_t o = first; o < first + count; ++o) {
    taps.width = TapsOf(width, o);
    memory.winners[number * width.output_size + o] =
        FindWinner(memory.InputPlane(row.plane), memory.plan.input, loop, taps).index;
  }
}

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    const Memory<T> memory(plan, bindings);
    ForBothPhases(
        plan.loop, executor,
        [&](int64_t row, int64_t first, int64_t count) {
          FindStridedRow(memory, row, first, count);
        },
        [&](int64_t row, int64_t first, int64_t count) {
          GradientRow<T>(memory, row).Collect(first, first + count);
        });
  });
}

using Strategy = StrategyOf<Plan, NoTables>;
constexpr CpuStrategy kStrategies[] = {
    Strategy::Named<AcceptsSeparateChannels, RunSeparateChannels>("separate_channels"),
    Strategy::Named<AcceptsOneWindow, RunOneWindow>("one_window"),
    Strategy::Named<AcceptsColumnPairs, RunColumnPairs>("column_pairs"),
    Strategy::Named<AcceptsSeparateRows, RunSeparateRows>("separate_rows"),
    Strategy::Named<AcceptsDenseChannels, RunDenseChannels>("dense_channels"),
    Strategy::Named<AcceptsSharedChannels, RunSharedChannels>("shared_channels"),
    Strategy::Named<AcceptsSharedColumns, RunSharedColumns>("shared_columns"),
    Strategy::Named<AcceptsSharedRows, RunSharedRows>("shared_rows"),
    Strategy::Named<window::AcceptsRows, window::RunRows>("rows"),
    Strategy::Named<AcceptsPackedRows, RunPackedRows, WinnerBytes>("packed_rows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided, WinnerBytes>("strided"),
};

}  // namespace

constinit const Kernel kKernel = {.name = "max_pooling_grad",
                                  .data_types = SetOf(Types()),
                                  .preserves_nan_bits = false,
                                  .make_plan = ErasePlan<Desc, Plan, MakePlan>,
                                  .explain = EraseExplain<Plan, Explain>,
                                  .make_tables = WithoutTables,
                                  .reference = EraseReference<Desc, Reference>,
                                  .cpu_strategies = kStrategies};

}  // namespace anydml::max_pooling_grad
#endif  // HWY_ONCE
