// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of SLICE and SLICE1: a copy from strides of either sign.
#include "kernels/cuda_kernel.h"
#include "kernels/elementwise/cuda/elementwise.cuh"
#include "operators/slice/plan.h"

namespace anydml::slice {
namespace {

Bindings FromStart(const Plan& plan, Bindings bindings) {
  const int64_t bytes = plan.input_start * int64_t{plan.element_size};
  bindings.inputs[0] = bindings.Input<char>(0) + bytes;
  return bindings;
}

Refusal AcceptsPackedRows(const Plan& plan) {
  return {cuda::RefusePackedRows(plan.loop, plan.element_size)};
}

void RunPackedRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                   cuda::Stream stream) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    cuda::TransformPackedRows<T>(plan.loop, FromStart(plan, bindings), stream, cuda::Copied());
  });
}

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  DispatchWidth(plan.element_size, [&]<typename T>() {
    cuda::TransformStrided<T>(plan.loop, FromStart(plan, bindings), stream, cuda::Copied());
  });
}

using Strategy = CudaStrategyOf<Plan, NoTables>;
constexpr CudaStrategy kStrategies[] = {
    Strategy::Named<AcceptsPackedRows, RunPackedRows>("packed_rows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace

constinit const CudaKernel kCudaKernel = {.name = "slice", .strategies = kStrategies};

}  // namespace anydml::slice
