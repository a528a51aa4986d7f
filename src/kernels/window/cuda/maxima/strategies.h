// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies for maxima.
#pragma once

#include "kernels/cuda_kernel.h"
#include "kernels/window/plan.h"

namespace anydml::window::maxima {

extern const CudaStrategy kCudaStrategies[3];  // best first; the last accepts everything

Refusal AcceptsStrips(const Plan& plan);
void RunStrips(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream);

Refusal AcceptsShortWindows(const Plan& plan);
void RunShortWindows(const Plan& plan, const NoTables&, const Bindings& bindings,
                     cuda::Stream stream);

}  // namespace anydml::window::maxima
