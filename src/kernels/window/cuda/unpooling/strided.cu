// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// An integer per element of the output finds the last input element that goes there; then every
// element of the output is written.
#include "backends/cuda/launch.cuh"
#include "kernels/window/cuda/unpooling/strategies.h"

namespace anydml::window::unpooling {
namespace {

using Number = unsigned long long;  // of an input element, from 1 on; 0: none

__global__ void ForgetAll(Number* last, uint64_t count) {
  const uint64_t i = cuda::ThreadNumber();
  if (i < count) last[i] = 0;
}

template <typename I>
__global__ void FindLast(Plan plan, const I* indices, Number* last) {
  const auto number = static_cast<int64_t>(cuda::ThreadNumber());
  if (number >= plan.InputCount()) return;
  const uint64_t index = indices[Plan::OffsetAt(plan.input_sizes, plan.strides[1], number)];
  if (index >= static_cast<uint64_t>(plan.OutputCount())) return;
  atomicMax(last + index, static_cast<Number>(number) + 1);
}

template <typename T>
__global__ void WriteAll(Plan plan, const T* x, const Number* last, T* y) {
  const auto number = static_cast<int64_t>(cuda::ThreadNumber());
  if (number >= plan.OutputCount()) return;
  T value = {};
  if (last[number] != 0) {
    const auto from = static_cast<int64_t>(last[number] - 1);
    value = x[Plan::OffsetAt(plan.input_sizes, plan.strides[0], from)];
  }
  y[Plan::OffsetAt(plan.output_sizes, plan.strides[2], number)] = value;
}

void Run(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  const auto inputs = static_cast<uint64_t>(plan.InputCount());
  const auto outputs = static_cast<uint64_t>(plan.OutputCount());
  constexpr unsigned kThreads = cuda::kThreadsPerBlock;
  Number* const last = bindings.Temporary<Number>();
  ForgetAll<<<cuda::BlocksFor(outputs), kThreads, 0, stream>>>(last, outputs);
  DispatchType(TypeList<uint32_t, uint64_t>(), plan.index_type, [&]<typename I>() {
    FindLast<I><<<cuda::BlocksFor(inputs), kThreads, 0, stream>>>(plan, bindings.Input<I>(1), last);
  });
  DispatchWidth(ElementSize(plan.type), [&]<typename T>() {
    WriteAll<T><<<cuda::BlocksFor(outputs), kThreads, 0, stream>>>(plan, bindings.Input<T>(0), last,
                                                                   bindings.Output<T>(0));
  });
}

uint64_t TemporaryBytes(const Plan& plan) {
  return static_cast<uint64_t>(plan.OutputCount()) * sizeof(Number);
}

}  // namespace

constinit const CudaStrategy kCudaStrategies[1] = {
    CudaStrategyOf<Plan, NoTables>::Named<AcceptsAll<Plan>, Run, TemporaryBytes>("strided")};

}  // namespace anydml::window::unpooling
