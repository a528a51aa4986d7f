// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/gradient_writer.h"
#include "operators/max_pooling/desc.h"

namespace anydml::max_pooling {

// Of all versions. The indices have none.
Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder) {
  GradientWriter write(builder);
  schema::Settings settings = GradientWriter::Call("MAX_POOLING_GRAD");
  settings.Copy(node.arguments,
                {"Strides", "WindowSize", "StartPadding", "EndPadding", "Dilations"});
  return write.Finish({write.Output(settings, {node.inputs[0], node.output_gradients[0]})});
}

}  // namespace anydml::max_pooling
