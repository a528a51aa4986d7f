// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of softmax and its kin: what every element of a set becomes. Divided by a norm of the set,
// too: no maximum, no exponential.
#pragma once

#include "kernels/reduce/sets.h"

namespace anydml::reduce {

enum class SoftmaxKind : uint8_t { kSoftmax, kLogSoftmax, kHardmax, kOfNorm1, kOfNorm2 };

constexpr bool IsOfNorm(SoftmaxKind kind) { return kind >= SoftmaxKind::kOfNorm1; }

// Tensor 0 is the input, 1 the output.
struct SoftmaxPlan {
  SoftmaxKind kind;
  DataType type;
  Sets<2> sets;
  Columns<2> columns;
  float epsilon = 0;  // the least norm (B38)
};

}  // namespace anydml::reduce
