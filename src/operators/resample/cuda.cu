// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of the RESAMPLE family: sums along axes.
#include "operators/cuda_axis_sums.h"
#include "operators/resample/plan.h"

namespace anydml::resample {

constinit const CudaKernel kCudaKernel = CudaAxisSums<Plan>::KernelNamed("resample");

}  // namespace anydml::resample
