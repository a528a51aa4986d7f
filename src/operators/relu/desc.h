// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Desc of ACTIVATION_RELU: what a validated description says.
#pragma once

#include "operators/operator.h"

namespace anydml::relu {

struct Desc {
  TensorDesc input;
  TensorDesc output;
};

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions& options);

void Reference(const Desc& desc, const Bindings& bindings);

extern const Kernel kKernel;
extern const CudaKernel kCudaKernel;  // in a build with CUDA
extern const Definition kRelu;

}  // namespace anydml::relu
