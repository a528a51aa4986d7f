// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of regions.
#pragma once

#include "kernels/regions/regions.h"
#include "kernels/strategy.h"

namespace anydml::regions {

extern const std::array<CpuStrategy, 1> kAlignStrategies;
extern const std::array<CpuStrategy, 1> kAlignGradientStrategies;
extern const std::array<CpuStrategy, 1> kPoolingStrategies;

}  // namespace anydml::regions
