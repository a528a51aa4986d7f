// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/max_pooling/desc.h"

#include "kernels/window/cpu/gradient/strategies.h"
#include "kernels/window/cpu/maxima/strategies.h"
#include "kernels/window/cpu/unpooling/strategies.h"
#include "kernels/window/gradient.h"
#include "kernels/window/maximum.h"
#include "operators/max_pooling/cases.h"
#include "operators/max_pooling/schema.h"
#include "tensor/explain.h"

namespace anydml::max_pooling {
namespace {

using MaximaPlan = window::maxima::Plan;
using GradientPlan = window::gradient::Plan;
using UnpoolingPlan = window::unpooling::Plan;

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.input = arguments.tensor(version0::kInputTensor),
          .output = arguments.tensor(version0::kOutputTensor),
          .indices = {},
          .window = schema::ReadSlidingWindow(arguments, version0::kWindowFields)};
}

template <const schema::SlidingWindowFields& kWindowFields>
Desc MakeDescWithIndices(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.input = arguments.tensor(kInputTensor),
          .output = arguments.tensor(kOutputTensor),
          .indices = arguments.tensor(kOutputIndicesTensor),
          .window = schema::ReadSlidingWindow(arguments, kWindowFields)};
}

GradientDesc MakeGradientDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.input = arguments.tensor(gradient::kInputTensor),
          .input_gradient = arguments.tensor(gradient::kInputGradientTensor),
          .output_gradient = arguments.tensor(gradient::kOutputGradientTensor),
          .window = schema::ReadSlidingWindow(arguments, gradient::kWindowFields)};
}

UnpoolingDesc MakeUnpoolingDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.input = arguments.tensor(unpooling::kInputTensor),
          .indices = arguments.tensor(unpooling::kIndicesTensor),
          .output = arguments.tensor(unpooling::kOutputTensor)};
}

MaximaPlan MakePlan(const Desc& desc) {
  return {.data_type = desc.input.data_type,
          .index_type = desc.indices.data_type,
          .loop = MakeWindowLoop(desc.input, desc.output, desc.window),
          .input = PlaneStridesOf(desc.input),
          .output = PlaneStridesOf(desc.output),
          .indices = PlaneStridesOf(desc.indices)};
}

GradientPlan MakeGradientPlan(const GradientDesc& desc) {
  return {.data_type = desc.input.data_type,
          .loop = MakeWindowLoop(desc.input, desc.input_gradient, desc.window),
          .input = PlaneStridesOf(desc.input),
          .input_gradient = PlaneStridesOf(desc.input_gradient),
          .output_gradient = PlaneStridesOf(desc.output_gradient)};
}

UnpoolingPlan MakeUnpoolingPlan(const UnpoolingDesc& desc) {
  UnpoolingPlan plan = {.type = desc.input.data_type,
                        .index_type = desc.indices.data_type,
                        .input_sizes = {},
                        .output_sizes = {},
                        .strides = {}};
  for (size_t i = 0; i < 4; ++i) {
    plan.input_sizes[i] = desc.input.sizes[i];
    plan.output_sizes[i] = desc.output.sizes[i];
    plan.strides[0][i] = desc.input.strides[i];
    plan.strides[1][i] = desc.indices.strides[i];
    plan.strides[2][i] = desc.output.strides[i];
  }
  return plan;
}

template <class Plan>
std::string ExplainWindows(const Plan& plan) {
  return anydml::Explain(plan.loop);
}

std::string ExplainUnpooling(const UnpoolingPlan& plan) {
  return fmt::format("{} elements go to {} places", plan.InputCount(), plan.OutputCount());
}

constinit const Kernel kKernel = {.name = "max_pooling",
                                  .data_types = SetOf(window::maxima::Types()),
                                  .preserves_nan_bits = true,
                                  .make_plan = ErasePlan<Desc, MaximaPlan, MakePlan>,
                                  .explain = EraseExplain<MaximaPlan, ExplainWindows>,
                                  .make_tables = WithoutTables,
                                  .reference = EraseReference<Desc, Reference>,
                                  .cpu_strategies = window::maxima::kStrategies};
constinit const Kernel kGradientKernel = {
    .name = "max_pooling_grad",
    .data_types = SetOf(window::gradient::Types()),
    .preserves_nan_bits = false,
    .make_plan = ErasePlan<GradientDesc, GradientPlan, MakeGradientPlan>,
    .explain = EraseExplain<GradientPlan, ExplainWindows>,
    .make_tables = WithoutTables,
    .reference = EraseReference<GradientDesc, GradientReference>,
    .cpu_strategies = window::gradient::kStrategies};
constinit const Kernel kUnpoolingKernel = {
    .name = "max_unpooling",
    .data_types = kFloatsAndIntegers,
    .preserves_nan_bits = true,
    .make_plan = ErasePlan<UnpoolingDesc, UnpoolingPlan, MakeUnpoolingPlan>,
    .explain = EraseExplain<UnpoolingPlan, ExplainUnpooling>,
    .make_tables = WithoutTables,
    .reference = EraseReference<UnpoolingDesc, UnpoolingReference>,
    .cpu_strategies = window::unpooling::kStrategies};

}  // namespace

constinit const Definition kMaxPooling = {
    &version0::kSchema, EraseDesc<Desc, MakeDesc>, &kKernel, kCases, {}, PoolingGradient};
constinit const Definition kMaxPooling1 = {
    &version1::kSchema,
    EraseDesc<Desc, MakeDescWithIndices<version1::kWindowFields>>,
    &kKernel,
    kCases,
    {},
    PoolingGradient};
constinit const Definition kMaxPooling2 = {
    &version2::kSchema, EraseDesc<Desc, MakeDescWithIndices<version2::kWindowFields>>,
    &kKernel,           kCases,
    kBenchCases,        PoolingGradient};
constinit const Definition kMaxPoolingGrad = {
    &gradient::kSchema,  EraseDesc<GradientDesc, MakeGradientDesc>,
    &kGradientKernel,    kGradientCases,
    kGradientBenchCases, GradientOfGradient};
constinit const Definition kMaxUnpooling = {
    &unpooling::kSchema,  EraseDesc<UnpoolingDesc, MakeUnpoolingDesc>,
    &kUnpoolingKernel,    kUnpoolingCases,
    kUnpoolingBenchCases, UnpoolingGradient};

}  // namespace anydml::max_pooling
