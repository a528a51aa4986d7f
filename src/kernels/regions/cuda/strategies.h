// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of regions.
#pragma once

#include "kernels/cuda_kernel.h"
#include "kernels/regions/regions.h"

namespace anydml::regions {

extern const CudaStrategy kCudaAlign[1];
extern const CudaStrategy kCudaAlignGradient[1];
extern const CudaStrategy kCudaPooling[1];

}  // namespace anydml::regions
