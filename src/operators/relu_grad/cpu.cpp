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

#include "kernels/elementwise/cpu/elementwise-inl.h"
#include "kernels/elementwise/cpu/elementwise.h"
#include "kernels/elementwise/cpu/permuted-inl.h"
#include "operators/elementwise.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::relu_grad {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using cpu::HWY_NAMESPACE::LaneOf;

template <typename T>
struct SelectGradient {
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V operator()(D d, V x, V dy) const {
    if constexpr (std::is_same_v<T, Float16>) {  // D has int16_t lanes; see formula.h
      const auto positive = hn::And(hn::Gt(x, hn::Zero(d)), hn::Lt(x, hn::Set(d, 0x7C01)));
      return hn::IfThenElseZero(positive, dy);
    } else {
      return hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), dy);
    }
  }
};

// Calls run<Lane>(f) with the formula of the plan's data type.
template <class Run>
void WithFormula(const Plan& plan, const Run& run) {
  DispatchType(Types(), plan.data_type, [&]<typename T>() HWY_ATTR {
    run.template operator()<LaneOf<T>>(SelectGradient<T>());
  });
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
}  // namespace anydml::relu_grad
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::relu_grad {
namespace {

ANYDML_EXPORT_KERNEL(PackedRows);
ANYDML_EXPORT_KERNEL(Permuted);

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    cpu::TransformStrided<T>(plan.loop, bindings, executor,
                             [](T x, T dy) { return Gradient(x, dy); });
  });
}

using Strategy = StrategyOf<Plan, NoTables>;
constexpr CpuStrategy kStrategies[] = {
    Strategy::Elementwise<AcceptsPackedRows<Plan>, RunPackedRows>("packed_rows"),
    Strategy::Named<AcceptsPermuted<Plan>, RunPermuted>("permuted"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace

constinit const Kernel kKernel = {.name = "relu_grad",
                                  .data_types = SetOf(Types()),
                                  .preserves_nan_bits = true,
                                  .make_plan = ErasePlan<Desc, Plan, MakePlan>,
                                  .explain = EraseExplain<Plan, Explain>,
                                  .make_tables = WithoutTables,
                                  .reference = EraseReference<Desc, Reference>,
                                  .cpu_strategies = kStrategies};

}  // namespace anydml::relu_grad
#endif  // HWY_ONCE
