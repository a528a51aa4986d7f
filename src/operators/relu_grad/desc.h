// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Desc of ACTIVATION_RELU_GRAD: what a validated description says.
#pragma once

#include "operators/operator.h"

namespace anydml::relu_grad {

struct Desc {
  TensorDesc input;
  TensorDesc input_gradient;
  TensorDesc output_gradient;
};

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions& options);

void Reference(const Desc& desc, const Bindings& bindings);

extern const Kernel kKernel;
extern const CudaKernel kCudaKernel;  // in a build with CUDA
extern const Definition kReluGrad;

}  // namespace anydml::relu_grad
