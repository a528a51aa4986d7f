// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategy of local responses and their gradients.
#pragma once

#include "kernels/cuda_kernel.h"
#include "kernels/window/responses.h"

namespace anydml::window::responses {

extern const CudaStrategy kCudaStrategies[1];

}  // namespace anydml::window::responses
