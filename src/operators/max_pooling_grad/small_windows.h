// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Any window whose numbers fit 32 bits, on NVIDIA devices.
#pragma once

#include <string_view>

#include "backends/bindings.h"
#include "backends/cuda/launch.cuh"
#include "operators/max_pooling_grad/formula.h"
#include "operators/max_pooling_grad/plan.h"

namespace anydml::max_pooling_grad {

// Why they do not take a plan; empty when they do.
std::string_view RefuseSmallWindows(const Plan& plan);

// `winners` has room for a number per window.
void RunSmallWindows(const Plan& plan, uint32_t* winners, const Bindings& bindings,
                     cuda::Stream stream);

}  // namespace anydml::max_pooling_grad
