// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of ELEMENT_WISE_IDENTITY.
#include "operators/cuda_elementwise.cuh"
#include "operators/identity/formula.h"
#include "operators/identity/plan.h"

namespace anydml::identity {
namespace {

struct Formula {
  ScaleBias scale_bias;

  template <typename T>
  static Formula Of(const Plan& plan) {
    return {plan.scale_bias};
  }
  template <typename T>
  __device__ T operator()(T x) const {
    return scale_bias.present ? Apply(scale_bias, x) : Identity(x);
  }
};

std::optional<cuda::ElementStep> Step(const Plan& plan) {
  if (plan.scale_bias.present) return std::nullopt;
  return cuda::ElementStep{.data_type = plan.data_type, .low = {}, .high = {}};
}

}  // namespace

constinit const CudaKernel kCudaKernel =
    CudaElementwise<Plan, Types, Formula>::KernelNamed<Step>("identity");

}  // namespace anydml::identity
