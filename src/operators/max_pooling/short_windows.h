// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Windows of any shape in 32 bits, on NVIDIA devices.
#pragma once

#include <string_view>

#include "backends/bindings.h"
#include "backends/cuda/launch.cuh"
#include "operators/max_pooling/formula.h"
#include "operators/max_pooling/plan.h"

namespace anydml::max_pooling {

// Why short windows do not take a plan; empty when they do.
std::string_view RefuseShortWindows(const Plan& plan);
void RunShortWindows(const Plan& plan, const Bindings& bindings, cuda::Stream stream);

}  // namespace anydml::max_pooling
