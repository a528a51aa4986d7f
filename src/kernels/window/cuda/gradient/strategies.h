// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies for the gradient of a maximum.
#pragma once

#include "kernels/cuda_kernel.h"
#include "kernels/window/plan.h"

namespace anydml::window::gradient {

extern const CudaStrategy kCudaStrategies[8];  // best first; the last accepts everything

Refusal AcceptsPairs(const Plan& plan);
void RunPairs(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream);

Refusal AcceptsOneWindow(const Plan& plan);
void RunOneWindow(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream);

Refusal AcceptsSeparateChannels(const Plan& plan);
void RunSeparateChannels(const Plan& plan, const NoTables&, const Bindings& bindings,
                         cuda::Stream stream);

Refusal AcceptsStrips(const Plan& plan);
void RunStrips(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream);

Refusal AcceptsSeparateWindows(const Plan& plan);
void RunSeparateWindows(const Plan& plan, const NoTables&, const Bindings& bindings,
                        cuda::Stream stream);

Refusal AcceptsCubes(const Plan& plan);
void RunCubes(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream);
uint64_t CubeBytes(const Plan& plan);  // of temporary memory

Refusal AcceptsSmallWindows(const Plan& plan);
void RunSmallWindows(const Plan& plan, const NoTables&, const Bindings& bindings,
                     cuda::Stream stream);

}  // namespace anydml::window::gradient
