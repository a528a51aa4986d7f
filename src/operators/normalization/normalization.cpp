// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// From descriptions to plans.
#include "operators/normalization/normalization.h"

#include "base/text.h"
#include "kernels/reduce/cpu/strategies.h"
#include "operators/normalization/cases.h"
#include "operators/normalization/definitions.h"
#include "operators/normalization/gradient.h"
#include "operators/normalization/schema.h"

namespace anydml::normalization {
namespace {

using reduce::NormalizationGradientPlan;
using reduce::NormalizationPlan;

// Each tensor on its own.
Status CheckRepeats(const schema::Arguments& arguments, std::initializer_list<size_t> fields) {
  const TensorDesc& x = arguments.tensor(kInput);
  for (size_t field : fields) {
    const TensorDesc& tensor = arguments.tensor(field);
    for (uint32_t i = 0; tensor.present() && i < x.dimension_count; ++i) {
      if (tensor.sizes[i] == 1 || tensor.sizes[i] == x.sizes[i]) continue;
      return arguments.Fail(
          fmt::format("{0}.Sizes[{1}] = {2} must be 1 or InputTensor.Sizes[{1}] = {3}",
                      arguments.schema().fields[field].name, i, tensor.sizes[i], x.sizes[i]));
    }
  }
  return {};
}

// Dimensions of size 1, along which the others lie in one set.
AxisSet RepeatedIn(std::initializer_list<const TensorDesc*> tensors) {
  AxisSet reduced = {};
  for (uint32_t i = 0; i < (*tensors.begin())->dimension_count; ++i) {
    reduced[i] =
        std::ranges::all_of(tensors, [&](const TensorDesc* t) { return t->sizes[i] == 1; });
  }
  return reduced;
}

TensorDesc FloatsOf(const TensorDesc& like, const Dimensions& sizes) {
  return PackedTensor(DataType::kFloat32, {sizes.data(), like.dimension_count});
}

// A loop over the elements of the first tensor, in logical order. Tensors that are absent stay at
// their beginning.
template <int N>
StridedLoop<N> LoopOver(const std::array<const TensorDesc*, N>& tensors) {
  StridedLoop<N> loop;
  loop.rank = tensors[0]->dimension_count;
  for (uint32_t i = 0; i < loop.rank; ++i) {
    loop.sizes[i] = tensors[0]->sizes[i];
    for (int t = 0; t < N; ++t) {
      const bool moves = tensors[t]->present() && tensors[t]->sizes[i] != 1;
      loop.strides[t][i] = moves ? int64_t{tensors[t]->strides[i]} : 0;
    }
  }
  return loop;
}

// Whether a parameter differs between the elements of a set.
bool VariesInSets(const TensorDesc& parameter, const AxisSet& reduced) {
  for (uint32_t i = 0; i < parameter.dimension_count; ++i) {
    if (reduced[i] && parameter.sizes[i] != 1) return true;
  }
  return false;
}

// The sizes of scale and bias together; 1 where both are absent.
TensorDesc GroupOf(const Normalization& desc) {
  Dimensions sizes;
  sizes.fill(1);
  for (const TensorDesc* tensor : {&desc.scale, &desc.bias}) {
    for (uint32_t i = 0; i < tensor->dimension_count; ++i) {
      sizes[i] = std::max(sizes[i], tensor->sizes[i]);
    }
  }
  return FloatsOf(desc.input, sizes);
}

NormalizationPlan PlanOf(const Normalization& desc) {
  const TensorDesc parameters = FloatsOf(desc.input, ReducedSizes(desc.input, desc.reduced));
  const TensorDesc group = GroupOf(desc);
  const bool by_layers =
      VariesInSets(desc.scale, desc.reduced) || VariesInSets(desc.bias, desc.reduced);
  const bool adds = desc.add.present();
  NormalizationPlan plan = {
      .type = desc.input.data_type,
      .calculates = desc.calculates,
      .use_mean = desc.use_mean,
      .use_variance = desc.use_variance,
      .by_layers = by_layers,
      .writes_statistics = desc.output_mean.present(),
      .epsilon = desc.epsilon,
      .mean = desc.mean_binding,
      .variance = desc.variance_binding,
      .scale = desc.scale_binding,
      .bias = desc.bias_binding,
      .add = desc.add_binding,
      .parameter_count = parameters.ElementCount(),
      .group_count = group.ElementCount(),
      .sets = reduce::MakeSets<2>({&desc.input, &parameters}, desc.reduced),
      .columns = {},
      .parameters = LoopOver<7>({&parameters, &desc.mean, &desc.variance, &desc.scale, &desc.bias,
                                 &desc.output_mean, &desc.output_variance}),
      .group = LoopOver<3>({&group, &desc.scale, &desc.bias}),
      .elements = Coalesce(LoopOver<5>({&desc.input, adds ? &desc.add : &desc.input, &parameters,
                                        by_layers ? &group : &parameters, &desc.output})),
      .rows = reduce::MakeSets<4>({&desc.input, &parameters, &group, &desc.output}, desc.reduced)};
  plan.columns = reduce::FindColumns(plan.sets.kept);
  return plan;
}

NormalizationGradientPlan GradientPlanOf(const Gradient& desc) {
  const TensorDesc parameters = FloatsOf(desc.input, ReducedSizes(desc.input, desc.reduced));
  NormalizationGradientPlan plan = {
      .type = desc.input.data_type,
      .of_training = desc.of_training,
      .epsilon = desc.epsilon,
      .parameter_count = parameters.ElementCount(),
      .sets = reduce::MakeSets<3>({&desc.input, &desc.input_gradient, &parameters}, desc.reduced),
      .columns = {},
      .parameters = LoopOver<6>({&parameters, &desc.mean, &desc.variance, &desc.scale,
                                 &desc.scale_gradient, &desc.bias_gradient}),
      .elements =
          Coalesce(LoopOver<4>({&desc.input, &desc.input_gradient, &parameters, &desc.output}))};
  plan.columns = reduce::FindColumns(plan.sets.kept);
  return plan;
}

std::string ExplainPlan(const NormalizationPlan& plan) {
  return fmt::format("{} sets of {} elements{}{}", plan.sets.count(), plan.sets.size(),
                     plan.calculates ? "" : ", whose mean and variance are bound",
                     plan.by_layers ? ", scale and bias differ inside of a set" : "");
}
std::string ExplainGradient(const NormalizationGradientPlan& plan) {
  return fmt::format("{} sets of {} elements", plan.sets.count(), plan.sets.size());
}

// ---- Descriptions.

Normalization DescribeBatch(const schema::Arguments& arguments, const DeviceOptions&) {
  Normalization desc = {.calculates = false,
                        .use_mean = true,
                        .use_variance = true,
                        .epsilon = arguments.Float(kEpsilon),
                        .reduced = {},
                        .input = arguments.tensor(kInput),
                        .mean = arguments.tensor(kMean),
                        .variance = arguments.tensor(kVariance),
                        .scale = arguments.tensor(kScale),
                        .bias = arguments.tensor(kBias),
                        .add = {},
                        .output = arguments.tensor(kOutput),
                        .output_mean = {},
                        .output_variance = {},
                        .mean_binding = 1,
                        .variance_binding = 2,
                        .scale_binding = 3,
                        .bias_binding = 4,
                        .add_binding = reduce::kAbsent};
  desc.reduced = RepeatedIn({&desc.mean, &desc.variance, &desc.scale, &desc.bias});
  return desc;
}

Normalization DescribeTraining(const schema::Arguments& arguments, const DeviceOptions&) {
  const bool adds = arguments.tensor(kFusedAdd).present();
  return {.calculates = true,
          .use_mean = true,
          .use_variance = true,
          .epsilon = arguments.Float(kTrainingEpsilon),
          .reduced = RepeatedIn({&arguments.tensor(kTrainingScale)}),
          .input = arguments.tensor(kInput),
          .mean = {},
          .variance = {},
          .scale = arguments.tensor(kTrainingScale),
          .bias = arguments.tensor(kTrainingBias),
          .add = arguments.tensor(kFusedAdd),
          .output = arguments.tensor(kTrainingOutput),
          .output_mean = arguments.tensor(kOutputMean),
          .output_variance = arguments.tensor(kOutputVariance),
          .mean_binding = reduce::kAbsent,
          .variance_binding = reduce::kAbsent,
          .scale_binding = 1,
          .bias_binding = 2,
          .add_binding = adds ? 3 : reduce::kAbsent};
}

Normalization DescribeMvn(const schema::Arguments& arguments, const AxisSet& axes, bool use_mean,
                          bool use_variance, float epsilon) {
  const bool scales = arguments.tensor(kMvnScale).present();
  const bool biases = arguments.tensor(kMvnBias).present();
  return {.calculates = true,
          .use_mean = use_mean,
          .use_variance = use_variance,
          .epsilon = epsilon,
          .reduced = axes,
          .input = arguments.tensor(kInput),
          .mean = {},
          .variance = {},
          .scale = arguments.tensor(kMvnScale),
          .bias = arguments.tensor(kMvnBias),
          .add = {},
          .output = arguments.tensor(kMvnOutput),
          .output_mean = {},
          .output_variance = {},
          .mean_binding = reduce::kAbsent,
          .variance_binding = reduce::kAbsent,
          .scale_binding = scales ? 1 : reduce::kAbsent,
          .bias_binding = biases ? 2 : reduce::kAbsent,
          .add_binding = reduce::kAbsent};
}

Normalization DescribeMvn0(const schema::Arguments& arguments, const DeviceOptions&) {
  const bool cross_channel = arguments.Uint(kCrossChannel) != 0;
  return DescribeMvn(arguments, {false, cross_channel, true, true}, true,
                     arguments.Uint(kMvn0NormalizeVariance) != 0, arguments.Float(kMvn0Epsilon));
}
Normalization DescribeMvn1(const schema::Arguments& arguments, const DeviceOptions&) {
  return DescribeMvn(arguments, AxesOf(arguments.Uints(kMvnAxes)), true,
                     arguments.Uint(kNormalizeVariance) != 0, arguments.Float(kMvn1Epsilon));
}
Normalization DescribeMvn2(const schema::Arguments& arguments, const DeviceOptions&) {
  return DescribeMvn(arguments, AxesOf(arguments.Uints(kMvnAxes)), arguments.Uint(kUseMean) != 0,
                     arguments.Uint(kUseVariance) != 0, arguments.Float(kMvn2Epsilon));
}

template <bool kTraining>
Gradient DescribeGradient(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.of_training = kTraining,
          .epsilon = arguments.Float(kGradEpsilon),
          .reduced = RepeatedIn({&arguments.tensor(kGradMean)}),
          .input = arguments.tensor(kInput),
          .input_gradient = arguments.tensor(kInputGradient),
          .mean = arguments.tensor(kGradMean),
          .variance = arguments.tensor(kGradVariance),
          .scale = arguments.tensor(kGradScale),
          .output = arguments.tensor(kOutputGradient),
          .scale_gradient = arguments.tensor(kScaleGradient),
          .bias_gradient = arguments.tensor(kBiasGradient)};
}

constexpr Kernel MakeKernel() {
  return {.name = "normalization",
          .data_types = kFloats,
          .preserves_nan_bits = false,
          .make_plan = ErasePlan<Normalization, NormalizationPlan, PlanOf>,
          .explain = EraseExplain<NormalizationPlan, ExplainPlan>,
          .make_tables = WithoutTables,
          .reference = EraseReference<Normalization, ReferenceNormalization>,
          .cpu_strategies = reduce::kNormalizationStrategies};
}
constexpr Kernel MakeGradientKernel() {
  return {.name = "normalization_gradient",
          .data_types = kFloats,
          .preserves_nan_bits = false,
          .make_plan = ErasePlan<Gradient, NormalizationGradientPlan, GradientPlanOf>,
          .explain = EraseExplain<NormalizationGradientPlan, ExplainGradient>,
          .make_tables = WithoutTables,
          .reference = EraseReference<Gradient, ReferenceGradient>,
          .cpu_strategies = reduce::kNormalizationGradientStrategies};
}
constinit const Kernel kKernel = MakeKernel();
constinit const Kernel kGradientKernel = MakeGradientKernel();

}  // namespace

