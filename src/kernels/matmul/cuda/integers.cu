// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Tiles of 16 x 16 sums, a thread each, of 16 terms at a time, which are brought to shared memory.
#include "backends/cuda/launch.cuh"
#include "kernels/matmul/cuda/strategies.h"

namespace anydml::matmul {
namespace {

constexpr int kTile = 16;

template <typename A, typename B>
__global__ void MultiplyIntegers(IntegerPlan plan, int64_t across, int64_t down, const A* a,
                                 const A* a_zeros, const B* b, const B* b_zeros, int32_t* y) {
  __shared__ int terms_a[kTile][kTile + 1];
  __shared__ int terms_b[kTile][kTile + 1];
  const int64_t tile = blockIdx.x;
  const int64_t batch = tile / across / down;
  const int64_t row = tile / across % down * kTile + threadIdx.y;
  const int64_t column = tile % across * kTile + threadIdx.x;
  const bool has_row = row < plan.rows, has_column = column < plan.columns;
  a += plan.BatchOffset(plan.a, batch);
  b += plan.BatchOffset(plan.b, batch);
  const int a_zero = plan.has_a_zero && has_row ? a_zeros[row * plan.a_zero_stride] : 0;
  const int b_zero = plan.has_b_zero && has_column ? b_zeros[column * plan.b_zero_stride] : 0;
  uint32_t sum = 0;
  for (int64_t first = 0; first < plan.depth; first += kTile) {
    const int64_t of_a = first + threadIdx.x, of_b = first + threadIdx.y;
    int term_a = 0, term_b = 0;
    if (has_row && of_a < plan.depth) term_a = a[row * plan.a[2] + of_a * plan.a[3]] - a_zero;
    if (has_column && of_b < plan.depth) term_b = b[of_b * plan.b[2] + column * plan.b[3]] - b_zero;
    terms_a[threadIdx.y][threadIdx.x] = term_a;
    terms_b[threadIdx.y][threadIdx.x] = term_b;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) {
      sum += static_cast<uint32_t>(terms_a[threadIdx.y][k] * terms_b[k][threadIdx.x]);
    }
    __syncthreads();
  }
  if (!has_row || !has_column) return;
  y[plan.BatchOffset(plan.output, batch) + row * plan.output[2] + column * plan.output[3]] =
      static_cast<int32_t>(sum);
}

void RunIntegers(const IntegerPlan& plan, const NoTables&, const Bindings& bindings,
                 cuda::Stream stream) {
  const int64_t across = (plan.columns + kTile - 1) / kTile;
  const int64_t down = (plan.rows + kTile - 1) / kTile;
  const auto blocks = static_cast<unsigned>(plan.BatchCount() * across * down);
  using ByteTypes = TypeList<int8_t, uint8_t>;
  DispatchType(ByteTypes(), plan.a_type, [&]<typename A>() {
    DispatchType(ByteTypes(), plan.b_type, [&]<typename B>() {
      MultiplyIntegers<<<blocks, dim3(kTile, kTile), 0, stream>>>(
          plan, across, down, bindings.Input<A>(0), bindings.Input<A>(1), bindings.Input<B>(2),
          bindings.Input<B>(3), bindings.Output<int32_t>(0));
    });
  });
}

}  // namespace

constinit const CudaStrategy kCudaIntegers[1] = {
    CudaStrategyOf<IntegerPlan, NoTables>::Named<AcceptsAll<IntegerPlan>, RunIntegers>("strided")};

}  // namespace anydml::matmul
