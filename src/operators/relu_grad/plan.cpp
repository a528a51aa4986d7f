// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/relu_grad/plan.h"

#include "tensor/explain.h"

namespace anydml::relu_grad {

Plan MakePlan(const Desc& desc) {
  return {desc.input.data_type,
          ElementwiseLoop<3>({&desc.input, &desc.input_gradient, &desc.output_gradient})};
}

std::string Explain(const Plan& plan) {
  return anydml::Explain(plan.loop, {"the input", "the input gradient", "the output gradient"});
}

}  // namespace anydml::relu_grad
