// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a validated description of ADAM_OPTIMIZER says.
#pragma once

#include "operators/operator.h"

namespace anydml::adam_optimizer {

struct Desc {
  std::array<TensorDesc, 7> tensors;  // four inputs, then three outputs; without the step
  TensorDesc step;
  float learning_rate;
  float beta1;
  float beta2;
  float epsilon;
};

void Reference(const Desc& desc, const Bindings& bindings);

extern const Definition kAdamOptimizer;

}  // namespace anydml::adam_optimizer
