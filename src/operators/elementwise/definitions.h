// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the lists of operators take from the table of element-wise ones.
#pragma once

#include <array>
#include <span>

#include "kernels/elementwise/formula.h"
#include "operators/operator.h"

namespace anydml::elementwise {

// One per formula of an operator: all but the last, ScaleBias.
inline constexpr size_t kKernelCount = kFormulaCount - 1;
extern const std::array<Kernel, kKernelCount> kKernels;

std::span<const Definition> Definitions();  // one per operator

}  // namespace anydml::elementwise
