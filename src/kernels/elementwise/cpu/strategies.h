// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of every element-wise plan.
#pragma once

#include <array>

#include "kernels/elementwise/plan.h"
#include "kernels/strategy.h"

namespace anydml::elementwise {

// Their places in the list, for plans that hand a part of their work to one.
enum StrategyNumber : size_t { kPackedRows, kRepeatedElements, kPermuted, kStrided };

extern const std::array<CpuStrategy, 4> kCpuStrategies;

// Of plans of channels (channels.h): the same, channel by channel.
extern const std::array<CpuStrategy, 3> kChannelStrategies;

}  // namespace anydml::elementwise
