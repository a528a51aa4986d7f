// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of sums along axes, best first; the last accepts everything. Their plan is AxisSums.
#pragma once

#include <span>

#include "kernels/strategy.h"

namespace anydml::resample {

extern const std::array<CpuStrategy, 13> kGradientStrategies;
// The first three are of gradients alone.
inline constexpr std::span<const CpuStrategy> kStrategies =
    std::span<const CpuStrategy>(kGradientStrategies).subspan(3);

}  // namespace anydml::resample
