// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Averages of any windows, one per thread, or, where the sum is a blocked one, per block of
// threads. Gradients, one element per thread. In 64 bits.
#include "backends/cuda/launch.cuh"
#include "kernels/window/cuda/averages/strategies.h"

namespace anydml::window::average {
namespace {

using Floats = TypeList<float, Float16>;
enum Axis {
  kDepth = WindowLoop::kDepth,
  kHeight = WindowLoop::kHeight,
  kWidth = WindowLoop::kWidth
};

// Where a window or an element is.
struct Position {
  WindowRow row;
  int64_t at[3];
};
__device__ Position PositionOf(const WindowRow& row, int64_t w) {
  return {row, {row.depth, row.height, w}};
}
__device__ Position WindowNumber(const WindowLoop& loop, int64_t number) {
  const int64_t width = loop.axes[kWidth].output_size;
  return PositionOf(OutputRow(loop, number / width), number % width);
}

// What windows are divided by where padding counts is the same for all.
struct Divisors {
  bool include_padding;
  float all;
  uint32_t p;
  explicit Divisors(const Plan& plan)
      : include_padding(plan.include_padding), all(static_cast<float>(plan.Taps())), p(plan.p) {}
  __device__ float Of(int64_t kept) const {
    return include_padding ? all : static_cast<float>(kept == 0 ? 1 : kept);
  }
  // An element in a window's sum, and what the sum becomes.
  __device__ float Term(float x) const { return p == 0 ? x : PowerOf(x, p); }
  __device__ float Result(float sum, int64_t kept) const {
    return p == 0 ? __fdiv_rn(sum, Of(kept)) : RootOf(sum, p);
  }
};

// The number, in its window, of a tap that lies at `p`.
__device__ TapCount TapAt(const WindowAxis& axis, int64_t o, int64_t p) {
  return static_cast<TapCount>((p - o * axis.stride + axis.start_padding) / axis.dilation);
}

// Calls add(d, h, w, element) for the taps that lie inside, and says how many there are.
template <typename T, typename Add>
__device__ int64_t ForEachTap(const Plan& plan, const T* plane, const Position& window,
                              const Add& add) {
  Progression taps[3];
  for (int a = 0; a < 3; ++a) taps[a] = TapsOf(plan.loop.axes[a], window.at[a]);
  const int64_t kept = taps[0].count * taps[1].count * taps[2].count;
  const auto& strides = plan.wide.spatial;
  for (int64_t i = 0; i < taps[0].count && kept != 0; ++i) {
    const int64_t d = taps[0].first + i * taps[0].step;
    for (int64_t j = 0; j < taps[1].count; ++j) {
      const int64_t h = taps[1].first + j * taps[1].step;
      const T* element = plane + d * strides[0] + h * strides[1] + taps[2].first * strides[2];
      for (int64_t k = 0; k < taps[2].count; ++k, element += taps[2].step * strides[2]) {
        add(d, h, taps[2].first + k * taps[2].step, cuda::Widen(*element));
      }
    }
  }
  return kept;
}

template <typename T, bool kBlocked>
__global__ void AverageWindows(Plan plan, Divisors divisors, const T* x, T* y, int64_t count) {
  const auto number = static_cast<int64_t>(cuda::ThreadNumber());
  if (number >= count) return;
  const Position window = WindowNumber(plan.loop, number);
  const T* const plane = x + plan.wide.PlaneOffset(plan.loop, window.row.plane);
  float sum = 0;
  int64_t kept = 0;
  if constexpr (kBlocked) {
    const auto& axes = plan.loop.axes;
    BlockedSum blocked(plan.Taps());
    kept = ForEachTap(plan, plane, window, [&](int64_t d, int64_t h, int64_t w, float value) {
      const TapCount row =
          TapAt(axes[0], window.at[0], d) * static_cast<TapCount>(axes[1].window_size) +
          TapAt(axes[1], window.at[1], h);
      blocked.Add(
          row * static_cast<TapCount>(axes[2].window_size) + TapAt(axes[2], window.at[2], w),
          divisors.Term(value));
    });
    sum = blocked.Finish();
  } else {
    kept = ForEachTap(plan, plane, window, [&](int64_t, int64_t, int64_t, float value) {
      sum = sum + divisors.Term(value);
    });
  }
  y[OffsetOf(plan.loop, plan.narrow, window.row, window.at[2])] =
      cuda::Narrow<T>(divisors.Result(sum, kept));
}

// ---- Long windows: a thread per slot of the blocked sum (B31).

constexpr unsigned kMaxBlocks = 64;  // of terms, whose sums are kept together

// The 128 slots of all threads.
__device__ float SumOfAll(float slot, float* shared) {
  shared[threadIdx.x] = slot;
  for (unsigned half = kSlots / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      shared[threadIdx.x] = shared[threadIdx.x] + shared[threadIdx.x + half];
    }
  }
  __syncthreads();
  const float sum = shared[0];
  __syncthreads();
  return sum;
}

template <typename T>
__global__ void AverageLongWindows(Plan plan, Divisors divisors, const T* x, T* y, int64_t count) {
  __shared__ float shared[kSlots];
  __shared__ float sums[kMaxBlocks];
  const auto& axes = plan.loop.axes;
  const auto taps = static_cast<uint32_t>(plan.Taps());
  const uint32_t blocks = (taps + kBlockTerms - 1) / kBlockTerms;
  const auto width = static_cast<uint32_t>(axes[kWidth].window_size);
  const auto height = static_cast<uint32_t>(axes[kHeight].window_size);
  for (int64_t number = blockIdx.x; number < count; number += gridDim.x) {
    const Position window = WindowNumber(plan.loop, number);
    const T* const plane = x + plan.wide.PlaneOffset(plan.loop, window.row.plane);
    int64_t kept = 1;
    for (int a = 0; a < 3; ++a) kept *= TapsOf(axes[a], window.at[a]).count;
    // Element of tap `tap`; +0 in padding.
    const auto value_of = [&](uint32_t tap) {
      const uint32_t numbers[] = {tap / width / height, tap / width % height, tap % width};
      int64_t offset = 0;
      for (int a = 0; a < 3; ++a) {
        const int64_t p =
            window.at[a] * axes[a].stride - axes[a].start_padding + numbers[a] * axes[a].dilation;
        if (p < 0 || p >= axes[a].input_size) return 0.0f;
        offset += p * plan.wide.spatial[a];
      }
      return divisors.Term(cuda::Widen(plane[offset]));
    };
    float sum = 0;
    for (uint32_t b = 0; b < blocks; ++b) {
      const uint32_t end = min(taps, (b + 1) * kBlockTerms);
      float slot = 0;
#pragma unroll 4
      for (uint32_t tap = b * kBlockTerms + threadIdx.x; tap < end; tap += kSlots) {
        slot = slot + value_of(tap);
      }
      sum = SumOfAll(slot, shared);
      if (threadIdx.x == 0) sums[b] = sum;
    }
    __syncthreads();
    if (blocks > 1) sum = SumOfAll(threadIdx.x < blocks ? 0.0f + sums[threadIdx.x] : 0.0f, shared);
    if (threadIdx.x == 0) {
      y[OffsetOf(plan.loop, plan.narrow, window.row, window.at[2])] =
          cuda::Narrow<T>(divisors.Result(sum, kept));
    }
  }
}

// ---- The gradient: what every window that keeps an element has for it, in ascending order.

template <typename T>
__global__ void CollectGradients(Plan plan, Divisors divisors, const T* dy, T* dx, int64_t count) {
  const auto number = static_cast<int64_t>(cuda::ThreadNumber());
  if (number >= count) return;
  const auto& axes = plan.loop.axes;
  const auto& strides = plan.narrow.spatial;
  const Position p = PositionOf(InputRow(plan.loop, number / axes[kWidth].input_size),
                                number % axes[kWidth].input_size);
  const T* const plane = dy + plan.narrow.PlaneOffset(plan.loop, p.row.plane);
  Progression windows[3];
  for (int a = 0; a < 3; ++a) windows[a] = WindowsOver(axes[a], p.at[a]);
  float sum = 0;
  for (int64_t i = 0; i < windows[0].count; ++i) {
    const int64_t d = windows[0].first + i * windows[0].step;
    const int64_t kept_slices = TapsOf(axes[0], d).count;
    for (int64_t j = 0; j < windows[1].count; ++j) {
      const int64_t h = windows[1].first + j * windows[1].step;
      const int64_t kept_rows = kept_slices * TapsOf(axes[1], h).count;
      for (int64_t k = 0; k < windows[2].count; ++k) {
        const int64_t w = windows[2].first + k * windows[2].step;
        const float y = cuda::Widen(plane[d * strides[0] + h * strides[1] + w * strides[2]]);
        sum = sum + __fdiv_rn(y, divisors.Of(kept_rows * TapsOf(axes[2], w).count));
      }
    }
  }
  dx[OffsetOf(plan.loop, plan.wide, p.row, p.at[2])] = cuda::Narrow<T>(sum);
}

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  const int64_t count = plan.loop.PlaneCount() * plan.loop.OutputPlaneSize();
  DispatchType(Floats(), plan.data_type, [&]<typename T>() {
    const auto run = plan.Taps() <= kMaxChain ? AverageWindows<T, false> : AverageWindows<T, true>;
    run<<<cuda::BlocksFor(count), cuda::kThreadsPerBlock, 0, stream>>>(
        plan, Divisors(plan), bindings.Input<T>(0), bindings.Output<T>(0), count);
  });
}

