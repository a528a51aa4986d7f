// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/reduce/normalization_plan.h"
#include "kernels/reduce/plan.h"
#include "kernels/reduce/scan_plan.h"
#include "kernels/reduce/softmax_plan.h"
#include "kernels/strategy.h"

namespace anydml::reduce {

extern const CpuStrategy kReductionStrategies[3];
extern const std::array<CpuStrategy, 3> kQuantizedRangeStrategies;
extern const CpuStrategy kSoftmaxStrategies[3];
extern const CpuStrategy kScanStrategies[2];
extern const CpuStrategy kNormalizationStrategies[3];
extern const CpuStrategy kNormalizationGradientStrategies[2];

}  // namespace anydml::reduce
