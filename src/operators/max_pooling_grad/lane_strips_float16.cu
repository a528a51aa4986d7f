// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/max_pooling_grad/lane_strips_launch.cuh"

namespace anydml::max_pooling_grad {

template bool LaunchLaneStrips<Float16>(const StripGrid&, const StripWindow&, int64_t,
                                        const Bindings&, cuda::Stream);

}  // namespace anydml::max_pooling_grad
