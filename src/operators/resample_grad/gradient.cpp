// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/gradient_writer.h"
#include "operators/resample_grad/desc.h"

namespace anydml::resample_grad {
namespace {

// The gradient is linear: its own is the forward operator.
Result<std::vector<GraphValue>> By(std::string_view name, const ForwardNode& node,
                                   GradientBuilder& builder) {
  GradientWriter write(builder);
  const TensorDesc& x = node.inputs[0].tensor;
  schema::Settings settings = GradientWriter::Call(name);
  settings.Copy(node.arguments, {"InterpolationMode", "RoundingDirection", "Scales",
                                 "InputPixelOffsets", "OutputPixelOffsets"});
  settings.Tensor("OutputTensor", PackedTensor(x.data_type, x.Sizes()));
  return write.Finish({write.Output(settings, {node.output_gradients[0]})});
}

}  // namespace

Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder) {
  return By("RESAMPLE1", node, builder);
}
Result<std::vector<GraphValue>> Gradient1(const ForwardNode& node, GradientBuilder& builder) {
  return By("RESAMPLE2", node, builder);
}

}  // namespace anydml::resample_grad
