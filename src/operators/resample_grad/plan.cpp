// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/resample_grad/plan.h"

#include "tensor/explain.h"

namespace anydml::resample_grad {

Plan MakePlan(const Desc& desc) {
  const Sampling sampling = SamplingOf(desc.interpolation_mode, desc.rounding_direction);
  const auto axes = TapAxesOf(sampling, desc.output_gradient, desc.input_gradient, desc.axes);
  return {MakeAxisSums(desc.input_gradient, desc.output_gradient, axes, /*transposed=*/true)};
}

Result<AxisSumsTables> MakeTables(const Plan& plan) { return MakeAxisSumsTables(plan.sums); }

std::string Explain(const Plan& plan) { return anydml::Explain(plan.sums); }

}  // namespace anydml::resample_grad
