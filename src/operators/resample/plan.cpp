// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/resample/plan.h"

#include "tensor/explain.h"

namespace anydml::resample {

Plan MakePlan(const Desc& desc) {
  const Sampling sampling = SamplingOf(desc.interpolation_mode, desc.rounding_direction);
  const auto axes = TapAxesOf(sampling, desc.input, desc.output, desc.axes);
  return {MakeAxisSums(desc.input, desc.output, axes, /*transposed=*/false)};
}

Result<AxisSumsTables> MakeTables(const Plan& plan) { return MakeAxisSumsTables(plan.sums); }

std::string Explain(const Plan& plan) { return anydml::Explain(plan.sums); }

}  // namespace anydml::resample
