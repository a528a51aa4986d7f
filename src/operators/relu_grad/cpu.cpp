// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of ACTIVATION_RELU_GRAD.
#include "operators/relu_grad/formula.h"
#include "operators/relu_grad/plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/relu_grad/cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/rows.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::relu_grad {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename T, class D, class V = hn::Vec<D>>
HWY_INLINE V Select(D d, V x, V dy) {
  if constexpr (std::is_same_v<T, Float16>) {  // D has int16_t lanes; see formula.h
    const auto positive = hn::And(hn::Gt(x, hn::Zero(d)), hn::Lt(x, hn::Set(d, 0x7C01)));
    return hn::IfThenElseZero(positive, dy);
  } else {
    return hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), dy);
  }
}

// dx may be x or dy (in-place execution), hence no HWY_RESTRICT.
template <typename T, typename Lane>
HWY_INLINE void Row(const Lane* x, const Lane* dy, size_t count, Lane* dx) {
  const hn::ScalableTag<Lane> d;
  const size_t N = hn::Lanes(d);
  size_t i = 0;
  for (; i + N <= count; i += N) {
    hn::StoreU(Select<T>(d, hn::LoadU(d, x + i), hn::LoadU(d, dy + i)), d, dx + i);
  }
  const hn::CappedTag<Lane, 1> d1;
  for (; i < count; ++i) {
    hn::StoreU(Select<T>(d1, hn::LoadU(d1, x + i), hn::LoadU(d1, dy + i)), d1, dx + i);
  }
}

void PackedRows(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type, [&]<typename T>() HWY_ATTR {
    using Lane = std::conditional_t<std::is_same_v<T, Float16>, int16_t, T>;
    const auto* x = bindings.Input<Lane>(0);
    const auto* dy = bindings.Input<Lane>(1);
    auto* dx = bindings.Output<Lane>(0);
    cpu::ForEachRowPiece(plan.loop, executor, [=](const auto& at, uint64_t count) HWY_ATTR {
      Row<T>(x + at[0], dy + at[1], count, dx + at[2]);
    });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::relu_grad
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::relu_grad {
namespace {

HWY_EXPORT(PackedRows);

Refusal AcceptsPackedRows(const Plan& plan) {
  if (!plan.loop.HasUnitInnerStrides()) return {"the innermost stride is not 1 in every tensor"};
  return kAccepted;
}

void RunPackedRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                   const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(PackedRows)(plan, bindings, executor);
}

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    const auto* x = bindings.Input<T>(0);
    const auto* dy = bindings.Input<T>(1);
    auto* dx = bindings.Output<T>(0);
    const std::array steps = {plan.loop.inner_stride(0), plan.loop.inner_stride(1),
                              plan.loop.inner_stride(2)};
    cpu::ForEachRowPiece(plan.loop, executor, [=](const auto& at, uint64_t count) {
      for (int64_t i = 0; i < static_cast<int64_t>(count); ++i) {
        dx[at[2] + i * steps[2]] = Gradient(x[at[0] + i * steps[0]], dy[at[1] + i * steps[1]]);
      }
    });
  });
}

using Strategy = StrategyOf<Plan, NoTables>;
constexpr CpuStrategy kStrategies[] = {
    Strategy::Named<AcceptsPackedRows, RunPackedRows>("packed_rows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace

constinit const Kernel kKernel = {.name = "relu_grad",
                        .data_types = SetOf(Types()),
                        .preserves_nan_bits = true,
                        .make_plan = ErasePlan<Desc, Plan, MakePlan>,
                        .make_tables = WithoutTables,
                        .reference = EraseReference<Desc, Reference>,
                        .cpu_strategies = kStrategies};

}  // namespace anydml::relu_grad
#endif  // HWY_ONCE
