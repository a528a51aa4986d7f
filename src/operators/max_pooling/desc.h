// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Desc of MAX_POOLING, MAX_POOLING1 and MAX_POOLING2: what a validated
// description says.
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

Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder);

extern const Kernel kKernel;
extern const CudaKernel kCudaKernel;  // in a build with CUDA
extern const Definition kMaxPooling;
extern const Definition kMaxPooling1;
extern const Definition kMaxPooling2;

}  // namespace anydml::max_pooling
