// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/identity/plan.h"

#include "tensor/explain.h"

namespace anydml::identity {

Plan MakePlan(const Desc& desc) {
  return {desc.input.data_type, ElementwiseLoop<2>({&desc.input, &desc.output}), desc.scale_bias};
}

std::string Explain(const Plan& plan) {
  return anydml::Explain(plan.loop, {"the input", "the output"});
}

}  // namespace anydml::identity
