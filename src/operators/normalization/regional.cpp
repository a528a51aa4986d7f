// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// LP_NORMALIZATION, LOCAL_RESPONSE_NORMALIZATION and its gradient: from descriptions to plans.
#include "operators/normalization/regional.h"

#include "kernels/reduce/cpu/strategies.h"
#include "kernels/window/cpu/responses/strategies.h"
#include "operators/axis_sets.h"
#include "operators/normalization/cases.h"
#include "operators/normalization/definitions.h"
#include "operators/normalization/gradient.h"
#include "operators/normalization/regional_schema.h"

namespace anydml::normalization {

Status CheckLp(const schema::Arguments& arguments) {
  const uint32_t dimensions = arguments.tensor(kInput).dimension_count;
  if (arguments.Uint(kLpAxis) >= dimensions) {
    return arguments.Fail(fmt::format("Axis = {} must be less than InputTensor.DimensionCount = {}",
                                      arguments.Uint(kLpAxis), dimensions));
  }
  const uint32_t p = arguments.Uint(kLpP);
  if (p == 1 || p == 2) return {};
  return arguments.Fail(fmt::format("P = {} must be 1 or 2", p));
}

namespace {

using reduce::SoftmaxKind;
using reduce::SoftmaxPlan;
using ResponsePlan = window::responses::Plan;

LpNormalization DescribeLp(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.input = arguments.tensor(kInput),
          .output = arguments.tensor(kLpOutput),
          .axis = arguments.Uint(kLpAxis),
          .epsilon = arguments.Float(kLpEpsilon),
          .p = arguments.Uint(kLpP)};
}

SoftmaxPlan LpPlanOf(const LpNormalization& desc) {
  AxisSet line = {};
  line[desc.axis] = true;
  SoftmaxPlan plan = {.kind = desc.p == 1 ? SoftmaxKind::kOfNorm1 : SoftmaxKind::kOfNorm2,
                      .type = desc.input.data_type,
                      .sets = reduce::MakeSets<2>({&desc.input, &desc.output}, line),
                      .columns = {},
                      .epsilon = desc.epsilon};
  plan.columns = reduce::FindColumns(plan.sets.kept);
  return plan;
}

std::string ExplainLp(const SoftmaxPlan& plan) { return ExplainSets(plan.sets); }

template <bool kGradient>
LocalResponse DescribeResponse(const schema::Arguments& arguments, const DeviceOptions&) {
  const size_t at = kGradient ? kResponseGradSettingsAt : kResponseSettingsAt;
  return {.input = arguments.tensor(0),
          .input_gradient = kGradient ? arguments.tensor(1) : TensorDesc(),
          .output = arguments.tensor(kGradient ? 2 : 1),
          .cross_channel = arguments.Uint(at) != 0,
          .local_size = arguments.Uint(at + 1),
          .alpha = arguments.Float(at + 2),
          .beta = arguments.Float(at + 3),
          .bias = arguments.Float(at + 4)};
}

ResponsePlan ResponsePlanOf(const LocalResponse& desc) {
  enum { kBatch, kChannel, kHeight, kWidth };
  const bool is_gradient = desc.input_gradient.present();
  std::vector<const TensorDesc*> tensors = {&desc.input, &desc.output};
  if (is_gradient) tensors.insert(tensors.begin() + 1, &desc.input_gradient);
  const auto is_one_row = [&](const TensorDesc* t) {
    return t->strides[kHeight] == uint64_t{t->sizes[kWidth]} * t->strides[kWidth];
  };
  // Images whose rows follow one another are rows, where regions are of channels.
  const bool merges = desc.cross_channel && std::ranges::all_of(tensors, is_one_row);
  const bool has_channels_last =
      desc.input.strides[kWidth] != 1 && desc.input.strides[kChannel] == 1;
  std::array<int, 4> order = {kBatch, kChannel, kHeight, kWidth};
  if (has_channels_last) order = {kBatch, kHeight, kWidth, kChannel};
  ResponsePlan plan = {.type = desc.input.data_type,
                       .is_gradient = is_gradient,
                       .sizes = {},
                       .has_region = {},
                       .strides = {},
                       .before = 0,
                       .after = 0,
                       .factor = desc.alpha / static_cast<float>(desc.local_size),
                       .beta = desc.beta,
                       .bias = desc.bias};
  int64_t longest = 1;
  for (size_t i = 0; i < 4; ++i) {
    const int axis = order[i];
    const auto& sizes = desc.input.sizes;
    plan.sizes[i] = sizes[axis];
    if (merges && axis == kHeight) plan.sizes[i] = 1;
    if (merges && axis == kWidth) plan.sizes[i] *= sizes[kHeight];
    plan.has_region[i] = desc.cross_channel ? axis == kChannel : axis >= kHeight;
    if (plan.has_region[i]) longest = std::max(longest, plan.sizes[i]);
    for (size_t t = 0; t < tensors.size(); ++t) plan.strides[t][i] = tensors[t]->strides[axis];
  }
  plan.before = std::min<int64_t>((desc.local_size - 1) / 2, longest - 1);
  plan.after = std::min<int64_t>(desc.local_size / 2, longest - 1);
  return plan;
}

std::string ExplainResponse(const ResponsePlan& plan) {
  return fmt::format("{} rows of {} lanes; regions from {} before to {} after", plan.RowCount(),
                     plan.sizes[3], plan.before, plan.after);
}

constinit const Kernel kLpKernel = {.name = "lp_normalization",
                                    .data_types = kFloats,
                                    .preserves_nan_bits = false,
                                    .make_plan = ErasePlan<LpNormalization, SoftmaxPlan, LpPlanOf>,
                                    .explain = EraseExplain<SoftmaxPlan, ExplainLp>,
                                    .make_tables = WithoutTables,
                                    .reference = EraseReference<LpNormalization, ReferenceLp>,
                                    .cpu_strategies = reduce::kSoftmaxStrategies,
                                    .cuda_name = "softmax"};
constinit const Kernel kResponseKernel = {
    .name = "local_response",
    .data_types = kFloats,
    .preserves_nan_bits = false,
    .make_plan = ErasePlan<LocalResponse, ResponsePlan, ResponsePlanOf>,
    .explain = EraseExplain<ResponsePlan, ExplainResponse>,
    .make_tables = WithoutTables,
    .reference = EraseReference<LocalResponse, ReferenceResponse>,
    .cpu_strategies = window::responses::kStrategies};

}  // namespace

constinit const Definition kLpNormalization = {&kLpNormalizationSchema,
                                               EraseDesc<LpNormalization, DescribeLp>,
                                               &kLpKernel,
                                               kLpCases,
                                               kLpBenchCases,
                                               LpGradient};
constinit const Definition kLocalResponseNormalization = {
    &kLocalResponseSchema, EraseDesc<LocalResponse, DescribeResponse<false>>,
    &kResponseKernel,      kResponseCases,
    kResponseBenchCases,   ResponseGradient};
constinit const Definition kLocalResponseNormalizationGrad = {
    &kLocalResponseGradSchema, EraseDesc<LocalResponse, DescribeResponse<true>>, &kResponseKernel,
    kResponseGradCases, kResponseGradBenchCases};

}  // namespace anydml::normalization
