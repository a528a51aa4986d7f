// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Gradient rules of this folder.
#pragma once

#include <type_traits>

#include "operators/gradient.h"

namespace anydml::normalization {

std::remove_pointer_t<GradientRule> BatchGradient, TrainingGradient, Mvn0Gradient, MvnGradient,
    LpGradient, ResponseGradient;

}  // namespace anydml::normalization
