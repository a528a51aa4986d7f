// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of RESAMPLE_GRAD and RESAMPLE_GRAD1. The sums themselves
// are those of backends/cpu/axis_sums.h, which the forward operators share.
#include "backends/cpu/axis_sums.h"
#include "operators/resample_grad/plan.h"

namespace anydml::resample_grad {
namespace {

Refusal AcceptsRows(const Plan& plan) { return {cpu::RefuseSumAxesOfRows(plan.sums)}; }

void RunRows(const Plan& plan, const AxisSumsTables& tables, const Bindings& bindings,
             const cpu::Executor& executor) {
  cpu::SumAxesOfRows(plan.sums, tables, bindings, executor);
}

void RunStrided(const Plan& plan, const AxisSumsTables& tables, const Bindings& bindings,
                const cpu::Executor& executor) {
  cpu::SumAxesStrided(plan.sums, tables, bindings, executor);
}

using Strategy = StrategyOf<Plan, AxisSumsTables>;
constexpr CpuStrategy kStrategies[] = {
    Strategy::Named<AcceptsRows, RunRows>("contiguous_rows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace

constinit const Kernel kKernel = {.name = "resample_grad",
                                  .data_types = {DataType::kFloat32, DataType::kFloat16},
                                  .preserves_nan_bits = false,
                                  .make_plan = ErasePlan<Desc, Plan, MakePlan>,
                                  .explain = EraseExplain<Plan, Explain>,
                                  .make_tables = EraseTables<Plan, AxisSumsTables, MakeTables>,
                                  .table_bytes = EraseTableBytes<AxisSumsTables>,
                                  .reference = EraseReference<Desc, Reference>,
                                  .cpu_strategies = kStrategies};

}  // namespace anydml::resample_grad
