// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategy of unpooling.
#pragma once

#include "kernels/cuda_kernel.h"
#include "kernels/window/unpooling.h"

namespace anydml::window::unpooling {

extern const CudaStrategy kCudaStrategies[1];

}  // namespace anydml::window::unpooling
