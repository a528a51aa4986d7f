// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/gradient_writer.h"
#include "operators/slice_grad/desc.h"

namespace anydml::slice_grad {

// The gradient is linear: its own is the forward operator.
Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  const TensorDesc& part = node.inputs[0].tensor;
  schema::Settings settings = GradientWriter::Call("SLICE1");
  settings.Copy(node.arguments, {"InputWindowOffsets", "InputWindowSizes", "InputWindowStrides"});
  settings.Tensor("OutputTensor", PackedTensor(part.data_type, part.Sizes()));
  return write.Finish({write.Output(settings, {node.output_gradients[0]})});
}

}  // namespace anydml::slice_grad
