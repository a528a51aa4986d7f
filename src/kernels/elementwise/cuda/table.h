// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The kernel of every element-wise plan on NVIDIA devices, in libanydml_cuda.so.
#pragma once

#include "kernels/cuda_kernel.h"

namespace anydml::elementwise {

extern const CudaKernel kCudaKernel;

// Of plans of channels (channels.h).
extern const CudaStrategy kCudaChannels[2];

}  // namespace anydml::elementwise
