// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategy of unpooling.
#pragma once

#include "kernels/strategy.h"
#include "kernels/window/unpooling.h"

namespace anydml::window::unpooling {

extern const std::array<CpuStrategy, 1> kStrategies;

}  // namespace anydml::window::unpooling
