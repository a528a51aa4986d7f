// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Desc of MAX_POOLING_GRAD: what a validated description says.
#pragma once

#include "operators/operator.h"
#include "tensor/window.h"

namespace anydml::max_pooling_grad {

struct Desc {
  TensorDesc input;
  TensorDesc input_gradient;
  TensorDesc output_gradient;
  WindowArrays window;
};

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions& options);

Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder);

void Reference(const Desc& desc, const Bindings& bindings);

extern const Kernel kKernel;
extern const CudaKernel kCudaKernel;  // in a build with CUDA
extern const Definition kMaxPoolingGrad;

}  // namespace anydml::max_pooling_grad
