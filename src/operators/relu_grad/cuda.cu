// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of ACTIVATION_RELU_GRAD.
#include "operators/cuda_elementwise.cuh"
#include "operators/relu_grad/formula.h"
#include "operators/relu_grad/plan.h"

namespace anydml::relu_grad {
namespace {

struct SelectGradient {
  template <typename T>
  static SelectGradient Of(const Plan&) {
    return {};
  }
  template <typename T>
  __device__ T operator()(T x, T dy) const {
    return Gradient(x, dy);
  }
};

// Open above 0 alone.
std::optional<cuda::ElementStep> Step(const Plan& plan) {
  return cuda::ElementStep{.kind = cuda::ElementStep::Kind::kGate,
                           .data_type = plan.data_type,
                           .nan_closes = true,
                           .low = {},
                           .high = {}};
}

}  // namespace

constinit const CudaKernel kCudaKernel =
    CudaElementwise<Plan, Types, SelectGradient>::KernelNamed<Step>("relu_grad");

}  // namespace anydml::relu_grad
