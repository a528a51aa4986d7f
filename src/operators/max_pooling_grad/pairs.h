// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Windows of two elements per axis, side by side, on NVIDIA devices.
#pragma once

#include <string_view>

#include "backends/bindings.h"
#include "backends/cuda/launch.cuh"
#include "operators/max_pooling_grad/formula.h"
#include "operators/max_pooling_grad/plan.h"

namespace anydml::max_pooling_grad {

// Why pairs do not take a plan; empty when they do.
std::string_view RefusePairs(const Plan& plan);
void RunPairs(const Plan& plan, const Bindings& bindings, cuda::Stream stream);

}  // namespace anydml::max_pooling_grad
