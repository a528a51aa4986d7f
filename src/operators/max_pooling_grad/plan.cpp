// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/max_pooling_grad/plan.h"

#include "tensor/explain.h"

namespace anydml::max_pooling_grad {

Plan MakePlan(const Desc& desc) {
  return {.data_type = desc.input.data_type,
          .loop = MakeWindowLoop(desc.input, desc.input_gradient, desc.window),
          .input = PlaneStridesOf(desc.input),
          .input_gradient = PlaneStridesOf(desc.input_gradient),
          .output_gradient = PlaneStridesOf(desc.output_gradient)};
}

std::string Explain(const Plan& plan) { return anydml::Explain(plan.loop); }

}  // namespace anydml::max_pooling_grad
