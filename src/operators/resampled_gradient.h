// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The gradient rule that resampling and its gradient share: each is linear, and the
// other one with the same settings is its gradient (B10).
#pragma once

#include <string_view>

#include "operators/gradient_writer.h"

namespace anydml {

// `name` is the operator that gives the gradient, `output` the field of its output tensor.
inline Result<std::vector<GraphValue>> ResampledGradient(std::string_view name,
                                                         std::string_view output,
                                                         const ForwardNode& node,
                                                         GradientBuilder& builder) {
  GradientWriter write(builder);
  const TensorDesc& x = node.inputs[0].tensor;
  schema::Settings settings = GradientWriter::Call(name);
  settings.Copy(node.arguments, {"InterpolationMode", "RoundingDirection", "Scales",
                                 "InputPixelOffsets", "OutputPixelOffsets"});
  settings.Tensor(output, PackedTensor(x.data_type, x.Sizes()));
  return write.Finish({write.Output(settings, {node.output_gradients[0]})});
}

}  // namespace anydml
