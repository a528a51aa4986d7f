// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/max_pooling_grad/strips_launch.cuh"

namespace anydml::max_pooling_grad {

template void LaunchStrips<Float16>(const StripGrid&, const StripWindow&, Access, const Bindings&,
                                    cuda::Stream);

}  // namespace anydml::max_pooling_grad
