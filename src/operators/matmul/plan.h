// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plans of GEMM and CONVOLUTION: sums of products.
#pragma once

#include "kernels/matmul/products.h"
#include "operators/matmul/desc.h"

namespace anydml::matmul {

ProductPlan MakeGemmPlan(const GemmDesc& desc);
ProductPlan MakeConvolutionPlan(const ConvolutionDesc& desc);

}  // namespace anydml::matmul
