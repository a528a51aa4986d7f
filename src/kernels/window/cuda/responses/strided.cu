// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// An element per thread; lanes are neighbours.
#include "backends/cuda/launch.cuh"
#include "kernels/math/scalar.h"
#include "kernels/window/cuda/responses/strategies.h"

namespace anydml::window::responses {
namespace {

// A thread's element.
struct Place {
  int64_t row;
  int64_t at[4];

  __device__ Place(const Plan& plan, int64_t number)
      : row(number / plan.sizes[3]),
        at{row / (plan.sizes[1] * plan.sizes[2]), row / plan.sizes[2] % plan.sizes[1],
           row % plan.sizes[2], number % plan.sizes[3]} {}
  __device__ int64_t OffsetIn(const Plan& plan, int tensor) const {
    int64_t offset = 0;
    for (int a = 0; a < 4; ++a) offset += at[a] * plan.strides[tensor][a];
    return offset;
  }
};

// The sum of term(coordinates) over the region of an element, in ascending order.
template <typename Term>
__device__ float SumRegion(const Plan& plan, const Place& place, bool reflected, const Term& term) {
  Span spans[4];
  for (int a = 0; a < 4; ++a) spans[a] = plan.RegionOf(a, place.at[a], reflected);
  float sum = 0;
  for (int64_t i = spans[0].first; i < spans[0].end; ++i) {
    for (int64_t j = spans[1].first; j < spans[1].end; ++j) {
      for (int64_t k = spans[2].first; k < spans[2].end; ++k) {
        for (int64_t l = spans[3].first; l < spans[3].end; ++l) sum = sum + term(i, j, k, l);
      }
    }
  }
  return sum;
}

template <typename T>
__device__ float BaseOf(const Plan& plan, const Place& place, const T* x) {
  const float sum = SumRegion(plan, place, false, [&](int64_t i, int64_t j, int64_t k, int64_t l) {
    const auto& s = plan.strides[0];
    const float value = cuda::Widen(x[i * s[0] + j * s[1] + k * s[2] + l * s[3]]);
    return value * value;
  });
  return plan.bias + plan.factor * sum;
}
__device__ float PowerOf(const Plan& plan, float base) {
  return math::RoundedOf<math::Pow>(double{base}, double{plan.beta});
}

template <typename T>
__global__ void Respond(Plan plan, const T* x, T* y) {
  const auto number = static_cast<int64_t>(cuda::ThreadNumber());
  if (number >= plan.ElementCount()) return;
  const Place place(plan, number);
  const float power = PowerOf(plan, BaseOf(plan, place, x));
  y[place.OffsetIn(plan, 1)] =
      cuda::Narrow<T>(__fdiv_rn(cuda::Widen(x[place.OffsetIn(plan, 0)]), power));
}

template <typename T>
__global__ void BeginGradient(Plan plan, const T* x, const T* dy, float* u, float* r) {
  const auto number = static_cast<int64_t>(cuda::ThreadNumber());
  if (number >= plan.ElementCount()) return;
  const Place place(plan, number);
  const float base = BaseOf(plan, place, x);
  const float of_dy = __fdiv_rn(cuda::Widen(dy[place.OffsetIn(plan, 1)]), PowerOf(plan, base));
  u[number] = of_dy;
  r[number] = __fdiv_rn(of_dy * cuda::Widen(x[place.OffsetIn(plan, 0)]), base);
}

template <typename T>
__global__ void EndGradient(Plan plan, const T* x, const float* u, const float* r, T* dx) {
  const auto number = static_cast<int64_t>(cuda::ThreadNumber());
  if (number >= plan.ElementCount()) return;
  const Place place(plan, number);
  const float sum = SumRegion(plan, place, true, [&](int64_t i, int64_t j, int64_t k, int64_t l) {
    return r[((i * plan.sizes[1] + j) * plan.sizes[2] + k) * plan.sizes[3] + l];
  });
  const float factor = 2 * plan.beta * plan.factor;
  const float part = factor * cuda::Widen(x[place.OffsetIn(plan, 0)]) * sum;
  dx[place.OffsetIn(plan, 2)] = cuda::Narrow<T>(u[number] - part);
}

void Run(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  const auto count = static_cast<uint64_t>(plan.ElementCount());
  const unsigned blocks = cuda::BlocksFor(count);
  DispatchType(TypeList<float, Float16>(), plan.type, [&]<typename T>() {
    const T* const x = bindings.Input<T>(0);
    T* const y = bindings.Output<T>(0);
    if (!plan.is_gradient) {
      Respond<T><<<blocks, cuda::kThreadsPerBlock, 0, stream>>>(plan, x, y);
      return;
    }
    float* const u = bindings.Temporary<float>();
    float* const r = u + count;
    BeginGradient<T>
        <<<blocks, cuda::kThreadsPerBlock, 0, stream>>>(plan, x, bindings.Input<T>(1), u, r);
    EndGradient<T><<<blocks, cuda::kThreadsPerBlock, 0, stream>>>(plan, x, u, r, y);
  });
}

}  // namespace

constinit const CudaStrategy kCudaStrategies[1] = {
    CudaStrategyOf<Plan, NoTables>::Named<AcceptsAll<Plan>, Run, TemporaryBytes>("strided")};

}  // namespace anydml::window::responses
