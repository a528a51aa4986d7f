// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Desc of ELEMENT_WISE_IDENTITY: what a validated description says.
#pragma once

#include "operators/operator.h"
#include "operators/scale_bias.h"

namespace anydml::identity {

struct Desc {
  TensorDesc input;
  TensorDesc output;
  ScaleBias scale_bias;
};

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions& options);

void Reference(const Desc& desc, const Bindings& bindings);

extern const Kernel kKernel;
extern const CudaKernel kCudaKernel;  // in a build with CUDA
extern const Definition kIdentity;

}  // namespace anydml::identity
