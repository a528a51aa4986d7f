// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of the family.
#pragma once

#include "kernels/cuda_kernel.h"
#include "kernels/reduce/normalization_plan.h"
#include "kernels/reduce/plan.h"
#include "kernels/reduce/range_plan.h"
#include "kernels/reduce/scan_plan.h"
#include "kernels/reduce/softmax_plan.h"

namespace anydml::reduce {

extern const CudaStrategy kCudaReductions[2];
extern const CudaStrategy kCudaQuantizedRanges[2];
extern const CudaStrategy kCudaSoftmaxes[3];
extern const CudaStrategy kCudaScans[2];
extern const CudaStrategy kCudaNormalizations[4];
extern const CudaStrategy kCudaNormalizationGradients[2];

// A reduction whose sets softmax has, too: their maximum, and the sum of exponentials.
void RunLogSumExp(const Plan& plan, const Bindings& bindings, cuda::Stream stream);

// Sets side by side are one per lane of a warp.
inline Refusal AcceptsLanes(uint64_t lanes) {
  if (lanes < 8) return {"less than eight sets lie side by side in the input"};
  return kAccepted;
}

}  // namespace anydml::reduce
