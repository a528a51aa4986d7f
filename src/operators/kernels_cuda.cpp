// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The operators that have kernels for NVIDIA devices: the element-wise table, and one
// line per folder.
#include <array>

#include "operators/cuda_operator.h"
#include "operators/operators.h"

namespace anydml {

std::span<const CudaKernel* const> CudaKernels() {
  static constexpr const CudaKernel* kListed[] = {
      &max_pooling::kCudaKernel, &max_pooling_grad::kCudaKernel,
      &resample::kCudaKernel,    &resample_grad::kCudaKernel,
      &slice::kCudaKernel,       &slice_grad::kCudaKernel,
  };
  static constexpr auto kAll = [] {
    std::array<const CudaKernel*, std::size(kListed) + elementwise::kKernelCount> all = {};
    size_t count = 0;
    for (const CudaKernel* kernel : kListed) all[count++] = kernel;
    for (size_t i = 0; i < elementwise::kKernelCount; ++i) {
      all[count++] = &elementwise::kCudaKernels[i];
    }
    return all;
  }();
  return kAll;
}

}  // namespace anydml
