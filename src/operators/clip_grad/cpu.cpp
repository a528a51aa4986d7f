// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of ELEMENT_WISE_CLIP_GRAD and ELEMENT_WISE_CLIP_GRAD1.
#include "operators/clip_grad/formula.h"
#include "operators/clip_grad/plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/clip_grad/cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/elementwise/cpu/elementwise-inl.h"
#include "kernels/elementwise/cpu/elementwise.h"
#include "kernels/elementwise/cpu/permuted-inl.h"
#include "operators/elementwise.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::clip_grad {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using cpu::HWY_NAMESPACE::LaneOf;

template <typename T>
struct SelectGradient {
  T min;
  T max;
  SelectGradient(T min, T max) : min(min), max(max) {}

  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V operator()(D d, V x, V dy) const {
    const V least = hn::Set(d, min);
    const V most = hn::Set(d, max);
    if constexpr (std::is_same_v<T, float>) {
      return hn::IfThenZeroElse(hn::Or(hn::Le(x, least), hn::Ge(x, most)), dy);
    } else {  // without NaN the two forms are one, and Highway has no Le for integers
      return hn::IfThenElseZero(hn::And(hn::Gt(x, least), hn::Lt(x, most)), dy);
    }
  }
};

template <>
struct SelectGradient<Float16> {
  HalfKeyRange at_min_or_below;
  HalfKeyRange at_max_or_above;
  SelectGradient(Float16 min, Float16 max)
      : at_min_or_below(HalfKeysLessOrEqual(min)), at_max_or_above(HalfKeysGreaterOrEqual(max)) {}

  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V operator()(D d, V x, V dy) const {
    const V keys = cpu::HWY_NAMESPACE::HalfKeys(d, x);
    return hn::IfThenZeroElse(hn::Or(cpu::HWY_NAMESPACE::IsIn(d, keys, at_min_or_below),
                                     cpu::HWY_NAMESPACE::IsIn(d, keys, at_max_or_above)),
                              dy);
  }
};

// Calls run<Lane>(f) with the formula of the plan's data type.
template <class Run>
void WithFormula(const Plan& plan, const Run& run) {
  DispatchType(Types(), plan.data_type, [&]<typename T>() HWY_ATTR {
    run.template operator()<LaneOf<T>>(SelectGradient<T>(plan.min.As<T>(), plan.max.As<T>()));
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
}  // namespace anydml::clip_grad
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::clip_grad {
namespace {

ANYDML_EXPORT_KERNEL(PackedRows);
ANYDML_EXPORT_KERNEL(Permuted);

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    const T min = plan.min.As<T>();
    const T max = plan.max.As<T>();
    cpu::TransformStrided<T>(plan.loop, bindings, executor,
                             [&](T x, T dy) { return Gradient(x, dy, min, max); });
  });
}

using Strategy = StrategyOf<Plan, NoTables>;
constexpr CpuStrategy kStrategies[] = {
    Strategy::Elementwise<AcceptsPackedRows<Plan>, RunPackedRows>("packed_rows"),
    Strategy::Named<AcceptsPermuted<Plan>, RunPermuted>("permuted"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace

constinit const Kernel kKernel = {.name = "clip_grad",
                                  .data_types = SetOf(Types()),
                                  .preserves_nan_bits = true,
                                  .make_plan = ErasePlan<Desc, Plan, MakePlan>,
                                  .explain = EraseExplain<Plan, Explain>,
                                  .make_tables = WithoutTables,
                                  .reference = EraseReference<Desc, Reference>,
                                  .cpu_strategies = kStrategies};

}  // namespace anydml::clip_grad
#endif  // HWY_ONCE
