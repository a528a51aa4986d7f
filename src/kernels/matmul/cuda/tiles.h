// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a launch of tiles.cuh is given. A tile is a block of rows and columns of one batch of one
// class; a block of threads computes it, or one chain of it where the chains are split.
#pragma once

#include "kernels/matmul/cuda/strategies.h"
#include "kernels/matmul/cuda/work.cuh"

namespace anydml::cuda {

// How threads share the elements of an operand: neighbours take four indices each, an index
// each, a term each, or four terms each.
enum class Reach : uint8_t { kPacks, kIndices, kTerms, kTermPacks };

struct TileClass {
  ClassWork work;
  Divider row_tiles, column_tiles;
  uint32_t first_tile = 0;  // the number of its first tile
  Reach reaches[kSides] = {};
  uint8_t bordered = kSides;   // the side with zeros beyond the border, if any
  bool has_volume = false;     // the border is also that of the first spatial axis
  bool packed_output = false;  // columns may be written by fours
};

inline constexpr uint32_t kLaunchedClasses = 4;  // parameters of a kernel have 4 KB

struct TileLaunch {
  TileClass classes[kLaunchedClasses];
  BatchWork batches;
  uint32_t class_count = 0;
  uint32_t tiles = 0;
  // Of split chains: block y computes chain first_chain + y into [y][tile][row][column].
  float* partials = nullptr;
  uint32_t first_chain = 0;
};

struct TileShape {
  uint32_t rows, columns, threads;
  double rate;  // part of the peak that a full device reaches

  constexpr uint64_t sums() const { return uint64_t{rows} * columns; }
};
inline constexpr TileShape kTileShapes[] = {
    {128, 128, 256, 0.60}, {64, 128, 128, 0.50}, {64, 64, 64, 0.42}, {32, 32, 64, 0.30}};

// Whether threads of a tile may take four terms each: the registers that they wait in slow smaller
// tiles down.
constexpr bool PacksTerms(uint32_t rows, uint32_t columns) { return rows + columns >= 256; }

// The shape, and the chains that are split at a time; 0: a block computes all terms of a tile.
struct TileChoice {
  TileSize size = TileSize::k32x32;
  uint64_t tiles = 0;
  uint32_t chains = 0;   // of a sum, if they are split
  uint32_t at_once = 0;  // of them, as many as have room in the temporary memory

  const TileShape& shape() const { return kTileShapes[static_cast<size_t>(size)]; }
  uint64_t PartialSums() const { return tiles * shape().sums(); }
  uint64_t TemporaryBytes() const {
    const uint64_t totals = chains > at_once ? 1 : 0;
    return (at_once + totals) * PartialSums() * sizeof(float);
  }
};

// `chains` blocks per tile where the launch has partials. In tiles_<type>.cu.
template <typename T>
void LaunchTiles(TileSize size, const TileLaunch& launch, const Operands<T>& operands,
                 uint32_t chains, Stream stream);

}  // namespace anydml::cuda
