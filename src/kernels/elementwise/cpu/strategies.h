// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of every element-wise plan.
#pragma once

#include <array>

#include "kernels/elementwise/plan.h"
#include "kernels/strategy.h"

namespace anydml::elementwise {

extern const std::array<CpuStrategy, 4> kCpuStrategies;

// Of plans of channels (channels.h): the same, channel by channel.
extern const std::array<CpuStrategy, 3> kChannelStrategies;

}  // namespace anydml::elementwise
