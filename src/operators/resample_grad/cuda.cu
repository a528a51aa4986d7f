// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of RESAMPLE_GRAD and RESAMPLE_GRAD1: sums along axes.
#include "operators/cuda_axis_sums.h"
#include "operators/resample_grad/plan.h"

namespace anydml::resample_grad {

constinit const CudaKernel kCudaKernel = CudaAxisSums<Plan>::KernelNamed("resample_grad");

}  // namespace anydml::resample_grad
