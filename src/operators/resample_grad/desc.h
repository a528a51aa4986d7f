// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Desc of RESAMPLE_GRAD and RESAMPLE_GRAD1, in the words of the newer one. The
// axes mean what they mean in the forward operator.
#pragma once

#include <directml.h>

#include <array>

#include "operators/operator.h"
#include "operators/resampled_axes.h"

namespace anydml::resample_grad {

struct Desc {
  TensorDesc input_gradient;   // of the forward operator's output
  TensorDesc output_gradient;  // of the forward operator's input
  DML_INTERPOLATION_MODE interpolation_mode;
  DML_AXIS_DIRECTION rounding_direction;
  std::array<ResampledAxis, kMaxResampledAxes> axes;
};

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions& options);
Desc MakeDesc1(const schema::Arguments& arguments, const DeviceOptions& options);

void Reference(const Desc& desc, const Bindings& bindings);

Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> Gradient1(const ForwardNode& node, GradientBuilder& builder);

extern const Kernel kKernel;
extern const CudaKernel kCudaKernel;  // in a build with CUDA
extern const Definition kResampleGrad;
extern const Definition kResampleGrad1;

}  // namespace anydml::resample_grad
