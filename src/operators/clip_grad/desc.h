// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Desc of ELEMENT_WISE_CLIP_GRAD and ELEMENT_WISE_CLIP_GRAD1: what a validated
// description says.
#pragma once

#include "operators/operator.h"
#include "tensor/scalar.h"

namespace anydml::clip_grad {

struct Desc {
  TensorDesc input;
  TensorDesc input_gradient;
  TensorDesc output_gradient;
  Scalar min;  // of the tensors' data type, as is max
  Scalar max;
};

// The FLOAT bounds of the older version are converted to the tensors' type
// before they are compared (B26), as its forward partner's page says.
Desc MakeClipGradDesc(const schema::Arguments& arguments, const DeviceOptions& options);
Desc MakeClipGrad1Desc(const schema::Arguments& arguments, const DeviceOptions& options);

void Reference(const Desc& desc, const Bindings& bindings);

extern const Kernel kKernel;
extern const CudaKernel kCudaKernel;  // in a build with CUDA
extern const Definition kClipGrad;
extern const Definition kClipGrad1;

}  // namespace anydml::clip_grad
