// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies, best first; the last accepts everything. The step is input 4. An output may be
// laid over an input of the same strides.
#pragma once

#include "kernels/moments/plan.h"
#include "kernels/strategy.h"

namespace anydml::moments {

extern const std::array<CpuStrategy, 2> kStrategies;

}  // namespace anydml::moments
