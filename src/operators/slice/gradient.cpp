// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/gradient_writer.h"
#include "operators/slice/desc.h"
#include "operators/slice/schema.h"

namespace anydml::slice {
namespace {

Result<std::vector<GraphValue>> Write(schema::Settings settings, const ForwardNode& node,
                                      GradientBuilder& builder) {
  GradientWriter write(builder);
  const TensorDesc& x = node.inputs[0].tensor;
  settings.Tensor("OutputGradientTensor", PackedTensor(x.data_type, x.Sizes()));
  return write.Finish({write.Output(settings, {node.output_gradients[0]})});
}

}  // namespace

// A size is the number of elements; the operator for the gradient has the extent of the window.
Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder) {
  schema::Settings settings = GradientWriter::Call("SLICE_GRAD");
  std::vector<uint32_t> window;
  for (uint32_t i = 0; i < node.inputs[0].tensor.dimension_count; ++i) {
    const uint32_t stride = node.arguments.Uints(kStrides)[i];
    window.push_back(1 + (node.arguments.Uints(kSizes)[i] - 1) * stride);
  }
  settings.Uints("InputWindowOffsets", node.arguments.Uints(kOffsets));
  settings.Uints("InputWindowSizes", window);
  // One beyond INT is of an axis of which one element is taken.
  std::vector<int32_t> steps;
  for (uint32_t i = 0; i < window.size(); ++i) {
    steps.push_back(window[i] == 1 ? 1 : node.arguments.IntAt(kStrides, i));
  }
  return Write(settings.Ints("InputWindowStrides", steps), node, builder);
}

Result<std::vector<GraphValue>> Gradient1(const ForwardNode& node, GradientBuilder& builder) {
  schema::Settings settings = GradientWriter::Call("SLICE_GRAD");
  settings.Copy(node.arguments, {"InputWindowOffsets", "InputWindowSizes", "InputWindowStrides"});
  return Write(settings, node, builder);
}

// The gradient is linear: its own is the forward operator.
Result<std::vector<GraphValue>> GradientOfGradient(const ForwardNode& node,
                                                   GradientBuilder& builder) {
  GradientWriter write(builder);
  const TensorDesc& part = node.inputs[0].tensor;
  schema::Settings settings = GradientWriter::Call("SLICE1");
  settings.Copy(node.arguments, {"InputWindowOffsets", "InputWindowSizes", "InputWindowStrides"});
  settings.Tensor("OutputTensor", PackedTensor(part.data_type, part.Sizes()));
  return write.Finish({write.Output(settings, {node.output_gradients[0]})});
}

}  // namespace anydml::slice
