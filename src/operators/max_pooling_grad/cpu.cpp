// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of MAX_POOLING_GRAD, best first.
#include "kernels/window/cpu/gradient/strategies.h"
#include "operators/max_pooling_grad/formula.h"
#include "operators/max_pooling_grad/plan.h"

namespace anydml::max_pooling_grad {
namespace {

// g++ 12 with UndefinedBehaviorSanitizer takes no function of another file for a constant.
uint64_t StridedBytes(const Plan& plan) { return WinnerBytes(plan); }

using Strategy = StrategyOf<Plan, NoTables>;
constexpr CpuStrategy kStrategies[] = {
    Strategy::Named<AcceptsSeparateChannels, RunSeparateChannels>("separate_channels"),
    Strategy::Named<AcceptsOneWindow, RunOneWindow>("one_window"),
    Strategy::Named<AcceptsColumnPairs, RunColumnPairs>("column_pairs"),
    Strategy::Named<AcceptsSharedColumns, RunSharedColumns>("shared_columns"),
    Strategy::Named<AcceptsAnyRows, RunAnyRows>("any_rows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided, StridedBytes>("strided"),
};

}  // namespace

constinit const Kernel kKernel = {.name = "max_pooling_grad",
                                  .data_types = SetOf(Types()),
                                  .preserves_nan_bits = false,
                                  .make_plan = ErasePlan<Desc, Plan, MakePlan>,
                                  .explain = EraseExplain<Plan, Explain>,
                                  .make_tables = WithoutTables,
                                  .reference = EraseReference<Desc, Reference>,
                                  .cpu_strategies = kStrategies};

}  // namespace anydml::max_pooling_grad
