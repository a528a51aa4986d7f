// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Desc of SLICE_GRAD: what a validated description says.
#pragma once

#include <array>

#include "operators/operator.h"

namespace anydml::slice_grad {

struct Desc {
  TensorDesc input_gradient;
  TensorDesc output_gradient;
  std::array<int64_t, kMaxDimensions> window_offsets;
  std::array<int64_t, kMaxDimensions> window_sizes;
  std::array<int64_t, kMaxDimensions> window_strides;  // wide, so that INT_MIN can be negated
};

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions& options);

void Reference(const Desc& desc, const Bindings& bindings);

Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder);

extern const Kernel kKernel;
extern const CudaKernel kCudaKernel;  // in a build with CUDA
extern const Definition kSliceGrad;

}  // namespace anydml::slice_grad
