// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUMULATIVE_SUMMATION and CUMULATIVE_PRODUCT: from descriptions to plans.
#include "operators/reduce/scan.h"

#include "kernels/reduce/cpu/strategies.h"
#include "operators/axis_sets.h"
#include "operators/reduce/cases.h"
#include "operators/reduce/definitions.h"
#include "operators/reduce/gradient.h"
#include "operators/reduce/schema.h"

namespace anydml::reduce {

Status CheckScanAxis(const schema::Arguments& arguments) {
  const uint32_t dimensions = arguments.tensor(kInput).dimension_count;
  if (arguments.Uint(kScanAxis) < dimensions) return {};
  return arguments.Fail(fmt::format("Axis = {} must be less than InputTensor.DimensionCount = {}",
                                    arguments.Uint(kScanAxis), dimensions));
}

namespace {

template <bool kProduct>
Scan Describe(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.product = kProduct,
          .input = arguments.tensor(kInput),
          .output = arguments.tensor(kOutput),
          .axis = arguments.Uint(kScanAxis),
          .downwards = arguments.Uint(kScanDirection) == DML_AXIS_DIRECTION_DECREASING,
          .exclusive = arguments.Uint(kScanExclusive) != 0};
}

ScanPlan PlanOf(const Scan& desc) {
  AxisSet line = {};
  line[desc.axis] = true;
  const Sets<2> sets = MakeSets<2>({&desc.input, &desc.output}, line);
  ScanPlan plan = {.type = desc.input.data_type,
                   .product = desc.product,
                   .exclusive = desc.exclusive,
                   .count = desc.input.sizes[desc.axis],
                   .first = {},
                   .steps = {},
                   .outer = sets.kept,
                   .lanes = 1,
                   .lane_steps = {}};
  for (int t = 0; t < 2; ++t) {
    const int64_t stride = (t == 0 ? desc.input : desc.output).strides[desc.axis];
    if (desc.downwards) plan.first[t] = static_cast<int64_t>(plan.count - 1) * stride;
    plan.steps[t] = desc.downwards ? -stride : stride;
  }
  const Columns<2> columns = FindColumns(sets.kept);
  if (columns.lanes != 0) {
    plan.outer = columns.outer;
    plan.lanes = columns.lanes;
    std::ranges::copy(columns.lane_strides, plan.lane_steps);
    return plan;
  }
  // The innermost of the others.
  --plan.outer.rank;
  plan.lanes = sets.kept.inner_size();
  for (int t = 0; t < 2; ++t) plan.lane_steps[t] = sets.kept.inner_stride(t);
  if (plan.outer.rank == 0) plan.outer = StridedLoop<2>::PackedRow(1);
  return plan;
}

std::string ExplainPlan(const ScanPlan& plan) {
  return fmt::format("{} times {} lines of {} elements, {} and {} elements apart",
                     plan.outer.ElementCount(), plan.lanes, plan.count, plan.steps[0],
                     plan.steps[1]);
}

constexpr Kernel MakeKernel(std::string_view name) {
  return {.name = name,
          .data_types = kFloats | kIndexTypes,
          .preserves_nan_bits = false,
          .make_plan = ErasePlan<Scan, ScanPlan, PlanOf>,
          .explain = EraseExplain<ScanPlan, ExplainPlan>,
          .make_tables = WithoutTables,
          .reference = EraseReference<Scan, ReferenceScan>,
          .cpu_strategies = kScanStrategies};
}
constinit const Kernel kScanKernel = MakeKernel("scan");

}  // namespace

constinit const Definition kCumulativeSummation = {&kCumulativeSummationSchema,
                                                   EraseDesc<Scan, Describe<false>>,
                                                   &kScanKernel,
                                                   kScanCases<false>,
                                                   kScanBenchCases,
                                                   SummationGradient};
constinit const Definition kCumulativeProduct = {&kCumulativeProductSchema,
                                                 EraseDesc<Scan, Describe<true>>,
                                                 &kScanKernel,
                                                 kScanCases<true>,
                                                 kScanBenchCases,
                                                 ProductGradient};

}  // namespace anydml::reduce
