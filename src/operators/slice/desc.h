// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Desc of SLICE and SLICE1: what a validated description says.
#pragma once

#include <array>

#include "operators/operator.h"

namespace anydml::slice {

// In the words of SLICE1; a SLICE is the SLICE1 with the smallest window that
// holds its elements. Strides are wide because SLICE has unsigned ones.
struct Desc {
  TensorDesc input;
  TensorDesc output;
  std::array<int64_t, kMaxDimensions> window_offsets;
  std::array<int64_t, kMaxDimensions> window_sizes;
  std::array<int64_t, kMaxDimensions> window_strides;
};

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions& options);
Desc MakeDesc1(const schema::Arguments& arguments, const DeviceOptions& options);

void Reference(const Desc& desc, const Bindings& bindings);

Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> Gradient1(const ForwardNode& node, GradientBuilder& builder);

extern const Kernel kKernel;
extern const CudaKernel kCudaKernel;  // in a build with CUDA
extern const Definition kSlice;
extern const Definition kSlice1;

}  // namespace anydml::slice
