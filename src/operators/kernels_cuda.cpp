// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// libanydml_cuda.so: the list of its kernels, and the one function that it exports.
#include "backends/cuda/cudart.h"
#include "kernels/cuda_kernel.h"
#include "kernels/elementwise/cuda/copy.h"
#include "kernels/elementwise/cuda/fused.h"
#include "kernels/elementwise/cuda/table.h"
#include "operators/operators.h"

namespace anydml {
namespace {

// In libanydml.so FindCudaKernel finds them by their names.
constexpr const CudaKernel* kKernels[] = {
    &elementwise::kCudaKernel, &matmul::kCudaKernel,
    &max_pooling::kCudaKernel, &max_pooling_grad::kCudaKernel,
    &resample::kCudaKernel,    &resample_grad::kCudaKernel,
    &slice::kCudaKernel,       &slice_grad::kCudaKernel,
};

constexpr CudaKernelTable kKernelTable = {
    .kernels = kKernels,
    .run_fused = [](const cuda::FusedChain* chain,
                    cuda::Stream stream) { cuda::RunFused(*chain, stream); },
    .copy_elements =
        [](const StridedLoop<2>* loop, uint32_t element_size, const void* from, void* to,
           cuda::Stream stream) { cuda::CopyElements(*loop, element_size, from, to, stream); },
};

}  // namespace
}  // namespace anydml

extern "C" const anydml::cuda::Interface* anydml_cuda_interface() {
  using namespace anydml;
  static const cuda::Interface own = {
      .header = {.magic = cuda::kMagic,
                 .version = cuda::kVersion,
                 .bytes = sizeof(cuda::Interface),
                 .build = ANYDML_BUILD_IDENTITY},
      .runtime = cuda::kRuntimeFunctions,
      .kernels = &kKernelTable,
  };
  return &own;
}
