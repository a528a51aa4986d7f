// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of MAX_POOLING, MAX_POOLING1 and MAX_POOLING2, best first.
#include "kernels/window/cpu/maxima/strategies.h"
#include "operators/max_pooling/formula.h"
#include "operators/max_pooling/plan.h"

namespace anydml::max_pooling {
namespace {

using Strategy = StrategyOf<Plan, NoTables>;
constexpr CpuStrategy kStrategies[] = {
    Strategy::Named<AcceptsOneWindow, RunOneWindow>("one_window"),
    Strategy::Named<AcceptsChannelWindows, RunChannelWindows>("channel_windows"),
    Strategy::Named<AcceptsRowMaxima, RunRowMaxima>("row_maxima"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace

constinit const Kernel kKernel = {.name = "max_pooling",
                                  .data_types = SetOf(Types()),
                                  .preserves_nan_bits = true,
                                  .make_plan = ErasePlan<Desc, Plan, MakePlan>,
                                  .explain = EraseExplain<Plan, Explain>,
                                  .make_tables = WithoutTables,
                                  .reference = EraseReference<Desc, Reference>,
                                  .cpu_strategies = kStrategies};

}  // namespace anydml::max_pooling
