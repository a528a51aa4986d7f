// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What validated descriptions of SLICE, SLICE1 and SLICE_GRAD say.
#pragma once

#include <array>

#include "operators/operator.h"

namespace anydml::slice {

// In the words of SLICE1; a SLICE is the SLICE1 with the smallest window that
// holds its elements. Strides are wide because SLICE has unsigned ones. In SLICE_GRAD
// the input lands in a window of the output.
struct Desc {
  TensorDesc input;
  TensorDesc output;
  std::array<int64_t, kMaxDimensions> window_offsets;
  std::array<int64_t, kMaxDimensions> window_sizes;
  std::array<int64_t, kMaxDimensions> window_strides;
};

void Reference(const Desc& desc, const Bindings& bindings);
void GradientReference(const Desc& desc, const Bindings& bindings);

Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> Gradient1(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> GradientOfGradient(const ForwardNode& node,
                                                   GradientBuilder& builder);

extern const Kernel kKernel;
extern const Kernel kGradientKernel;
extern const CudaKernel kCudaKernel;  // in a build with CUDA
extern const CudaKernel kCudaGradientKernel;
extern const Definition kSlice;
extern const Definition kSlice1;
extern const Definition kSliceGrad;

}  // namespace anydml::slice
