// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of SLICE and SLICE1. They only move elements, so all types are
// unsigned integers of four widths.
#include "operators/slice/plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/slice/cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/elementwise-inl.h"
#include "backends/cpu/permuted-inl.h"
#include "operators/elementwise.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::slice {
namespace HWY_NAMESPACE {
namespace hw = cpu::HWY_NAMESPACE;

struct Copy {
  template <class D, class V>
  HWY_INLINE V operator()(D, V x) const {
    return x;
  }
};

// The bindings with the input moved to the first element to be copied.
template <typename T>
Bindings FromStart(const Plan& plan, Bindings bindings) {
  bindings.inputs[0] = bindings.Input<T>(0) + plan.input_start;
  return bindings;
}

void PackedRows(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  DispatchWidth(plan.element_size, [&]<typename T>() HWY_ATTR {
    hw::TransformPackedRows<T>(plan.loop, FromStart<T>(plan, bindings), executor, Copy());
  });
}

void Permuted(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  DispatchWidth(plan.element_size, [&]<typename T>() HWY_ATTR {
    hw::TransformPermuted<T>(plan.loop, FromStart<T>(plan, bindings), executor, Copy());
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::slice
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::slice {
namespace {

ANYDML_EXPORT_KERNEL(PackedRows);
ANYDML_EXPORT_KERNEL(Permuted);

// Steps and flips along the output's innermost axis are not permutations.
Refusal AcceptsTransposed(const Plan& plan) {
  const int64_t stride = plan.loop.inner_stride(0);
  const int64_t magnitude = stride < 0 ? -stride : stride;
  if (magnitude != 1 && magnitude < 16) return {"the input is not permuted"};
  if (stride == -1) return {"the input is not permuted"};
  return kAccepted;
}

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const auto* input = bindings.Input<T>(0);
    auto* output = bindings.Output<T>(0);
    const int64_t start = plan.input_start;
    const std::array steps = {plan.loop.inner_stride(0), plan.loop.inner_stride(1)};
    cpu::ForEachRowPiece(plan.loop, executor, [=](const auto& at, uint64_t count) {
      for (int64_t i = 0; i < static_cast<int64_t>(count); ++i) {
        output[at[1] + i * steps[1]] = input[start + at[0] + i * steps[0]];
      }
    });
  });
}

using Strategy = StrategyOf<Plan, NoTables>;
constexpr CpuStrategy kStrategies[] = {
    Strategy::Named<AcceptsRows<Plan>, RunPackedRows>("packed_rows"),
    Strategy::Named<AcceptsTransposed, RunPermuted>("permuted"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace

constinit const Kernel kKernel = {
    .name = "slice",
    .data_types = SetOf(IntegerTypes()) | SetOf(TypeList<double, float, Float16>()),
    .preserves_nan_bits = true,
    .make_plan = ErasePlan<Desc, Plan, MakePlan>,
    .explain = EraseExplain<Plan, Explain>,
    .make_tables = WithoutTables,
    .reference = EraseReference<Desc, Reference>,
    .cpu_strategies = kStrategies};

}  // namespace anydml::slice
#endif  // HWY_ONCE
