// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of SLICE and SLICE1, and of SLICE_GRAD. They only move elements, so all types are
// unsigned integers of four widths.
#include <cstdlib>

#include "kernels/elementwise/cpu/walk.h"
#include "kernels/move/cpu/placed_loop.h"
#include "operators/slice/plan.h"

namespace anydml::slice {
namespace {

constexpr int64_t kFarStride = 16;

// Whether the input has the output's order of dimensions, in either direction.
bool IsInOrder(const PlacedLoop& rows) {
  for (uint32_t i = 0; i + 1 < rows.rank; ++i) {
    const PlacedAxis& inner = rows.axes[i + 1];
    const int64_t span = int64_t{inner.count - 1} * std::llabs(inner.input_stride);
    if (std::llabs(rows.axes[i].input_stride) <= span) return false;
  }
  return true;
}

// What the rows have in common; kAccepts adds what a kernel needs of them.
template <auto kAccepts>
Refusal AcceptsRows(const Plan& plan) {
  const PlacedAxis& row = plan.rows.inner();
  if (std::llabs(row.input_stride) >= kFarStride) {
    return {"elements of a row are 16 and more apart in the input"};
  }
  // Lines would be read again and again.
  if (row.size < 16 && !IsInOrder(plan.rows)) {
    return {"the rows are shorter than 16 elements, and the input is permuted"};
  }
  return kAccepts(plan.rows);
}

// Steps and flips along the output's innermost axis are not permutations.
Refusal AcceptsTransposed(const Plan& plan) {
  const int64_t stride = plan.loop.inner_stride(0);
  if (stride != 1 && std::llabs(stride) < kFarStride) return {"the input is not permuted"};
  return kAccepted;
}

template <auto kPlace>
void Run(const Plan& plan, const NoTables&, const Bindings& bindings,
         const cpu::Executor& executor) {
  kPlace(plan.rows, bindings, executor);
}

void RunPermuted(const Plan& plan, const NoTables&, const Bindings& bindings,
                 const cpu::Executor& executor) {
  const int64_t start = plan.input_start * int64_t{plan.element_size};
  elementwise::CopyTiles(plan.loop, plan.element_size, bindings.Input<std::byte>(0) + start,
                         bindings.outputs[0], executor);
}

// Those of the gradient take the rows as they are.
template <auto kAccepts>
Refusal AcceptsPlaced(const GradientPlan& plan) {
  return kAccepts(plan);
}
template <auto kPlace>
void RunPlaced(const GradientPlan& plan, const NoTables&, const Bindings& bindings,
               const cpu::Executor& executor) {
  kPlace(plan, bindings, executor);
}

using Strategy = StrategyOf<Plan, NoTables>;
constexpr CpuStrategy kStrategies[] = {
    Strategy::Named<AcceptsRows<cpu::AcceptsPackedRows>, Run<cpu::PlacePackedRows>>("packed_rows"),
    Strategy::Named<AcceptsRows<cpu::AcceptsSteppedRows>, Run<cpu::PlaceSteppedRows>>(
        "stepped_rows"),
    Strategy::Named<AcceptsRows<cpu::AcceptsGappedRows>, Run<cpu::PlaceGappedRows>>("gapped_rows"),
    Strategy::Named<AcceptsTransposed, RunPermuted>("permuted"),
    Strategy::Named<AcceptsAll<Plan>, Run<cpu::PlaceStrided>>("strided"),
};

using Placed = StrategyOf<GradientPlan, NoTables>;
constexpr CpuStrategy kGradientStrategies[] = {
    Placed::Named<AcceptsPlaced<cpu::AcceptsPackedRows>, RunPlaced<cpu::PlacePackedRows>>(
        "packed_rows"),
    Placed::Named<AcceptsPlaced<cpu::AcceptsSteppedRows>, RunPlaced<cpu::PlaceSteppedRows>>(
        "stepped_rows"),
    Placed::Named<AcceptsPlaced<cpu::AcceptsGappedRows>, RunPlaced<cpu::PlaceGappedRows>>(
        "gapped_rows"),
    Placed::Named<AcceptsAll<GradientPlan>, RunPlaced<cpu::PlaceStrided>>("strided"),
};

constexpr DataTypeSet kAllTypes = SetOf(IntegerTypes()) | SetOf(TypeList<double, float, Float16>());

}  // namespace

constinit const Kernel kKernel = {.name = "slice",
                                  .data_types = kAllTypes,
                                  .preserves_nan_bits = true,
                                  .make_plan = ErasePlan<Desc, Plan, MakePlan>,
                                  .explain = EraseExplain<Plan, Explain>,
                                  .make_tables = WithoutTables,
                                  .reference = EraseReference<Desc, Reference>,
                                  .cpu_strategies = kStrategies};

constinit const Kernel kGradientKernel = {
    .name = "slice_grad",
    .data_types = kAllTypes,
    .preserves_nan_bits = true,
    .make_plan = ErasePlan<Desc, GradientPlan, MakeGradientPlan>,
    .explain = EraseExplain<GradientPlan, ExplainGradient>,
    .make_tables = WithoutTables,
    .reference = EraseReference<Desc, GradientReference>,
    .cpu_strategies = kGradientStrategies};

}  // namespace anydml::slice
