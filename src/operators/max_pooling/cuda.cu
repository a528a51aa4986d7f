// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of the MAX_POOLING family, best first.
#include "kernels/window/cuda/maxima/strategies.h"
#include "operators/max_pooling/plan.h"

namespace anydml::max_pooling {
namespace {

using Strategy = CudaStrategyOf<Plan, NoTables>;
constexpr CudaStrategy kStrategies[] = {
    Strategy::Named<AcceptsStrips, RunStrips>("strips"),
    Strategy::Named<AcceptsShortWindows, RunShortWindows>("short_windows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};

}  // namespace

constinit const CudaKernel kCudaKernel = {.name = "max_pooling", .strategies = kStrategies};

}  // namespace anydml::max_pooling
