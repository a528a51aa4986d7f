// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The CPU strategies for the plans of this family, best first; the last of each accepts
// everything. Elements of any type are moved as bytes.
#pragma once

#include "kernels/strategy.h"

namespace anydml::move {

extern const std::array<CpuStrategy, 2> kPartsStrategies;
extern const std::array<CpuStrategy, 3> kRearrangedStrategies;  // Parts, of which there is one
extern const std::array<CpuStrategy, 2> kFilledStrategies;
extern const std::array<CpuStrategy, 2> kSequenceStrategies;
extern const std::array<CpuStrategy, 2> kBandedStrategies;
extern const std::array<CpuStrategy, 2> kGatheredStrategies;
extern const std::array<CpuStrategy, 2> kChosenStrategies;
extern const std::array<CpuStrategy, 2> kMappedStrategies;
extern const std::array<CpuStrategy, 2> kReversedStrategies;
extern const std::array<CpuStrategy, 1> kScatteredStrategies;
extern const std::array<CpuStrategy, 1> kTopKStrategies;
extern const std::array<CpuStrategy, 1> kNonzeroStrategies;
extern const std::array<CpuStrategy, 2> kRandomStrategies;

}  // namespace anydml::move
