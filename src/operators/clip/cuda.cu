// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of ELEMENT_WISE_CLIP and ELEMENT_WISE_CLIP1.
#include "operators/clip/formula.h"
#include "operators/clip/plan.h"
#include "operators/cuda_elementwise.cuh"

namespace anydml::clip {
namespace {

template <typename T>
struct ClipTo {
  T min;
  T max;
  ScaleBias scale_bias;

  // g(x) is rounded to the data type before it is clipped (O3).
  __device__ T operator()(T x) const {
    return Clip(scale_bias.present ? Apply(scale_bias, x) : x, min, max);
  }
};

struct MakeFormula {
  template <typename T>
  static ClipTo<T> Of(const Plan& plan) {
    return {plan.min.As<T>(), plan.max.As<T>(), plan.scale_bias};
  }
};

}  // namespace

constinit const CudaKernel kCudaKernel =
    CudaElementwise<Plan, Types, MakeFormula>::KernelNamed("clip");

}  // namespace anydml::clip
