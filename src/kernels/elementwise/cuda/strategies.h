// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Strategies of every element-wise plan on NVIDIA devices.
#pragma once

#include <array>

#include "kernels/cuda_strategy.h"
#include "kernels/elementwise/plan.h"

namespace anydml::elementwise {

extern const std::array<CudaStrategy, 2> kCudaStrategies;  // in a build with CUDA

}  // namespace anydml::elementwise
