// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Any window: its winner, then for every element the windows that see it. In 64 bits.
#include "backends/cuda/launch.cuh"
#include "kernels/window/cuda/gradient/strategies.h"
#include "kernels/window/gradient.h"

namespace anydml::window::gradient {
namespace {

// One window per thread.
template <typename T>
__global__ void FindWinners(Plan plan, const T* x, uint32_t* winners, int64_t count) {
  const auto window = static_cast<int64_t>(cuda::ThreadNumber());
  if (window >= count) return;
  const WindowLoop& loop = plan.loop;
  const WindowAxis& width = loop.axes[WindowLoop::kWidth];
  const WindowRow row = OutputRow(loop, window / width.output_size);
  winners[window] = FindWinner(x + plan.input.PlaneOffset(loop, row.plane), plan.input, loop,
                               {TapsOf(loop.axes[WindowLoop::kDepth], row.depth),
                                TapsOf(loop.axes[WindowLoop::kHeight], row.height),
                                TapsOf(width, window % width.output_size)})
                        .index;
}

// One element of OutputGradientTensor per thread.
template <typename T>
__global__ void Collect(Plan plan, const uint32_t* winners, const T* dy, T* dx, int64_t count) {
  const auto element = static_cast<int64_t>(cuda::ThreadNumber());
  if (element >= count) return;
  const WindowLoop& loop = plan.loop;
  const WindowAxis& width = loop.axes[WindowLoop::kWidth];
  const WindowRow row = InputRow(loop, element / width.input_size);
  const int64_t p = element % width.input_size;
  const float sum =
      Gradient(winners + row.plane * loop.OutputPlaneSize(),
               dy + plan.input_gradient.PlaneOffset(loop, row.plane), plan.input_gradient, loop,
               {WindowsOver(loop.axes[WindowLoop::kDepth], row.depth),
                WindowsOver(loop.axes[WindowLoop::kHeight], row.height), WindowsOver(width, p)},
               static_cast<uint32_t>(element % loop.InputPlaneSize()));
  dx[OffsetOf(loop, plan.output_gradient, row, p)] = cuda::Narrow<T>(sum);
}

int64_t WindowCount(const Plan& plan) {
  return plan.loop.PlaneCount() * plan.loop.OutputPlaneSize();
}

uint64_t WinnerBytes(const Plan& plan) {
  return static_cast<uint64_t>(WindowCount(plan)) * sizeof(uint32_t);
}

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  const int64_t windows = WindowCount(plan);
  const int64_t elements = plan.loop.PlaneCount() * plan.loop.InputPlaneSize();
  auto* winners = bindings.Temporary<uint32_t>();
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    FindWinners<<<cuda::BlocksFor(windows), cuda::kThreadsPerBlock, 0, stream>>>(
        plan, bindings.Input<T>(0), winners, windows);
    Collect<<<cuda::BlocksFor(elements), cuda::kThreadsPerBlock, 0, stream>>>(
        plan, winners, bindings.Input<T>(1), bindings.Output<T>(0), elements);
  });
}

using Strategy = CudaStrategyOf<Plan, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaStrategies[8] = {
    Strategy::Named<AcceptsPairs, RunPairs>("pairs"),
    Strategy::Named<AcceptsOneWindow, RunOneWindow>("one_window"),
    Strategy::Named<AcceptsSeparateChannels, RunSeparateChannels>("separate_channels"),
    Strategy::Named<AcceptsStrips, RunStrips>("strips"),
    Strategy::Named<AcceptsSeparateWindows, RunSeparateWindows>("separate_windows"),
    Strategy::Named<AcceptsCubes, RunCubes, CubeBytes>("cubes"),
    Strategy::Named<AcceptsSmallWindows, RunSmallWindows, WinnerBytes>("small_windows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided, WinnerBytes>("strided"),
};

}  // namespace anydml::window::gradient
