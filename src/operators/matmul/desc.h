// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Descs of GEMM, CONVOLUTION and MATRIX_MULTIPLY_INTEGER: what a validated description says.
#pragma once

#include <array>

#include "operators/operator.h"

namespace anydml::matmul {

struct GemmDesc {
  TensorDesc a;
  TensorDesc b;
  TensorDesc c;  // may be absent
  TensorDesc output;
  bool a_is_transposed;
  bool b_is_transposed;
  float alpha;
  float beta;
  int threads;  // of the device; 0: one per core
};

struct ConvolutionDesc {
  TensorDesc input;
  TensorDesc filter;
  TensorDesc bias;  // may be absent
  TensorDesc output;
  bool is_flipped;  // mode CONVOLUTION
  bool is_backward;
  uint32_t axes;  // of space
  std::array<uint32_t, 3> strides;
  std::array<uint32_t, 3> dilations;
  std::array<uint32_t, 3> start_padding;
  std::array<uint32_t, 3> output_padding;
  uint32_t groups;
  int threads;  // of the device; 0: one per core
};

struct IntegerDesc {
  TensorDesc a, a_zero, b, b_zero, output;  // zero points may be absent
};

GemmDesc MakeGemmDesc(const schema::Arguments& arguments, const DeviceOptions& options);
ConvolutionDesc MakeConvolutionDesc(const schema::Arguments& arguments,
                                    const DeviceOptions& options);

void GemmReference(const GemmDesc& desc, const Bindings& bindings);
void IntegerReference(const IntegerDesc& desc, const Bindings& bindings);
void ConvolutionReference(const ConvolutionDesc& desc, const Bindings& bindings);

Result<std::vector<GraphValue>> GemmGradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> ConvolutionGradient(const ForwardNode& node,
                                                    GradientBuilder& builder);

extern const Kernel kGemmKernel;
extern const Kernel kConvolutionKernel;
extern const CudaKernel kCudaKernel;  // in a build with CUDA
extern const Definition kGemm;
extern const Definition kConvolution;
extern const Definition kMatrixMultiplyInteger;

}  // namespace anydml::matmul
