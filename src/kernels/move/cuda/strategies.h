// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies for the plans of the family.
#pragma once

#include "kernels/cuda_kernel.h"
#include "kernels/move/band_plan.h"
#include "kernels/move/indexed_plan.h"
#include "kernels/move/mapped_plan.h"
#include "kernels/move/plan.h"
#include "kernels/move/random_plan.h"
#include "kernels/move/search_plan.h"

namespace anydml::move {

extern const CudaStrategy kCudaBanded[2];
extern const CudaStrategy kCudaParts[2];
extern const CudaStrategy kCudaFilled[2];
extern const CudaStrategy kCudaSequences[2];
extern const CudaStrategy kCudaGathered[2];
extern const CudaStrategy kCudaChosen[2];
extern const CudaStrategy kCudaMapped[2];
extern const CudaStrategy kCudaReversed[2];
extern const CudaStrategy kCudaScattered[1];
extern const CudaStrategy kCudaTopK[1];
extern const CudaStrategy kCudaNonzero[1];
extern const CudaStrategy kCudaRandom[2];

}  // namespace anydml::move
