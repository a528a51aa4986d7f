// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/slice/plan.h"

#include "tensor/explain.h"

namespace anydml::slice {

Plan MakePlan(const Desc& desc) {
  Plan plan = {ElementSize(desc.input.data_type), 0, {}};
  StridedLoop<2> loop;
  loop.rank = desc.output.dimension_count;
  for (uint32_t i = 0; i < loop.rank; ++i) {
    const int64_t input_stride = desc.input.strides[i];
    const int64_t window_stride = desc.window_strides[i];
    const int64_t start =
        desc.window_offsets[i] + (window_stride < 0 ? desc.window_sizes[i] - 1 : 0);
    plan.input_start += start * input_stride;
    loop.sizes[i] = desc.output.sizes[i];
    // A stride that is never taken may lie far outside the tensor, where its
    // product with the input's stride would not fit.
    loop.strides[0][i] = loop.sizes[i] == 1 ? 0 : window_stride * input_stride;
    loop.strides[1][i] = desc.output.strides[i];
  }
  plan.loop = Coalesce(loop);
  return plan;
}

std::string Explain(const Plan& plan) {
  return fmt::format("starts at element {} of the input\n{}", plan.input_start,
                     anydml::Explain(plan.loop, {"the input", "the output"}));
}

}  // namespace anydml::slice
