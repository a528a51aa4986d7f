// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ACTIVATION_SOFTMAX, LOG_SOFTMAX, HARDMAX and their versions 1: from descriptions to plans.
#include "operators/reduce/softmax.h"

#include "base/text.h"
#include "kernels/reduce/cpu/strategies.h"
#include "operators/axis_sets.h"
#include "operators/fused_activations.h"
#include "operators/gradient_writer.h"
#include "operators/reduce/cases.h"
#include "operators/reduce/definitions.h"
#include "operators/reduce/gradient.h"
#include "operators/reduce/schema.h"

namespace anydml::reduce {

// "Effective rank at most 2".
Status CheckEffectiveRank(const schema::Arguments& arguments) {
  const TensorDesc& input = arguments.tensor(kInput);
  for (uint32_t i = 0; i + 2 < input.dimension_count; ++i) {
    if (input.sizes[i] == 1) continue;
    return arguments.Fail(
        fmt::format("InputTensor.Sizes = {} must be 1 in all but the last two "
                    "dimensions",
                    BracedList(input.Sizes())));
  }
  return {};
}

namespace {

template <SoftmaxKind kKind, bool kHasAxes>
Softmax Describe(const schema::Arguments& arguments, const DeviceOptions&) {
  Softmax desc = {.kind = kKind,
                  .input = arguments.tensor(kInput),
                  .output = arguments.tensor(kOutput),
                  .reduced = {}};
  if (kHasAxes) {
    desc.reduced = AxesOf(arguments.Uints(kSoftmaxAxes));
  } else {
    desc.reduced[desc.input.dimension_count - 1] = true;
  }
  return desc;
}

SoftmaxPlan PlanOf(const Softmax& desc) {
  SoftmaxPlan plan = {.kind = desc.kind,
                      .type = desc.input.data_type,
                      .sets = MakeSets<2>({&desc.input, &desc.output}, desc.reduced),
                      .columns = {}};
  plan.columns = FindColumns(plan.sets.kept);
  return plan;
}

std::string ExplainPlan(const SoftmaxPlan& plan) { return ExplainSets(plan.sets); }

constexpr Kernel MakeKernel(std::string_view name) {
  return {.name = name,
          .data_types = kFloats,
          .preserves_nan_bits = false,
          .make_plan = ErasePlan<Softmax, SoftmaxPlan, PlanOf>,
          .explain = EraseExplain<SoftmaxPlan, ExplainPlan>,
          .make_tables = WithoutTables,
          .reference = EraseReference<Softmax, ReferenceSoftmax>,
          .cpu_strategies = kSoftmaxStrategies};
}
constinit const Kernel kSoftmaxKernel = MakeKernel("softmax");

template <SoftmaxKind kKind>
constexpr GradientRule kRule = kKind == SoftmaxKind::kHardmax   ? ZeroGradient
                               : kKind == SoftmaxKind::kSoftmax ? SoftmaxGradient
                                                                : LogSoftmaxGradient;

template <SoftmaxKind kKind>
constexpr Definition Older(const schema::OperatorSchema& schema) {
  return {
      &schema,     EraseDesc<Softmax, Describe<kKind, false>>, &kSoftmaxKernel, kSoftmaxCases, {},
      kRule<kKind>};
}
template <SoftmaxKind kKind>
constexpr Definition Newer(const schema::OperatorSchema& schema,
                           std::span<const BenchCase> bench_cases) {
  return {&schema,         EraseDesc<Softmax, Describe<kKind, true>>,
          &kSoftmaxKernel, kSoftmax1Cases,
          bench_cases,     kRule<kKind>};
}

}  // namespace

constinit const Definition kSoftmax = Older<SoftmaxKind::kSoftmax>(kSoftmaxSchema);
constinit const Definition kLogSoftmax = Older<SoftmaxKind::kLogSoftmax>(kLogSoftmaxSchema);
constinit const Definition kHardmax = Older<SoftmaxKind::kHardmax>(kHardmaxSchema);
constinit const Definition kSoftmax1 =
    Newer<SoftmaxKind::kSoftmax>(kSoftmax1Schema, kSoftmaxBenchCases);
constinit const Definition kLogSoftmax1 =
    Newer<SoftmaxKind::kLogSoftmax>(kLogSoftmax1Schema, kSoftmaxBenchCases);
constinit const Definition kHardmax1 =
    Newer<SoftmaxKind::kHardmax>(kHardmax1Schema, kSoftmaxBenchCases);

}  // namespace anydml::reduce

namespace anydml {

constinit const schema::OperatorSchema kFusedSoftmax = reduce::kSoftmaxSchema;
constinit const schema::OperatorSchema kFusedSoftmax1 = reduce::kSoftmax1Schema;

}  // namespace anydml
