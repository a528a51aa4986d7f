// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/window/cuda/gradient/lane_strips_launch.cuh"

namespace anydml::window::gradient {

template bool LaunchLaneStrips<float>(const StripGrid&, const StripWindow&, int64_t,
                                      const Bindings&, cuda::Stream);
template bool LaunchLaneStrips<Float16>(const StripGrid&, const StripWindow&, int64_t,
                                        const Bindings&, cuda::Stream);

}  // namespace anydml::window::gradient
