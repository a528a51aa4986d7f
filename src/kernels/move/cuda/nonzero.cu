// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Coordinates of the elements that are not zero: chunks of the input count theirs, then each knows
// where its first row is.
#include "kernels/elementwise/cuda/elementwise.cuh"
#include "kernels/move/cuda/strategies.h"

namespace anydml::move {
namespace {

constexpr unsigned kThreads = 256;
constexpr uint64_t kChunk = 16 * kThreads;
constexpr unsigned kScanned = 1024;  // counts at a time

uint64_t ChunksOf(const Nonzero& plan) { return (plan.count + kChunk - 1) / kChunk; }
uint64_t CountBytes(const Nonzero& plan) { return ChunksOf(plan) * sizeof(uint32_t); }

template <typename T>
struct Elements {
  cuda::Walk<1> walk;  // every dimension
  const T* x;
  uint64_t count;
  T mask;

  __device__ bool IsNonzero(uint64_t number) const {
    if (number >= count) return false;
    int64_t at[1];
    walk.Offsets(static_cast<uint32_t>(number), at);
    return (x[at[0]] & mask) != 0;
  }
};

template <typename T>
__global__ void CountNonzero(Elements<T> elements, uint32_t* counts) {
  uint32_t sum = 0;
  for (uint64_t i = threadIdx.x; i < kChunk; i += kThreads) {
    sum += __syncthreads_count(elements.IsNonzero(blockIdx.x * kChunk + i));
  }
  if (threadIdx.x == 0) counts[blockIdx.x] = sum;
}

// From counts to what is before each, by one block of threads.
__global__ void AddCounts(uint32_t* counts, uint64_t chunks, uint32_t* total) {
  __shared__ uint32_t sums[kScanned];
  uint32_t before = 0;
  for (uint64_t first = 0; first < chunks; first += kScanned) {
    const uint64_t i = first + threadIdx.x;
    const uint32_t own = i < chunks ? counts[i] : 0;
    sums[threadIdx.x] = own;
    __syncthreads();
    for (unsigned step = 1; step < kScanned; step *= 2) {
      const uint32_t other = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
      __syncthreads();
      sums[threadIdx.x] += other;
      __syncthreads();
    }
    if (i < chunks) counts[i] = before + sums[threadIdx.x] - own;
    before += sums[kScanned - 1];
    __syncthreads();
  }
  if (threadIdx.x == 0) *total = before;
}

struct Rows {
  uint32_t* first;
  uint32_t columns;
  int64_t row_stride;
  int64_t column_stride;
};

template <typename T>
__global__ void WriteNonzero(Elements<T> elements, const uint32_t* starts, Rows rows) {
  __shared__ uint32_t of_warps[kThreads / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint32_t start = starts[blockIdx.x];
  for (uint64_t i = threadIdx.x; i < kChunk; i += kThreads) {
    const uint64_t number = blockIdx.x * kChunk + i;
    const bool is_nonzero = elements.IsNonzero(number);
    const unsigned found = __ballot_sync(0xFFFFFFFFu, is_nonzero);
    if (lane == 0) of_warps[warp] = __popc(found);
    __syncthreads();
    uint32_t row = start + __popc(found & ((1u << lane) - 1));
    for (unsigned w = 0; w < kThreads / 32; ++w) {
      if (w < warp) row += of_warps[w];
      start += of_warps[w];
    }
    __syncthreads();
    if (!is_nonzero) continue;
    auto rest = static_cast<uint32_t>(number);
    uint32_t d = elements.walk.rank;
    for (uint32_t c = rows.columns; c-- > 0;) {
      const uint32_t outer = elements.walk.sizes[--d].Split(rest);
      rows.first[row * rows.row_stride + c * rows.column_stride] = rest;
      rest = outer;
    }
  }
}

void RunNonzero(const Nonzero& plan, const NoTables&, const Bindings& bindings,
                cuda::Stream stream) {
  StridedLoop<1> loop;
  loop.rank = plan.input.dimension_count;
  for (uint32_t i = 0; i < loop.rank; ++i) {
    loop.sizes[i] = plan.input.sizes[i];
    loop.strides[0][i] = plan.input.strides[i];
  }
  auto* const counts = bindings.Temporary<uint32_t>();
  const auto blocks = static_cast<unsigned>(ChunksOf(plan));
  const Rows rows = {bindings.Output<uint32_t>(1), plan.columns, plan.row_stride,
                     plan.column_stride};
  DispatchWidth(plan.element_size, [&]<typename T>() {
    const Elements<T> elements = {cuda::Walk<1>(loop, loop.rank), bindings.Input<T>(0), plan.count,
                                  static_cast<T>(plan.mask)};
    CountNonzero<<<blocks, kThreads, 0, stream>>>(elements, counts);
    AddCounts<<<1, kScanned, 0, stream>>>(counts, blocks, bindings.Output<uint32_t>(0));
    WriteNonzero<<<blocks, kThreads, 0, stream>>>(elements, counts, rows);
  });
}

using Strategy = CudaStrategyOf<Nonzero, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaNonzero[] = {
    Strategy::Named<AcceptsAll<Nonzero>, RunNonzero, CountBytes>("strided"),
};

}  // namespace anydml::move
