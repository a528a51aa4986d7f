// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The CPU strategies of every operator that is sums along axes.
#pragma once

#include <array>

#include "kernels/resample/cpu/axis_sums.h"
#include "operators/operator.h"

namespace anydml {

// Plan has `sums`, and its tables are AxisSumsTables.
template <typename Plan>
struct CpuAxisSums {
  static Refusal AcceptsContiguousRows(const Plan& plan) {
    return {cpu::RefuseSumAxesOfRows(plan.sums)};
  }

  static void RunContiguousRows(const Plan& plan, const AxisSumsTables& tables,
                                const Bindings& bindings, const cpu::Executor& executor) {
    cpu::SumAxesOfRows(plan.sums, tables, bindings, executor);
  }

  static void RunStrided(const Plan& plan, const AxisSumsTables& tables, const Bindings& bindings,
                         const cpu::Executor& executor) {
    cpu::SumAxesStrided(plan.sums, tables, bindings, executor);
  }

  using Strategy = StrategyOf<Plan, AxisSumsTables>;
  static constexpr std::array<CpuStrategy, 2> kStrategies = {
      Strategy::template Named<AcceptsContiguousRows, RunContiguousRows>("contiguous_rows"),
      Strategy::template Named<AcceptsAll<Plan>, RunStrided>("strided"),
  };
};

}  // namespace anydml
