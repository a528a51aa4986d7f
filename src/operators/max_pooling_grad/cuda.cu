// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of MAX_POOLING_GRAD, best first.
#include "kernels/window/cuda/gradient/strategies.h"
#include "operators/max_pooling_grad/plan.h"

namespace anydml::max_pooling_grad {
namespace {

using Strategy = CudaStrategyOf<Plan, NoTables>;
constexpr CudaStrategy kStrategies[] = {
    Strategy::Named<AcceptsPairs, RunPairs>("pairs"),
    Strategy::Named<AcceptsOneWindow, RunOneWindow>("one_window"),
    Strategy::Named<AcceptsSeparateChannels, RunSeparateChannels>("separate_channels"),
    Strategy::Named<AcceptsStrips, RunStrips>("strips"),
    Strategy::Named<AcceptsSeparateWindows, RunSeparateWindows>("separate_windows"),
    Strategy::Named<AcceptsCubes, RunCubes, CubeBytes>("cubes"),
    Strategy::Named<AcceptsSmallWindows, RunSmallWindows, WinnerBytes>("small_windows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided, WinnerBytes>("strided"),
};

}  // namespace

constinit const CudaKernel kCudaKernel = {.name = "max_pooling_grad", .strategies = kStrategies};

}  // namespace anydml::max_pooling_grad
