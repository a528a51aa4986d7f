// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The operators that have kernels for NVIDIA devices: one line per folder.
#include "operators/cuda_operator.h"
#include "operators/operators.h"

namespace anydml {

std::span<const CudaKernel* const> CudaKernels() {
  static constexpr const CudaKernel* kKernels[] = {
      &clip::kCudaKernel,        &clip_grad::kCudaKernel,        &identity::kCudaKernel,
      &max_pooling::kCudaKernel, &max_pooling_grad::kCudaKernel, &relu::kCudaKernel,
      &relu_grad::kCudaKernel,   &resample::kCudaKernel,         &resample_grad::kCudaKernel,
      &slice::kCudaKernel,       &slice_grad::kCudaKernel,
  };
  return kKernels;
}

}  // namespace anydml
