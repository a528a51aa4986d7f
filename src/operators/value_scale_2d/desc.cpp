// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// From a description to a plan, and the gradient.
#include "operators/value_scale_2d/desc.h"

#include "kernels/elementwise/channels.h"
#include "kernels/elementwise/cpu/strategies.h"
#include "operators/gradient_writer.h"
#include "operators/value_scale_2d/cases.h"
#include "operators/value_scale_2d/schema.h"
#include "tensor/explain.h"

namespace anydml::value_scale_2d {
namespace {

constexpr size_t kAxis = 1;

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  Desc desc = {.input = arguments.tensor(kInputTensor),
               .output = arguments.tensor(kOutputTensor),
               .scale = arguments.Float(kScale),
               .biases = {}};
  for (size_t c = 0; c < arguments.Uint(kChannelCount); ++c) {
    desc.biases[c] = arguments.FloatAt(kBias, c);
  }
  return desc;
}

elementwise::ChannelPlan MakePlan(const Desc& desc) {
  const DataType type = desc.input.data_type;
  const uint32_t size = ElementSize(type);
  TensorDesc input = desc.input, output = desc.output;
  input.sizes[kAxis] = output.sizes[kAxis] = 1;
  elementwise::Plan channel = {
      .formula = elementwise::Formula::kLinear,
      .inputs = 1,
      .types = elementwise::AppendType(elementwise::AppendType(0, type), type)};
  channel.element_sizes.fill(static_cast<uint8_t>(size));
  channel.loop =
      ElementwiseLoop<elementwise::kMaxTensors>({&input, &output, &output, &output, &output});
  channel.attributes.values[0] = MakeScalar(desc.scale);
  return {.channel = channel,
          .count = desc.input.sizes[kAxis],
          .biases = desc.biases,
          .input_step = int64_t{desc.input.strides[kAxis]} * size,
          .output_step = int64_t{desc.output.strides[kAxis]} * size};
}

std::string Explain(const elementwise::ChannelPlan& plan) {
  const elementwise::Loop& loop = plan.channel.loop;
  StridedLoop<2> tensors = {.rank = loop.rank, .sizes = loop.sizes};
  tensors.strides = {loop.strides[0], loop.strides[elementwise::kOutput]};
  return fmt::format("channel by channel: {}\n{}", plan.count,
                     anydml::Explain(tensors, {"the input", "the output"}));
}

Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  return write.Finish({write.Scale(node.output_gradients[0], node.Float("Scale"))});
}

constinit const Kernel kKernel = {.name = "linear_channels",
                                  .data_types = kFloats,
                                  .preserves_nan_bits = false,
                                  .make_plan = ErasePlan<Desc, elementwise::ChannelPlan, MakePlan>,
                                  .explain = EraseExplain<elementwise::ChannelPlan, Explain>,
                                  .make_tables = WithoutTables,
                                  .reference = EraseReference<Desc, Reference>,
                                  .cpu_strategies = elementwise::kChannelStrategies};

}  // namespace

constinit const Definition kValueScale2D = {
    &kSchema, EraseDesc<Desc, MakeDesc>, &kKernel, kCases, kBenchCases, Gradient};

}  // namespace anydml::value_scale_2d
