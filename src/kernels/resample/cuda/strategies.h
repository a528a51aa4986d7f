// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of sums along axes, best first. Their plan is AxisSums.
#pragma once

#include "kernels/cuda_kernel.h"

namespace anydml::resample {

extern const CudaStrategy kCudaStrategies[2];

// CudaKernel::upload and ::free
const void* UploadTables(const void* plan, cuda::Span<TableSpan> spans, cuda::Failure* failure);
void FreeTables(const void* tables);

}  // namespace anydml::resample
