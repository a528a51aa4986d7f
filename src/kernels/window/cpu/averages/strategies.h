// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of averages and their gradients, best first; the last accepts everything.
#pragma once

#include "kernels/strategy.h"

namespace anydml::window::average {

extern const std::array<CpuStrategy, 4> kAverageStrategies;
extern const std::array<CpuStrategy, 3> kGradientStrategies;

}  // namespace anydml::window::average
