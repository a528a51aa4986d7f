// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/elementwise/cpu/strategies.h"

#include "kernels/elementwise/cpu/walk.h"

namespace anydml::elementwise {
namespace {

Work WorkOf(const Plan& plan, const RowEntry& (*find)(Formula, TypeKey)) {
  Work work = {.row = &find(plan.formula, plan.types),
               .attributes = &plan.attributes,
               .inputs = plan.inputs,
               .element_sizes = plan.element_sizes};
  if (plan.scaled) {
    work.first_stage = find(Formula::kScaleBias, plan.scaled_type).run;
    work.first_attributes = &plan.scale_bias;
  }
  return work;
}

// A copy onto itself: tensors that share memory have equal strides (B23).
bool IsDone(const Plan& plan, const Bindings& bindings) {
  return plan.formula == Formula::kIdentity && bindings.inputs[0] == bindings.outputs[0];
}

Refusal AcceptsPackedRows(const Plan& plan) {
  // A row of few elements costs more to find than to compute.
  constexpr uint64_t kMinRow = 16;
  if (!plan.loop.HasUnitInnerStrides()) return {"the innermost stride is not 1 in every tensor"};
  if (plan.loop.inner_size() < kMinRow && plan.loop.RowCount() > 1) {
    return {"the rows are shorter than 16 elements"};
  }
  return kAccepted;
}

void RunPackedRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                   const cpu::Executor& executor) {
  if (IsDone(plan, bindings)) return;
  WalkPackedRows(plan.loop, WorkOf(plan, FindRow), bindings, executor);
}

// Rows all of whose elements are one element of an input, such as those of a column that repeats.
Refusal AcceptsRepeated(const Plan& plan) {
  constexpr uint64_t kMinRow = 64;  // below it tiles of several rows are as fast
  if (plan.loop.inner_stride(kOutput) != 1) return {"the output's innermost stride is not 1"};
  for (int t = 0; t < plan.inputs; ++t) {
    const int64_t stride = plan.loop.inner_stride(t);
    if (stride != 0 && stride != 1) return {"an innermost stride is neither 0 nor 1"};
  }
  if (plan.loop.inner_size() < kMinRow) return {"the rows are shorter than 64 elements"};
  return kAccepted;
}

void RunRepeated(const Plan& plan, const NoTables&, const Bindings& bindings,
                 const cpu::Executor& executor) {
  WalkRepeatedElements(plan.loop, WorkOf(plan, FindRow), bindings, executor);
}

void RunPermuted(const Plan& plan, const NoTables&, const Bindings& bindings,
                 const cpu::Executor& executor) {
  if (IsDone(plan, bindings)) return;
  const Work work = WorkOf(plan, FindRow);
  WalkTiles(plan.loop, TileOf(plan.loop, work), work, bindings, executor);
}

// Scalar code, row by row: what the other strategies are compared with.
void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  WalkTiles(plan.loop, RowTile(plan.loop), WorkOf(plan, FindScalarRow), bindings, executor);
}

void RunRow(const void* plan, const void*, const Bindings& bindings, uint64_t count) {
  const auto& typed = *static_cast<const Plan*>(plan);
  RowBlock block = {.count = count};
  for (int t = 0; t < typed.inputs; ++t) block.inputs[t] = bindings.Input<std::byte>(t);
  block.output = bindings.Output<std::byte>(0);
  Compute(WorkOf(typed, FindRow), block);
}

using Strategy = StrategyOf<Plan, NoTables>;

constexpr CpuStrategy WithRows(CpuStrategy strategy) {
  strategy.run_row = RunRow;
  return strategy;
}

}  // namespace

constinit const std::array<CpuStrategy, 4> kCpuStrategies = {
    WithRows(Strategy::Named<AcceptsPackedRows, RunPackedRows>("packed_rows")),
    WithRows(Strategy::Named<AcceptsRepeated, RunRepeated>("repeated_elements")),
    WithRows(Strategy::Named<AcceptsAll<Plan>, RunPermuted>("permuted")),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace anydml::elementwise
