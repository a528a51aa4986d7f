// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CUDA strategies for sums of products.
#pragma once

#include "kernels/cuda_kernel.h"
#include "kernels/matmul/integers.h"
#include "kernels/matmul/products.h"

namespace anydml::cuda {

// Sizes of a tile of sums, or kBest: the one that is expected to take the least time.
enum class TileSize : uint8_t { k128x128, k64x128, k64x64, k32x32, kBest };

template <TileSize kSize>
Refusal AcceptsTiles(const ProductPlan& plan);
template <TileSize kSize>
uint64_t TilesBytes(const ProductPlan& plan);
template <TileSize kSize>
void RunTiles(const ProductPlan& plan, const NoTables&, const Bindings& bindings, Stream stream);

// Convolutions with one row per group: depth-wise ones.
Refusal AcceptsSingleRows(const ProductPlan& plan);
void RunSingleRows(const ProductPlan& plan, const NoTables&, const Bindings& bindings,
                   Stream stream);

void RunStridedProducts(const ProductPlan& plan, const NoTables&, const Bindings& bindings,
                        Stream stream);

// Whether positions along every axis of the image are small enough for 32 bits.
bool HasSmallPositions(const ProductPlan& plan);

// The elements of the output padding, which have no terms.
void FillOutputPadding(const ProductPlan& plan, const Bindings& bindings, Stream stream);

}  // namespace anydml::cuda

namespace anydml::matmul {

extern const CudaStrategy kCudaIntegers[1];

}  // namespace anydml::matmul
