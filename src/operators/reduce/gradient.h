// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Gradient rules of this folder.
#pragma once

#include <type_traits>

#include "operators/gradient.h"

namespace anydml::reduce {

std::remove_pointer_t<GradientRule> ReduceGradient, SoftmaxGradient, LogSoftmaxGradient,
    SummationGradient, ProductGradient;

}  // namespace anydml::reduce
