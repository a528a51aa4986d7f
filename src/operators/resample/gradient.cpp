// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/gradient_writer.h"
#include "operators/resample/desc.h"

namespace anydml::resample {
namespace {

// The operator for it, with the same settings, as the pages ask for (B10).
Result<std::vector<GraphValue>> By(std::string_view name, const ForwardNode& node,
                                   GradientBuilder& builder) {
  GradientWriter write(builder);
  const TensorDesc& x = node.inputs[0].tensor;
  schema::Settings settings = GradientWriter::Call(name);
  settings.Copy(node.arguments, {"InterpolationMode", "RoundingDirection", "Scales",
                                 "InputPixelOffsets", "OutputPixelOffsets"});
  settings.Tensor("OutputGradientTensor", PackedTensor(x.data_type, x.Sizes()));
  return write.Finish({write.Output(settings, {node.output_gradients[0]})});
}

}  // namespace

Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder) {
  return By("RESAMPLE_GRAD", node, builder);
}
Result<std::vector<GraphValue>> Gradient2(const ForwardNode& node, GradientBuilder& builder) {
  return By("RESAMPLE_GRAD1", node, builder);
}

}  // namespace anydml::resample
