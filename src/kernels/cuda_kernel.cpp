// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The kernels of libanydml_cuda.so that graphs call by themselves. Without the
// library there is no device, so neither is called.
#include "kernels/cuda_kernel.h"

#include "backends/cuda/library.h"
#include "kernels/elementwise/cuda/copy.h"
#include "kernels/elementwise/cuda/fused.h"

namespace anydml {

const CudaKernelTable* LoadedCudaKernels() {
  const cuda::Interface* library = cuda::Library();
  return library == nullptr ? nullptr : static_cast<const CudaKernelTable*>(library->kernels);
}

namespace cuda {

void CopyElements(const StridedLoop<2>& loop, uint32_t element_size, const void* from, void* to,
                  Stream stream) {
  if (const CudaKernelTable* kernels = LoadedCudaKernels()) {
    kernels->copy_elements(&loop, element_size, from, to, stream);
  }
}

void RunFused(const FusedChain& chain, Stream stream) {
  if (const CudaKernelTable* kernels = LoadedCudaKernels()) kernels->run_fused(&chain, stream);
}

}  // namespace cuda
}  // namespace anydml
