// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Desc of REDUCE, ARGMIN and ARGMAX.
#pragma once

#include "kernels/reduce/plan.h"
#include "operators/operator.h"

namespace anydml::reduce {

struct Reduction {
  Function function;
  TensorDesc input;
  TensorDesc output;
  std::array<bool, kMaxDimensions> reduced;
  bool last;  // of equal elements
};

void ReferenceReduction(const Reduction& desc, const Bindings& bindings);

}  // namespace anydml::reduce
