// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Tiles of planes on their way through shared memory.
#pragma once

#include <cuda_pipeline.h>

#include "kernels/resample/cuda/axis_sums_walk.cuh"
#include "kernels/resample/cuda/plane_tiles.h"
#include "kernels/resample/cuda/stage_planes.cuh"

namespace anydml::cuda {

// How planes are cut. A tile is either some whole planes, or part of one: all
// or some of its columns, and some target rows with the source rows they need.
struct PlaneTiles {
  uint32_t plane_count;
  StagePlanes planes;
  int64_t source_row, target_row;  // strides
  uint32_t source_rows, source_columns;
  uint32_t target_rows, target_columns;
  uint32_t planes_per_tile;
  uint32_t tile_rows;     // of the target
  uint32_t band_rows;     // of the target, for one thread
  uint32_t tile_columns;  // of the target
  Divider row_tiles, column_tiles;
  Divider lanes;           // threads side by side in a band
  Divider bands;           // of a plane in a tile
  uint32_t pitch;          // elements between rows in shared memory
  uint32_t row_lead_mask;  // 0: whole rows; otherwise each part of a row keeps its alignment
  uint32_t target_offset;  // in shared memory, in bytes
  bool gaps;               // between whole rows, each of which is aligned
  Divider source_packs;    // of such a row, whole ones
  bool pairs;              // two of a thread's columns are neighbours and are stored at once
  DeviceTermTable row_axis, column_axis;
};

// As many elements from a 16-byte boundary as the address is.
template <typename S>
__device__ inline uint32_t LeadInPack(const S* address) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(address) % 16 / sizeof(S));
}

// Both addresses have the same distance from a 16-byte boundary. Nothing outside
// [from, from + count) is read.
template <typename S>
__device__ inline void CopyToShared(S* to, const S* from, uint32_t count, uint32_t thread,
                                    uint32_t threads) {
  constexpr uint32_t kSize = 16 / sizeof(S);
  const uint32_t head = min((kSize - LeadInPack(from)) % kSize, count);
  const uint32_t packs = (count - head) / kSize;
  for (uint32_t i = thread; i < packs; i += threads) {
    __pipeline_memcpy_async(to + head + i * kSize, from + head + i * kSize, 16);
  }
  const uint32_t tail = head + packs * kSize;
  if (thread < head) to[thread] = from[thread];
  if (thread < count - tail) to[tail + thread] = from[tail + thread];
}

template <typename T>
__device__ inline void CopyFromShared(T* to, const T* from, uint32_t count, uint32_t thread,
                                      uint32_t threads) {
  using P = Pack<T>;
  const uint32_t head = min((P::kSize - LeadInPack(to)) % P::kSize, count);
  const uint32_t packs = (count - head) / P::kSize;
  for (uint32_t i = thread; i < packs; i += threads) {
    StorePack(LoadPack<P>(from + head + i * P::kSize), to + head + i * P::kSize);
  }
  const uint32_t tail = head + packs * P::kSize;
  if (thread < head) to[thread] = from[thread];
  if (thread < count - tail) to[tail + thread] = from[tail + thread];
}

// Where a block's tile lies.
struct TilePlace {
  uint32_t plane;
  uint32_t planes;                    // those that exist
  uint32_t row_begin, row_end;        // of the target
  uint32_t column_begin, column_end;  // of the target
  SourceRange rows, columns;          // of the source

  template <WalkKind kKind>
  static __device__ TilePlace Of(const PlaneTiles& tiles, uint32_t number) {
    TilePlace place;
    uint32_t column_tile = number;
    uint32_t row_tile = tiles.column_tiles.Split(column_tile);
    place.plane = tiles.row_tiles.Split(row_tile) * tiles.planes_per_tile;
    place.planes = min(tiles.plane_count - place.plane, tiles.planes_per_tile);
    place.row_begin = row_tile * tiles.tile_rows;
    place.row_end = min(place.row_begin + tiles.tile_rows, tiles.target_rows);
    place.column_begin = column_tile * tiles.tile_columns;
    place.column_end = min(place.column_begin + tiles.tile_columns, tiles.target_columns);
    place.rows = {0, tiles.source_rows};
    if (tiles.planes_per_tile == 1) {
      place.rows = {place.row_begin, place.row_end};
      if constexpr (kKind != WalkKind::kRowByRow) {
        place.rows = {tiles.row_axis.ranges[place.row_begin].begin,
                      tiles.row_axis.ranges[place.row_end - 1].end};
      }
    }
    place.columns = {0, tiles.source_columns};
    if (tiles.row_lead_mask != 0) {
      place.columns = {tiles.column_axis.ranges[place.column_begin].begin,
                       tiles.column_axis.ranges[place.column_end - 1].end};
    }
    return place;
  }
};

