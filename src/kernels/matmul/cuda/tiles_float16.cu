// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/matmul/cuda/tiles.cuh"

namespace anydml::cuda {

template void LaunchTiles(TileSize size, const TileLaunch& launch,
                          const Operands<Float16>& operands, uint32_t chains, Stream stream);

}  // namespace anydml::cuda
