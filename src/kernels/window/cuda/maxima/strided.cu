// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Any window, one per thread. In 64 bits.
#include "backends/cuda/launch.cuh"
#include "kernels/window/cuda/maxima/strategies.h"
#include "kernels/window/maximum.h"

namespace anydml::window::maxima {
namespace {

template <typename Index>
__device__ void PutIndex(void* indices, int64_t at, uint64_t plane_start, const Winner& winner) {
  static_cast<Index*>(indices)[at] = IndexOf<Index>(plane_start, winner);
}

// One window per thread.
template <typename T>
__global__ void PoolWindows(Plan plan, const T* input, T* output, void* indices, int64_t count) {
  const auto window = static_cast<int64_t>(cuda::ThreadNumber());
  if (window >= count) return;
  const WindowLoop& loop = plan.loop;
  const WindowAxis& width = loop.axes[WindowLoop::kWidth];
  const WindowRow row = OutputRow(loop, window / width.output_size);
  const int64_t o = window % width.output_size;
  const T* plane = input + plan.input.PlaneOffset(loop, row.plane);
  const Winner winner =
      FindWinner(plane, plan.input, loop,
                 {TapsOf(loop.axes[WindowLoop::kDepth], row.depth),
                  TapsOf(loop.axes[WindowLoop::kHeight], row.height), TapsOf(width, o)});
  output[OffsetOf(loop, plan.output, row, o)] = MaximumOf(plane, winner);
  const int64_t at = OffsetOf(loop, plan.indices, row, o);
  const auto plane_start = static_cast<uint64_t>(row.plane * loop.InputPlaneSize());
  if (plan.index_type == DataType::kUint64) PutIndex<uint64_t>(indices, at, plane_start, winner);
  if (plan.index_type == DataType::kUint32) PutIndex<uint32_t>(indices, at, plane_start, winner);
}

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  const int64_t count = plan.loop.PlaneCount() * plan.loop.OutputPlaneSize();
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    PoolWindows<<<cuda::BlocksFor(count), cuda::kThreadsPerBlock, 0, stream>>>(
        plan, bindings.Input<T>(0), bindings.Output<T>(0), bindings.outputs[1], count);
  });
}

using Strategy = CudaStrategyOf<Plan, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaStrategies[3] = {
    Strategy::Named<AcceptsStrips, RunStrips>("strips"),
    Strategy::Named<AcceptsShortWindows, RunShortWindows>("short_windows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace anydml::window::maxima
