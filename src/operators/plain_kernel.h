// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The Kernel of operators that move bits, or make them of integers, without tables.
#pragma once

#include "operators/operator.h"

namespace anydml {

template <class Desc, class Plan, Plan (*kPlan)(const Desc&), std::string (*kExplain)(const Plan&),
          void (*kReference)(const Desc&, const Bindings&)>
constexpr Kernel PlainKernel(std::string_view name, DataTypeSet types,
                             std::span<const CpuStrategy> strategies) {
  return {.name = name,
          .data_types = types,
          .preserves_nan_bits = true,
          .make_plan = ErasePlan<Desc, Plan, kPlan>,
          .explain = EraseExplain<Plan, kExplain>,
          .make_tables = WithoutTables,
          .reference = EraseReference<Desc, kReference>,
          .cpu_strategies = strategies};
}

}  // namespace anydml
