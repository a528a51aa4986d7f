// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of ELEMENT_WISE_CLIP_GRAD and ELEMENT_WISE_CLIP_GRAD1.
#include "operators/clip_grad/formula.h"
#include "operators/clip_grad/plan.h"
#include "operators/cuda_elementwise.cuh"

namespace anydml::clip_grad {
namespace {

template <typename T>
struct SelectGradient {
  T min;
  T max;

  __device__ T operator()(T x, T dy) const { return Gradient(x, dy, min, max); }
};

// The device compares halves as floats.
template <>
struct SelectGradient<Float16> {
  float min;
  float max;

  __device__ Float16 operator()(Float16 x, Float16 dy) const {
    return Gradient(cuda::Widen(x), dy, min, max);
  }
};

struct MakeFormula {
  template <typename T>
  static SelectGradient<T> Of(const Plan& plan) {
    if constexpr (std::is_same_v<T, Float16>) {
      return {ToFloat(plan.min.As<T>()), ToFloat(plan.max.As<T>())};
    } else {
      return {plan.min.As<T>(), plan.max.As<T>()};
    }
  }
};

// A NaN bound closes nothing, and neither does a NaN x.
std::optional<cuda::ElementStep> Step(const Plan& plan) {
  return cuda::ElementStep{.kind = cuda::ElementStep::Kind::kGate,
                           .data_type = plan.data_type,
                           .has_high = true,
                           .low = plan.min,
                           .high = plan.max};
}

}  // namespace

constinit const CudaKernel kCudaKernel =
    CudaElementwise<Plan, Types, MakeFormula>::KernelNamed<Step>("clip_grad");

}  // namespace anydml::clip_grad
