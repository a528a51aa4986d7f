// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of SLICE and SLICE1. They only move elements; the C library's
// memcpy knows the processor's widest registers, so nothing here is compiled
// per instruction set.
#include <cstring>

#include "backends/cpu/rows.h"
#include "operators/slice/plan.h"

namespace anydml::slice {
namespace {

Refusal AcceptsPackedRows(const Plan& plan) {
  if (!plan.loop.HasUnitInnerStrides()) return {"the innermost stride is not 1 in both tensors"};
  return kAccepted;
}

void RunPackedRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                   const cpu::Executor& executor) {
  const auto* input = bindings.Input<char>(0);
  auto* output = bindings.Output<char>(0);
  const auto size = static_cast<int64_t>(plan.element_size);
  cpu::ForEachRowPiece(plan.loop, executor, [&, size](const auto& at, uint64_t count) {
    std::memcpy(output + at[1] * size, input + (plan.input_start + at[0]) * size,
                count * plan.element_size);
  });
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
    Strategy::Named<AcceptsPackedRows, RunPackedRows>("packed_rows"),
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
