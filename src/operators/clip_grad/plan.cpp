// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/clip_grad/plan.h"

#include "tensor/explain.h"

namespace anydml::clip_grad {

Plan MakePlan(const Desc& desc) {
  return {.data_type = desc.input.data_type,
          .loop = ElementwiseLoop<3>({&desc.input, &desc.input_gradient, &desc.output_gradient}),
          .min = desc.min,
          .max = desc.max};
}

std::string Explain(const Plan& plan) {
  return anydml::Explain(plan.loop, {"the input", "the input gradient", "the output gradient"});
}

}  // namespace anydml::clip_grad
