// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
#include "operators/max_unpooling/desc.h"

#include <fmt/format.h>

#include "kernels/window/cpu/unpooling/strategies.h"
#include "operators/gradient_writer.h"
#include "operators/max_unpooling/cases.h"
#include "operators/max_unpooling/schema.h"

namespace anydml::max_unpooling {
namespace {

using window::unpooling::Plan;

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.input = arguments.tensor(kInputTensor),
          .indices = arguments.tensor(kIndicesTensor),
          .output = arguments.tensor(kOutputTensor)};
}

Plan MakePlan(const Desc& desc) {
  Plan plan = {.type = desc.input.data_type,
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

std::string Explain(const Plan& plan) {
  return fmt::format("{} elements go to {} places", plan.InputCount(), plan.OutputCount());
}

// What lies at the indices; 0 where an index is outside. Elements that another one replaced get
// the gradient of that one, which they equal where the indices are of a pooling.
Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const GraphValue& indices = node.inputs[kIndicesTensor];
  const TensorDesc &x = node.inputs[kInputTensor].tensor, &y = node.outputs[0].tensor;
  const auto in_row = [&](const GraphValue& value) {
    return write.Reshape(
        value, std::array{1u, 1u, 1u, static_cast<uint32_t>(value.tensor.ElementCount())});
  };
  const GraphValue last = write.Fill(indices, static_cast<double>(y.ElementCount() - 1));
  const GraphValue is_outside = write.IsGreater(indices, last);
  const GraphValue row = in_row(node.output_gradients[0]);
  schema::Settings gather = GradientWriter::Call("GATHER");
  gather.Uint("Axis", 3).Uint("IndexDimensions", 1);
  const GraphValue inside = write.Apply("MIN", {indices, last});
  const GraphValue gathered = write.Output(gather, {row, in_row(inside)});
  const GraphValue gradient = write.Reshape(gathered, x.Sizes());
  return write.Finish({write.WhereNot(is_outside, gradient), {}});
}

constinit const Kernel kKernel = {.name = "max_unpooling",
                                  .data_types = kTypes,
                                  .preserves_nan_bits = true,
                                  .make_plan = ErasePlan<Desc, Plan, MakePlan>,
                                  .explain = EraseExplain<Plan, Explain>,
                                  .make_tables = WithoutTables,
                                  .reference = EraseReference<Desc, Reference>,
                                  .cpu_strategies = window::unpooling::kStrategies};

}  // namespace

constinit const Definition kMaxUnpooling = {
    &kSchema, EraseDesc<Desc, MakeDesc>, &kKernel, kCases, kBenchCases, Gradient};

}  // namespace anydml::max_unpooling
