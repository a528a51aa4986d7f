// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/max_pooling/plan.h"

#include "tensor/explain.h"

namespace anydml::max_pooling {

Plan MakePlan(const Desc& desc) {
  return {.data_type = desc.input.data_type,
          .index_type = desc.indices.data_type,
          .loop = MakeWindowLoop(desc.input, desc.output, desc.window),
          .input = PlaneStridesOf(desc.input),
          .output = PlaneStridesOf(desc.output),
          .indices = PlaneStridesOf(desc.indices)};
}

std::string Explain(const Plan& plan) { return anydml::Explain(plan.loop); }

}  // namespace anydml::max_pooling
