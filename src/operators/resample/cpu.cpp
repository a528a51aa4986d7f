// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The kernel of the RESAMPLE family.
#include "kernels/resample/table_spans.h"
#include "operators/cpu_axis_sums.h"
#include "operators/resample/plan.h"

namespace anydml::resample {

constinit const Kernel kKernel = {
    .name = "resample",
    .data_types = {DataType::kFloat32, DataType::kFloat16, DataType::kInt8, DataType::kUint8},
    .preserves_nan_bits = false,
    .make_plan = ErasePlan<Desc, Plan, MakePlan>,
    .explain = EraseExplain<Plan, Explain>,
    .make_tables = EraseTables<Plan, AxisSumsTables, MakeTables>,
    .table_bytes = EraseTableBytes<AxisSumsTables>,
    .table_spans = EraseTableSpans<AxisSumsTables, SpansOf>,
    .reference = EraseReference<Desc, Reference>,
    .cpu_strategies = CpuAxisSums<Plan>::kForwardStrategies};

}  // namespace anydml::resample
