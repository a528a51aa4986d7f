// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/cuda_kernel.h"
#include "kernels/moments/plan.h"

namespace anydml::moments {

extern const CudaStrategy kCudaStrategies[2];

}  // namespace anydml::moments
