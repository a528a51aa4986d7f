// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What validated descriptions of average pooling, of its gradient and of Lp pooling say.
#pragma once

#include "operators/operator.h"
#include "tensor/window.h"

namespace anydml::average_pooling {

struct Desc {
  TensorDesc wide;    // the window slides over it
  TensorDesc narrow;  // an element per window
  WindowArrays window;
  bool include_padding;
  uint32_t p = 0;  // Lp pooling; 0: averages
};

void Reference(const Desc& desc, const Bindings& bindings);
void GradientReference(const Desc& desc, const Bindings& bindings);

Result<std::vector<GraphValue>> PoolingGradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> NormGradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> GradientOfGradient(const ForwardNode& node,
                                                   GradientBuilder& builder);

extern const Definition kAveragePooling;
extern const Definition kAveragePooling1;
extern const Definition kAveragePoolingGrad;
extern const Definition kLpPooling;
extern const Definition kLpPooling1;

}  // namespace anydml::average_pooling
