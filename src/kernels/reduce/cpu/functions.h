// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Correctly rounded functions of float32 (B65): those of kernels/math.
#pragma once

#include <cstdint>

#include "kernels/math/scalar.h"

namespace anydml::reduce {

// In place, with the vectors of this processor.
void Exponentials(float* x, uint64_t count);

inline float Logarithm(float x) { return math::Rounded<math::Log>(x); }

}  // namespace anydml::reduce
