// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of MAX_POOLING, MAX_POOLING1 and MAX_POOLING2.
#include "operators/max_pooling/formula.h"
#include "operators/max_pooling/plan.h"
#include "operators/max_pooling/rows.h"
#include "operators/max_pooling/strategies.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/max_pooling/cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/window/cpu/window_maximum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

// Bits that LoadBits widened.
template <class DI>
HWY_INLINE void StoreBits(DI di, hn::Vec<DI> bits, float* to) {
  const hn::RebindToFloat<DI> df;
  hn::StoreU(hn::BitCast(df, bits), df, to);
  (void)di;
}

template <class DI>
HWY_INLINE void StoreBits(DI, hn::Vec<DI> bits, Float16* to) {
  const hn::Rebind<int16_t, DI> d16;
  hn::StoreU(hn::DemoteTo(d16, bits), d16, reinterpret_cast<int16_t*>(to));
}

template <int kStep, typename T>
HWY_INLINE void Row(const OutputRowOf<T>& row, int64_t first, int64_t count) {
  vectors::RowWinners<kStep>(
      vectors::RowOfWindows<T>{row.plane, row.plan.input, row.plan.loop, row.depth, row.height},
      first, count,
      [&](auto di, int64_t o, auto indices, auto bits) HWY_ATTR {
        StoreBits(di, bits, row.output + o);
        if (!row.HasIndices()) return;
        const hn::RebindToUnsigned<decltype(di)> du;
        HWY_ALIGN uint32_t lanes[hn::MaxLanes(du)];
        hn::Store(indices, du, lanes);
        for (size_t i = 0; i < hn::Lanes(du); ++i) {
          row.PutIndex(o + static_cast<int64_t>(i), {.index = lanes[i]});
        }
      },
      [&](int64_t o, const Winner& winner) { row.Put(o, winner); });
}

void PackedRows(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const bool one = plan.loop.axes[WindowLoop::kWidth].stride == 1;
  DispatchType(TypeList<float, Float16>(), plan.data_type, [&]<typename T>() HWY_ATTR {
    ForEachOutputRow<T>(plan, bindings, executor,
                        [=](const OutputRowOf<T>& row, int64_t first, int64_t count) HWY_ATTR {
                          one ? Row<1>(row, first, count) : Row<2>(row, first, count);
                        });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::max_pooling
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::max_pooling {
namespace {

HWY_EXPORT(PackedRows);

Refusal AcceptsPackedRows(const Plan& plan) {
  if (!SetOf(TypeList<float, Float16>()).Contains(plan.data_type)) {
    return {"the data type is neither FLOAT32 nor FLOAT16"};
  }
  if (plan.input.spatial[WindowLoop::kWidth] != 1 || plan.output.spatial[WindowLoop::kWidth] != 1) {
    return {"the innermost stride of InputTensor or OutputTensor is not 1"};
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

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    ForEachOutputRow<T>(
        plan, bindings, executor,
        [](const OutputRowOf<T>& row, int64_t first, int64_t count) { row.PutEach(first, count); });
  });
}

using Strategy = StrategyOf<Plan, NoTables>;
constexpr CpuStrategy kStrategies[] = {
    Strategy::Named<AcceptsOneWindow, RunOneWindow>("one_window"),
    Strategy::Named<AcceptsChannelWindows, RunChannelWindows>("channel_windows"),
    Strategy::Named<AcceptsRowMaxima, RunRowMaxima>("row_maxima"),
    Strategy::Named<AcceptsPackedRows, RunPackedRows>("packed_rows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace

constinit const Kernel kKernel = {.name = "max_pooling",
                                  .data_types = SetOf(Types()),
                                  .preserves_nan_bits = true,
                                  .make_plan = ErasePlan<Desc, Plan, MakePlan>,
                                  .explain = EraseExplain<Plan, Explain>,
                                  .make_tables = WithoutTables,
                                  .reference = EraseReference<Desc, Reference>,
                                  .cpu_strategies = kStrategies};

}  // namespace anydml::max_pooling
#endif  // HWY_ONCE
