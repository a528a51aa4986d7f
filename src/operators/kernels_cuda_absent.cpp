// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The list of kernels_cuda.cpp in a build without CUDA.
#include "operators/cuda_operator.h"

namespace anydml {

std::span<const CudaKernel* const> CudaKernels() { return {}; }

}  // namespace anydml
