// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies for averages and their gradients.
#pragma once

#include "kernels/cuda_kernel.h"
#include "kernels/window/average.h"

namespace anydml::window::average {

extern const CudaStrategy kCudaAverages[4];
extern const CudaStrategy kCudaGradients[3];

// short_windows.cu
Refusal AcceptsLines(const Plan& plan);
void RunAverageLines(const Plan& plan, const NoTables&, const Bindings& bindings,
                     cuda::Stream stream);
void RunGradientLines(const Plan& plan, const NoTables&, const Bindings& bindings,
                      cuda::Stream stream);
Refusal AcceptsShortWindows(const Plan& plan);
void RunShortWindows(const Plan& plan, const NoTables&, const Bindings& bindings,
                     cuda::Stream stream);
Refusal AcceptsShortGradients(const Plan& plan);
void RunShortGradients(const Plan& plan, const NoTables&, const Bindings& bindings,
                       cuda::Stream stream);

}  // namespace anydml::window::average
