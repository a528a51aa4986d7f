// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/window/cuda/gradient/strips_launch.cuh"

namespace anydml::window::gradient {

template void LaunchStrips<float>(const StripGrid&, const StripWindow&, Access, const Bindings&,
                                  cuda::Stream);
template void LaunchStrips<Float16>(const StripGrid&, const StripWindow&, Access, const Bindings&,
                                    cuda::Stream);

}  // namespace anydml::window::gradient
