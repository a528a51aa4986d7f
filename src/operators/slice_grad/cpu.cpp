// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of SLICE_GRAD. Each writes every output element once.
#include "kernels/move/cpu/placed_loop.h"
#include "operators/slice_grad/plan.h"

namespace anydml::slice_grad {
namespace {

template <auto kAccepts>
Refusal Accepts(const Plan& plan) {
  return kAccepts(plan);
}

template <auto kPlace>
void Run(const Plan& plan, const NoTables&, const Bindings& bindings,
         const cpu::Executor& executor) {
  kPlace(plan, bindings, executor);
}

using Strategy = StrategyOf<Plan, NoTables>;
constexpr CpuStrategy kStrategies[] = {
    Strategy::Named<Accepts<cpu::AcceptsPackedRows>, Run<cpu::PlacePackedRows>>("packed_rows"),
    Strategy::Named<Accepts<cpu::AcceptsSteppedRows>, Run<cpu::PlaceSteppedRows>>("stepped_rows"),
    Strategy::Named<Accepts<cpu::AcceptsGappedRows>, Run<cpu::PlaceGappedRows>>("gapped_rows"),
    Strategy::Named<AcceptsAll<Plan>, Run<cpu::PlaceStrided>>("strided"),
};

}  // namespace

constinit const Kernel kKernel = {
    .name = "slice_grad",
    .data_types = SetOf(IntegerTypes()) | SetOf(TypeList<double, float, Float16>()),
    .preserves_nan_bits = true,
    .make_plan = ErasePlan<Desc, Plan, MakePlan>,
    .explain = EraseExplain<Plan, Explain>,
    .make_tables = WithoutTables,
    .reference = EraseReference<Desc, Reference>,
    .cpu_strategies = kStrategies};

}  // namespace anydml::slice_grad
