// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of MAX_POOLING_GRAD: the window's geometry and the strides of the three
// tensors. Knows nothing of threads or vectors.
#pragma once

#include "kernels/window/plan.h"
#include "operators/max_pooling_grad/desc.h"

namespace anydml::max_pooling_grad {

using Plan = window::GradientPlan;

// Whether every window sees the one slice of the input that has its own number.
inline bool SeesOneSlice(const WindowAxis& depth) {
  return depth.window_size == 1 && depth.stride == 1 && depth.start_padding == 0;
}

Plan MakePlan(const Desc& desc);
std::string Explain(const Plan& plan);

}  // namespace anydml::max_pooling_grad
