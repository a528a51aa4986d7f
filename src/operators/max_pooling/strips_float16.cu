// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/max_pooling/strips.cuh"

namespace anydml::max_pooling {

template void LaunchStrips<Float16>(const StripGrid&, const StripWindow&, cuda::RowAccess,
                                    const Bindings&, cuda::Stream);

}  // namespace anydml::max_pooling
