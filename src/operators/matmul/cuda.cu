// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies of GEMM and CONVOLUTION, best first. `tiles` chooses a size; those behind it
// have one, for tests and measurements.
#include "kernels/matmul/cuda/strategies.h"
#include "operators/matmul/plan.h"

namespace anydml::matmul {
namespace {

using Strategy = CudaStrategyOf<ProductPlan, NoTables>;
using cuda::TileSize;

template <TileSize kSize>
constexpr CudaStrategy Tiles(std::string_view name) {
  return Strategy::Named<cuda::AcceptsTiles<kSize>, cuda::RunTiles<kSize>, cuda::TilesBytes<kSize>>(
      name);
}

constexpr CudaStrategy kStrategies[] = {
    Strategy::Named<cuda::AcceptsSingleRows, cuda::RunSingleRows>("single_rows"),
    Tiles<TileSize::kBest>("tiles"),
    Tiles<TileSize::k128x128>("tiles_128x128"),
    Tiles<TileSize::k64x128>("tiles_64x128"),
    Tiles<TileSize::k64x64>("tiles_64x64"),
    Tiles<TileSize::k32x32>("tiles_32x32"),
    Strategy::Named<AcceptsAll<ProductPlan>, cuda::RunStridedProducts>("strided"),
};

}  // namespace

constinit const CudaKernel kCudaKernel = {.name = "matmul", .strategies = kStrategies};

}  // namespace anydml::matmul
