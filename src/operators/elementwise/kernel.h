// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The contract of operators/operator.h for every row of the table.
#pragma once

#include "kernels/elementwise/cpu/strategies.h"
#include "operators/elementwise/definitions.h"
#include "operators/elementwise/row.h"

namespace anydml::elementwise {

std::shared_ptr<const void> MakeDesc(const schema::Arguments& arguments, const DeviceOptions&);
std::shared_ptr<const void> MakePlan(const void* desc);
std::string Explain(const void* plan);
void Reference(const void* desc, const Bindings& bindings);

constexpr Kernel MakeKernel(std::string_view name, DataTypeSet data_types, const Row& row) {
  return {.name = name,
          .data_types = data_types,
          .preserves_nan_bits = row.preserves_nan_bits,
          .make_plan = MakePlan,
          .explain = Explain,
          .make_tables = WithoutTables,
          .reference = Reference,
          .cpu_strategies = kCpuStrategies,
          .cuda_name = "elementwise"};
}

}  // namespace anydml::elementwise