// Whole aligned rows with gaps between, which are not read.
template <typename S>
__device__ inline void CopyRowsToShared(const PlaneTiles& tiles, uint32_t rows, const S* source,
                                        S* shared) {
  constexpr uint32_t kSize = 16 / sizeof(S);
  const uint32_t packs = tiles.source_columns / kSize;
  for (uint32_t i = threadIdx.x; i < rows * packs; i += blockDim.x) {
    uint32_t pack = i;
    const uint32_t row = tiles.source_packs.Split(pack);
    __pipeline_memcpy_async(shared + row * tiles.pitch + pack * kSize,
                            source + row * tiles.source_row + pack * kSize, 16);
  }
  const uint32_t tail = tiles.source_columns - packs * kSize;
  for (uint32_t row = threadIdx.x / kSize; row < rows; row += blockDim.x / kSize) {
    const uint32_t column = packs * kSize + threadIdx.x % kSize;
    if (threadIdx.x % kSize < tail) {
      shared[row * tiles.pitch + column] = source[row * tiles.source_row + column];
    }
  }
}

// Starts the copies of the tile's source elements.
template <typename S>
__device__ inline void StartTile(const PlaneTiles& tiles, const TilePlace& place, const S* source,
                                 S* shared) {
  const uint32_t rows = place.rows.end - place.rows.begin;
  if (tiles.gaps) {
    CopyRowsToShared(tiles, rows, source, shared);
  } else if (tiles.row_lead_mask == 0) {
    CopyToShared(shared + LeadInPack(source), source, place.planes * rows * tiles.source_columns,
                 threadIdx.x, blockDim.x);
  } else {
    const uint32_t columns = place.columns.end - place.columns.begin;
    for (uint32_t row = threadIdx.x / 32; row < rows; row += blockDim.x / 32) {
      const S* from = source + row * tiles.source_row;
      CopyToShared(shared + row * tiles.pitch + LeadInPack(from), from, columns, threadIdx.x % 32,
                   32);
    }
  }
  __pipeline_commit();
}

__device__ inline void WaitForTile() {
  __pipeline_wait_prior(0);
  __syncthreads();
}

// Finds the tile's rows again.
template <typename S, bool kWholeRows>
class SharedRows {
 public:
  // `source` is the tile's first element; `plane` counts from the tile's first.
  __device__ SharedRows(const PlaneTiles& tiles, const TilePlace& place, const S* source,
                        const S* shared, uint32_t plane)
      : tiles_(tiles),
        shared_(shared),
        lead_(LeadInPack(source)),
        first_(plane * tiles.source_rows - place.rows.begin) {}

  __device__ const S* At(uint32_t row) const {
    const uint32_t number = first_ + row;
    uint32_t lead = lead_;
    if (!kWholeRows && tiles_.row_lead_mask != 0) {
      lead = (lead + number * static_cast<uint32_t>(tiles_.source_row)) & tiles_.row_lead_mask;
    }
    return shared_ + number * tiles_.pitch + lead;
  }

 private:
  const PlaneTiles& tiles_;
  const S* shared_;
  uint32_t lead_;
  uint32_t first_;  // wraps where the tile does not begin with the plane
};

inline PlaneTiles OnDevice(const SumStage& stage, const AxisSumsOnDevice& tables,
                           const PlaneTileSizes& sizes) {
  PlaneTiles tiles = {};
  tiles.plane_count = static_cast<uint32_t>(stage.PlaneCount());
  tiles.planes = StagePlanes(stage);
  tiles.source_row = stage.source.row;
  tiles.target_row = stage.target.row;
  tiles.source_rows = static_cast<uint32_t>(stage.source_rows);
  tiles.source_columns = static_cast<uint32_t>(stage.source_columns);
  tiles.target_rows = static_cast<uint32_t>(stage.target_rows);
  tiles.target_columns = static_cast<uint32_t>(stage.target_columns);
  tiles.planes_per_tile = static_cast<uint32_t>(sizes.planes_per_tile);
  tiles.tile_rows = static_cast<uint32_t>(sizes.bands * sizes.band_rows);
  tiles.band_rows = static_cast<uint32_t>(sizes.band_rows);
  tiles.tile_columns = static_cast<uint32_t>(sizes.tile_columns);
  tiles.row_tiles = Divider(sizes.row_tiles);
  tiles.column_tiles = Divider(sizes.column_tiles);
  tiles.lanes = Divider(sizes.lanes);
  tiles.bands = Divider(sizes.bands);
  tiles.pitch = static_cast<uint32_t>(sizes.source_pitch);
  tiles.target_offset = static_cast<uint32_t>(sizes.target_offset);
  tiles.gaps = sizes.gaps;
  const uint64_t pack_size = 16 / ElementSize(stage.source_type);
  tiles.source_packs = Divider(std::max<uint64_t>(1, stage.source_columns / pack_size));
  tiles.row_lead_mask = sizes.whole_rows ? 0 : 16 / ElementSize(stage.source_type) - 1;
  if (stage.row_axis != kNoAxis) tiles.row_axis = tables.axes[stage.row_axis];
  tiles.column_axis = tables.axes[stage.column_axis];
  return tiles;
}

}  // namespace anydml::cuda
