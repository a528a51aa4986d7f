// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Desc of softmax and its kin, both versions.
#pragma once

#include "kernels/reduce/softmax_plan.h"
#include "operators/operator.h"

namespace anydml::reduce {

struct Softmax {
  SoftmaxKind kind;
  TensorDesc input;
  TensorDesc output;
  std::array<bool, kMaxDimensions> reduced;
};

void ReferenceSoftmax(const Softmax& desc, const Bindings& bindings);

}  // namespace anydml::reduce
