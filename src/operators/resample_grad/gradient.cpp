// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/resample_grad/desc.h"
#include "operators/resampled_gradient.h"

namespace anydml::resample_grad {

Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder) {
  return ResampledGradient("RESAMPLE1", "OutputTensor", node, builder);
}
Result<std::vector<GraphValue>> Gradient1(const ForwardNode& node, GradientBuilder& builder) {
  return ResampledGradient("RESAMPLE2", "OutputTensor", node, builder);
}

}  // namespace anydml::resample_grad
