// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA kernels of formulas whose tensors have different types: comparisons, choices, conversions.
#pragma once

#include "backends/bindings.h"
#include "backends/cuda/interface.h"
#include "kernels/elementwise/plan.h"

namespace anydml::elementwise {

// `packed`: the output's innermost stride is 1.
void LaunchTyped(const Plan& plan, const Bindings& bindings, bool packed, cuda::Stream stream);

}  // namespace anydml::elementwise
