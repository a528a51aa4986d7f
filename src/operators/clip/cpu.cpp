// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of ELEMENT_WISE_CLIP and ELEMENT_WISE_CLIP1.
#include "operators/clip/formula.h"
#include "operators/clip/plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/clip/cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/elementwise/cpu/elementwise-inl.h"
#include "kernels/elementwise/cpu/elementwise.h"
#include "kernels/elementwise/cpu/permuted-inl.h"
#include "operators/elementwise.h"
#include "operators/scale_bias-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::clip {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using cpu::HWY_NAMESPACE::LaneOf;

template <typename T>
struct ClipTo {
  T min;
  T max;
  ClipTo(T min, T max) : min(min), max(max) {}

  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V operator()(D d, V x) const {
    const V least = hn::Set(d, min);
    const V most = hn::Set(d, max);
    const V at_most_max = hn::IfThenElse(hn::Gt(x, most), most, x);
    return hn::IfThenElse(hn::Lt(at_most_max, least), least, at_most_max);
  }
};

// Halves are compared by their keys, which stay the same for both bounds: what
// lies above Max becomes Max, or Min where that is greater still.
template <>
struct ClipTo<Float16> {
  HalfKeyRange below;
  HalfKeyRange above;
  int16_t min;
  int16_t clipped_max;
  ClipTo(Float16 min, Float16 max)
      : below(HalfKeysLess(min)),
        above(HalfKeysGreater(max)),
        min(static_cast<int16_t>(min.bits)),
        clipped_max(static_cast<int16_t>((max < min ? min : max).bits)) {}

  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V operator()(D d, V x) const {
    const V keys = cpu::HWY_NAMESPACE::HalfKeys(d, x);
    const auto is_above = cpu::HWY_NAMESPACE::IsIn(d, keys, above);
    const auto is_below = cpu::HWY_NAMESPACE::IsIn(d, keys, below);
    const V at_most_max = hn::IfThenElse(is_above, hn::Set(d, clipped_max), x);
    return hn::IfThenElse(is_below, hn::Set(d, min), at_most_max);
  }
};

// Calls run<Lane>(f) with the formula of the plan's data type.
template <class Run>
void WithFormula(const Plan& plan, const Run& run) {
  DispatchType(Types(), plan.data_type, [&]<typename T>() HWY_ATTR {
    run.template operator()<LaneOf<T>>(ClipTo<T>(plan.min.As<T>(), plan.max.As<T>()));
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

// g(x) is rounded to the data type before it is clipped (O3), so it goes to the
// output first and is clipped there.
void PackedRowsScaled(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  DispatchType(TypeList<float, Float16>(), plan.data_type, [&]<typename T>() HWY_ATTR {
    const anydml::HWY_NAMESPACE::ApplyScaleBias g = {plan.scale_bias};
    const ClipTo<T> clip(plan.min.As<T>(), plan.max.As<T>());
    const T* const input = bindings.Input<T>(0);
    T* const output = bindings.Output<T>(0);
    cpu::ForEachRowPiece(plan.loop, executor, [&](const auto& at, uint64_t count) HWY_ATTR {
      cpu::HWY_NAMESPACE::TransformFloatRow(g, count, output + at[1], input + at[0]);
      auto* const row = reinterpret_cast<LaneOf<T>*>(output + at[1]);
      cpu::HWY_NAMESPACE::TransformRow(clip, count, row, row);
    });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::clip
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::clip {
namespace {

ANYDML_EXPORT_KERNEL(PackedRows);
ANYDML_EXPORT_KERNEL(Permuted);
ANYDML_EXPORT_KERNEL(PackedRowsScaled);

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    const T min = plan.min.As<T>();
    const T max = plan.max.As<T>();
    if (plan.scale_bias.present) {
      cpu::TransformStrided<T>(plan.loop, bindings, executor,
                               [&](T x) { return Clip(Apply(plan.scale_bias, x), min, max); });
    } else {
      cpu::TransformStrided<T>(plan.loop, bindings, executor,
                               [&](T x) { return Clip(x, min, max); });
    }
  });
}

using Strategy = StrategyOf<Plan, NoTables>;
constexpr CpuStrategy kStrategies[] = {
    Strategy::Elementwise<AcceptsPackedRows<Plan>, RunPackedRows>("packed_rows"),
    Strategy::Elementwise<AcceptsPackedRowsScaled<Plan>, RunPackedRowsScaled>("packed_rows_scaled"),
    Strategy::Named<AcceptsPermuted<Plan>, RunPermuted>("permuted"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace

// A NaN that ScaleBias calculates has no particular payload; one that is only
// passed on keeps its bits, which test.cpp asserts.
constinit const Kernel kKernel = {.name = "clip",
                                  .data_types = SetOf(Types()),
                                  .preserves_nan_bits = false,
                                  .make_plan = ErasePlan<Desc, Plan, MakePlan>,
                                  .explain = EraseExplain<Plan, Explain>,
                                  .make_tables = WithoutTables,
                                  .reference = EraseReference<Desc, Reference>,
                                  .cpu_strategies = kStrategies};

}  // namespace anydml::clip
#endif  // HWY_ONCE
