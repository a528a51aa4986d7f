// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/resample_grad/plan.h"

#include "tensor/explain.h"

namespace anydml::resample_grad {
namespace {

Sampling SamplingOf(const Desc& desc) {
  if (desc.interpolation_mode == DML_INTERPOLATION_MODE_LINEAR) return Sampling::kLinear;
  const bool increasing = desc.rounding_direction == DML_AXIS_DIRECTION_INCREASING;
  return increasing ? Sampling::kCeil : Sampling::kFloor;
}

}  // namespace

Plan MakePlan(const Desc& desc) {
  std::array<TapAxis, kMaxSumAxes> axes = {};
  for (uint32_t i = 0; i < kMostAxes; ++i) {  // those beyond the dimension count stay unread
    axes[i] = {.sampling = SamplingOf(desc),
               .pixel_count = desc.output_gradient.sizes[i],
               .sample_count = desc.input_gradient.sizes[i],
               .scale = desc.axes[i].scale,
               .input_pixel_offset = desc.axes[i].input_pixel_offset,
               .output_pixel_offset = desc.axes[i].output_pixel_offset};
  }
  return {MakeAxisSums(desc.input_gradient, desc.output_gradient, axes, /*transposed=*/true)};
}

Result<AxisSumsTables> MakeTables(const Plan& plan) { return MakeAxisSumsTables(plan.sums); }

std::string Explain(const Plan& plan) { return anydml::Explain(plan.sums); }

}  // namespace anydml::resample_grad
