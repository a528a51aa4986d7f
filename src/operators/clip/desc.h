// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Desc of ELEMENT_WISE_CLIP and ELEMENT_WISE_CLIP1: what a validated description
// says.
#pragma once

#include "operators/operator.h"
#include "operators/scale_bias.h"
#include "tensor/scalar.h"

namespace anydml::clip {

struct Desc {
  TensorDesc input;
  TensorDesc output;
  ScaleBias scale_bias;
  Scalar min;  // of the tensors' data type, as is max
  Scalar max;
};

// "Min and Max are cast to the tensor type before clipping": CLIP's page.
Desc MakeClipDesc(const schema::Arguments& arguments, const DeviceOptions& options);
Desc MakeClip1Desc(const schema::Arguments& arguments, const DeviceOptions& options);

void Reference(const Desc& desc, const Bindings& bindings);

extern const Kernel kKernel;
extern const CudaKernel kCudaKernel;  // in a build with CUDA
extern const Definition kClip;
extern const Definition kClip1;

}  // namespace anydml::clip