void RunLongWindows(const Plan& plan, const NoTables&, const Bindings& bindings,
                    cuda::Stream stream) {
  const int64_t count = plan.loop.PlaneCount() * plan.loop.OutputPlaneSize();
  const auto blocks = static_cast<unsigned>(std::min<int64_t>(count, 1 << 30));
  DispatchType(Floats(), plan.data_type, [&]<typename T>() {
    AverageLongWindows<<<blocks, kSlots, 0, stream>>>(plan, Divisors(plan), bindings.Input<T>(0),
                                                      bindings.Output<T>(0), count);
  });
}

void RunGradient(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  const int64_t count = plan.loop.PlaneCount() * plan.loop.InputPlaneSize();
  DispatchType(Floats(), plan.data_type, [&]<typename T>() {
    CollectGradients<<<cuda::BlocksFor(count), cuda::kThreadsPerBlock, 0, stream>>>(
        plan, Divisors(plan), bindings.Input<T>(0), bindings.Output<T>(0), count);
  });
}

Refusal AcceptsLongWindows(const Plan& plan) {
  if (plan.Taps() <= kMaxChain) return {"the sum of a window is one chain"};
  if (plan.Taps() > TapCount{kMaxBlocks} * kBlockTerms) return {"a window has more than 2^18 taps"};
  return kAccepted;
}

using Strategy = CudaStrategyOf<Plan, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaAverages[] = {
    Strategy::Named<AcceptsLines, RunAverageLines>("lines"),
    Strategy::Named<AcceptsShortWindows, RunShortWindows>("short_windows"),
    Strategy::Named<AcceptsLongWindows, RunLongWindows>("long_windows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};
constinit const CudaStrategy kCudaGradients[] = {
    Strategy::Named<AcceptsLines, RunGradientLines>("lines"),
    Strategy::Named<AcceptsShortGradients, RunShortGradients>("short_windows"),
    Strategy::Named<AcceptsAll<Plan>, RunGradient>("strided"),
};

}  // namespace anydml::window::average
