// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of ELEMENT_WISE_IDENTITY. A copy dispatches by the width of the
// element; ScaleBias calculates and dispatches by its type.
#include "operators/identity/formula.h"
#include "operators/identity/plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/identity/cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/elementwise/cpu/elementwise-inl.h"
#include "kernels/elementwise/cpu/elementwise.h"
#include "kernels/elementwise/cpu/permuted-inl.h"
#include "operators/elementwise.h"
#include "operators/scale_bias-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::identity {
namespace HWY_NAMESPACE {

// The bits of an element, whatever they mean.
struct Copy {
  template <class D, class V>
  HWY_INLINE V operator()(D, V x) const {
    return x;
  }
};

void PackedRows(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  // In place there is nothing to do: aliased tensors have equal strides (B23).
  if (bindings.inputs[0] == bindings.outputs[0]) return;
  DispatchWidth(ElementSize(plan.data_type), [&]<typename T>() HWY_ATTR {
    cpu::HWY_NAMESPACE::TransformPackedRows<T>(plan.loop, bindings, executor, Copy());
  });
}

void Permuted(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  DispatchWidth(ElementSize(plan.data_type), [&]<typename T>() HWY_ATTR {
    cpu::HWY_NAMESPACE::TransformPermuted<T>(plan.loop, bindings, executor, Copy());
  });
}

void PackedRowsScaled(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  DispatchType(TypeList<float, Float16>(), plan.data_type, [&]<typename T>() HWY_ATTR {
    const anydml::HWY_NAMESPACE::ApplyScaleBias g = {plan.scale_bias};
    const T* const input = bindings.Input<T>(0);
    T* const output = bindings.Output<T>(0);
    cpu::ForEachRowPiece(plan.loop, executor, [&](const auto& at, uint64_t count) HWY_ATTR {
      cpu::HWY_NAMESPACE::TransformFloatRow(g, count, output + at[1], input + at[0]);
    });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::identity
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::identity {
namespace {

ANYDML_EXPORT_KERNEL(PackedRows);
ANYDML_EXPORT_KERNEL(PackedRowsScaled);
ANYDML_EXPORT_KERNEL(Permuted);

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  if (!plan.scale_bias.present) {
    DispatchWidth(ElementSize(plan.data_type), [&]<typename T>() {
      cpu::TransformStrided<T>(plan.loop, bindings, executor, [](T x) { return Identity(x); });
    });
    return;
  }
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    cpu::TransformStrided<T>(plan.loop, bindings, executor,
                             [&](T x) { return Apply(plan.scale_bias, x); });
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

// A NaN that ScaleBias calculates has no particular payload; a copied one keeps
// its bits, which test.cpp asserts.
constinit const Kernel kKernel = {.name = "identity",
                                  .data_types = SetOf(Types()),
                                  .preserves_nan_bits = false,
                                  .make_plan = ErasePlan<Desc, Plan, MakePlan>,
                                  .explain = EraseExplain<Plan, Explain>,
                                  .make_tables = WithoutTables,
                                  .reference = EraseReference<Desc, Reference>,
                                  .cpu_strategies = kStrategies};

}  // namespace anydml::identity
#endif  // HWY_ONCE
