// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategy of local responses and their gradients.
#pragma once

#include "kernels/strategy.h"
#include "kernels/window/responses.h"

namespace anydml::window::responses {

extern const std::array<CpuStrategy, 1> kStrategies;

}  // namespace anydml::window::responses
