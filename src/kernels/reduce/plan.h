// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of a reduction: what is made of each set, and where the sets lie.
#pragma once

#include "kernels/reduce/sets.h"

namespace anydml::reduce {

enum class Function : uint8_t {
  kArgMax,
  kArgMin,
  kAverage,
  kL1,
  kL2,
  kLogSum,
  kLogSumExp,
  kMax,
  kMin,
  kMultiply,
  kSum,
  kSumSquare,
};

// Tensor 0 is the input, 1 the output.
struct Plan {
  Function function;
  DataType type;
  DataType output_type;
  bool last;  // of equal elements, for indices
  Sets<2> sets;
  Columns<2> columns;
};

}  // namespace anydml::reduce
