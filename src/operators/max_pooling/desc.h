// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What validated descriptions of max pooling, of its gradient and of its opposite say.
#pragma once

#include "operators/operator.h"
#include "tensor/window.h"

namespace anydml::max_pooling {

struct Desc {
  TensorDesc input;
  TensorDesc output;
  TensorDesc indices;  // may be absent
  WindowArrays window;
};
void Reference(const Desc& desc, const Bindings& bindings);

struct GradientDesc {
  TensorDesc input;
  TensorDesc input_gradient;
  TensorDesc output_gradient;
  WindowArrays window;
};
void GradientReference(const GradientDesc& desc, const Bindings& bindings);

struct UnpoolingDesc {
  TensorDesc input, indices, output;
};
void UnpoolingReference(const UnpoolingDesc& desc, const Bindings& bindings);

Result<std::vector<GraphValue>> PoolingGradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> GradientOfGradient(const ForwardNode& node,
                                                   GradientBuilder& builder);
Result<std::vector<GraphValue>> UnpoolingGradient(const ForwardNode& node,
                                                  GradientBuilder& builder);

extern const Definition kMaxPooling;
extern const Definition kMaxPooling1;
extern const Definition kMaxPooling2;
extern const Definition kMaxPoolingGrad;
extern const Definition kMaxUnpooling;

}  // namespace anydml::max_pooling
