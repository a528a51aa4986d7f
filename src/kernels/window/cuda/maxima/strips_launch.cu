// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/window/cuda/maxima/strips.cuh"

namespace anydml::window::maxima {

template void LaunchStrips<float>(const StripGrid&, const StripWindow&, cuda::RowAccess,
                                  const Bindings&, cuda::Stream);
template void LaunchStrips<Float16>(const StripGrid&, const StripWindow&, cuda::RowAccess,
                                    const Bindings&, cuda::Stream);

}  // namespace anydml::window::maxima