Status CheckParameters(const schema::Arguments& arguments) {
  return CheckRepeats(arguments, {kMean, kVariance, kScale, kBias});
}
Status CheckScale(const schema::Arguments& arguments) {
  return CheckRepeats(arguments, {kTrainingScale});
}
Status CheckMean(const schema::Arguments& arguments) {
  return CheckRepeats(arguments, {kGradMean});
}
Status CheckScaleAndBias(const schema::Arguments& arguments) {
  return CheckRepeats(arguments, {kMvnScale, kMvnBias});
}

// What changed with the levels.
Status CheckScaleAndBiasAt(const schema::Arguments& arguments, FeatureLevel level) {
  const bool scaled = arguments.tensor(kMvnScale).present();
  if (level >= FeatureLevel::k5_2 || scaled == arguments.tensor(kMvnBias).present()) return {};
  return arguments.Fail(
      fmt::format("one of ScaleTensor and BiasTensor alone needs feature level 5_2 or above; "
                  "this device has {}",
                  FeatureLevelName(level)));
}
Status CheckChannelsAt(const schema::Arguments& arguments, FeatureLevel level) {
  const TensorDesc& x = arguments.tensor(kInput);
  for (size_t number : {size_t{kMvnScale}, size_t{kMvnBias}}) {
    const TensorDesc& tensor = arguments.tensor(number);
    if (level >= FeatureLevel::k4_0 || !tensor.present() || x.dimension_count < 2) continue;
    if (tensor.dimension_count < 2 || tensor.sizes[1] == x.sizes[1]) continue;
    return arguments.Fail(fmt::format(
        "{}.Sizes[1] = {} must be that of InputTensor, {}, below feature level 4_0; this device "
        "has {}",
        arguments.TensorName(number), tensor.sizes[1], x.sizes[1], FeatureLevelName(level)));
  }
  return CheckScaleAndBiasAt(arguments, level);
}

