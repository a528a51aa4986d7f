// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/clip/plan.h"

#include "tensor/explain.h"

namespace anydml::clip {

Plan MakePlan(const Desc& desc) {
  return {.data_type = desc.input.data_type,
          .loop = ElementwiseLoop<2>({&desc.input, &desc.output}),
          .scale_bias = desc.scale_bias,
          .min = desc.min,
          .max = desc.max};
}

std::string Explain(const Plan& plan) {
  return anydml::Explain(plan.loop, {"the input", "the output"});
}

}  // namespace anydml::clip
