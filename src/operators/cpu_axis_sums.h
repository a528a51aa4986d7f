// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The CPU strategies of every operator that is sums along axes.
#pragma once

#include <array>
#include <span>

#include "kernels/resample/cpu/axis_sums.h"
#include "operators/operator.h"

namespace anydml {

// Plan has `sums`, and its tables are AxisSumsTables.
template <typename Plan>
struct CpuAxisSums {
  template <auto kAccepts>
  static Refusal Accepts(const Plan& plan) {
    return kAccepts(plan.sums);
  }
  template <auto kSum>
  static void Run(const Plan& plan, const AxisSumsTables& tables, const Bindings& bindings,
                  const cpu::Executor& executor) {
    kSum(plan.sums, tables, bindings, executor);
  }
  template <cpu::RowKind kKind>
  static Refusal AcceptsRows(const Plan& plan) {
    return cpu::AcceptsRows(plan.sums, kKind);
  }
  template <cpu::RowKind kKind>
  static void RunRows(const Plan& plan, const AxisSumsTables& tables, const Bindings& bindings,
                      const cpu::Executor& executor) {
    cpu::SumRows(plan.sums, tables, bindings, executor, kKind);
  }

  using Strategy = StrategyOf<Plan, AxisSumsTables>;
  template <auto kAccepts, auto kSum>
  static constexpr CpuStrategy Named(std::string_view name) {
    return Strategy::template Named<Accepts<kAccepts>, Run<kSum>>(name);
  }
  template <cpu::RowKind kKind>
  static constexpr CpuStrategy Rows(std::string_view name) {
    return Strategy::template Named<AcceptsRows<kKind>, RunRows<kKind>>(name);
  }

  static constexpr std::array<CpuStrategy, 13> kStrategies = {
      // Of gradients alone.
      Named<cpu::AcceptsPairedVolumes, cpu::SumPairedVolumes>("paired_volumes"),
      Rows<cpu::RowKind::kPairedRows>("paired_rows"),
      Rows<cpu::RowKind::kNearest>("nearest_rows"),
      // Of both directions.
      Named<cpu::AcceptsUnchanged, cpu::CopyUnchanged>("unchanged"),
      Named<cpu::AcceptsChannelsLast, cpu::SumChannelsLast>("channels_last"),
      Rows<cpu::RowKind::kRepeated>("divided_rows"),
      Rows<cpu::RowKind::kDoubled>("doubled_rows"),
      Rows<cpu::RowKind::kPixels>("pixel_rows"),
      Rows<cpu::RowKind::kWindows>("windowed_rows"),
      Rows<cpu::RowKind::kUnchanged>("unchanged_rows"),
      Rows<cpu::RowKind::kAny>("any_rows"),
      Named<cpu::AcceptsOneAxis, cpu::SumOneAxis>("long_axis"),
      Strategy::template Named<AcceptsAll<Plan>, Run<cpu::SumStrided>>("strided"),
  };
  static constexpr std::span<const CpuStrategy> kForwardStrategies =
      std::span<const CpuStrategy>(kStrategies).subspan(3);
};

}  // namespace anydml
