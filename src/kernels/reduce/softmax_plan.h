// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of softmax and its kin: what every element of a set becomes.
#pragma once

#include "kernels/reduce/sets.h"

namespace anydml::reduce {

enum class SoftmaxKind : uint8_t { kSoftmax, kLogSoftmax, kHardmax };

// Tensor 0 is the input, 1 the output.
struct SoftmaxPlan {
  SoftmaxKind kind;
  DataType type;
  Sets<2> sets;
  Columns<2> columns;
};

}  // namespace anydml::reduce