constinit const Definition kBatchNormalization = {&kBatchNormalizationSchema,
                                                  EraseDesc<Normalization, DescribeBatch>,
                                                  &kKernel,
                                                  kBatchCases,
                                                  kBatchBenchCases,
                                                  BatchGradient};
constinit const Definition kBatchNormalizationTraining = {
    &kBatchNormalizationTrainingSchema,
    EraseDesc<Normalization, DescribeTraining>,
    &kKernel,
    kTrainingCases,
    kTrainingBenchCases,
    TrainingGradient};
constinit const Definition kMeanVarianceNormalization = {&kMeanVarianceNormalizationSchema,
                                                         EraseDesc<Normalization, DescribeMvn0>,
                                                         &kKernel,
                                                         kMvn0Cases,
                                                         {},
                                                         Mvn0Gradient};
constinit const Definition kMeanVarianceNormalization1 = {&kMeanVarianceNormalization1Schema,
                                                          EraseDesc<Normalization, DescribeMvn1>,
                                                          &kKernel,
                                                          kMvnCases,
                                                          {},
                                                          MvnGradient};
constinit const Definition kMeanVarianceNormalization2 = {&kMeanVarianceNormalization2Schema,
                                                          EraseDesc<Normalization, DescribeMvn2>,
                                                          &kKernel,
                                                          kMvnCases,
                                                          kMvnBenchCases,
                                                          MvnGradient};
constinit const Definition kBatchNormalizationGrad = {&kBatchNormalizationGradSchema,
                                                      EraseDesc<Gradient, DescribeGradient<false>>,
                                                      &kGradientKernel, kGradCases};
constinit const Definition kBatchNormalizationTrainingGrad = {
    &kBatchNormalizationTrainingGradSchema, EraseDesc<Gradient, DescribeGradient<true>>,
    &kGradientKernel, kGradCases, kGradBenchCases};

}  // namespace anydml::normalization
