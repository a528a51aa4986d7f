// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of ACTIVATION_RELU.
#include "operators/relu/formula.h"
#include "operators/relu/plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/relu/cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/elementwise/cpu/elementwise-inl.h"
#include "kernels/elementwise/cpu/elementwise.h"
#include "kernels/elementwise/cpu/permuted-inl.h"
#include "operators/elementwise.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::relu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using cpu::HWY_NAMESPACE::LaneOf;

template <typename T>
struct ReluOf {
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V operator()(D d, V x) const {
    if constexpr (std::is_same_v<T, Float16>) {
      // As int16_t, the halves from -0.0 (0x8000) to -infinity (0xFC00) are the
      // least; the negative NaN follow, and then all that is positive.
      return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -0x3FF)), x);
    } else if constexpr (std::is_same_v<T, float>) {
      return hn::IfThenZeroElse(hn::Le(x, hn::Zero(d)), x);
    } else {
      return hn::Max(x, hn::Zero(d));
    }
  }
};

// Calls run<Lane>(f) with the formula of the plan's data type.
template <class Run>
void WithFormula(const Plan& plan, const Run& run) {
  DispatchType(Types(), plan.data_type,
               [&]<typename T>() HWY_ATTR { run.template operator()<LaneOf<T>>(ReluOf<T>()); });
}

void PackedRows(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  WithFormula(plan, [&]<typename Lane>(const auto& f) HWY_ATTR {
    cpu::HWY_NAMESPACE::TransformPackedRows<Lane>(plan.loop, bindings, executor, f);
  });
}

void Permuted(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  WithFormula(plan, [&]<typename Lane>(const auto& f) HWY_ATTR {
    cpu::HWY_NAMESPACE::TransformPermuted<Lane>(plan.loop, bindings, executor, f);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::relu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::relu {
namespace {

ANYDML_EXPORT_KERNEL(PackedRows);
ANYDML_EXPORT_KERNEL(Permuted);

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    cpu::TransformStrided<T>(plan.loop, bindings, executor, [](T x) { return Relu(x); });
  });
}

using Strategy = StrategyOf<Plan, NoTables>;
constexpr CpuStrategy kStrategies[] = {
    Strategy::Elementwise<AcceptsPackedRows<Plan>, RunPackedRows>("packed_rows"),
    Strategy::Named<AcceptsPermuted<Plan>, RunPermuted>("permuted"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace

constinit const Kernel kKernel = {.name = "relu",
                                  .data_types = SetOf(Types()),
                                  .preserves_nan_bits = true,
                                  .make_plan = ErasePlan<Desc, Plan, MakePlan>,
                                  .explain = EraseExplain<Plan, Explain>,
                                  .make_tables = WithoutTables,
                                  .reference = EraseReference<Desc, Reference>,
                                  .cpu_strategies = kStrategies};

}  // namespace anydml::relu
#endif  // HWY_ONCE
