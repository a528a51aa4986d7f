// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Everything, one window at a time.
#include "kernels/window/cpu/maxima/rows.h"
#include "kernels/window/cpu/maxima/strategies.h"

namespace anydml::window::maxima {
namespace {

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    ForEachOutputRow<T>(
        plan, bindings, executor,
        [](const OutputRowOf<T>& row, int64_t first, int64_t count) { row.PutEach(first, count); });
  });
}

using Strategy = StrategyOf<Plan, NoTables>;

}  // namespace

constinit const std::array<CpuStrategy, 4> kStrategies = {
    Strategy::Named<AcceptsOneWindow, RunOneWindow>("one_window"),
    Strategy::Named<AcceptsChannelWindows, RunChannelWindows>("channel_windows"),
    Strategy::Named<AcceptsRowMaxima, RunRowMaxima>("row_maxima"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace anydml::window::maxima
