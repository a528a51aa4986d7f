// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sums along three axes at once: a block walks along the outermost one, slice by
// slice. It sums each slice as axis_sums_planes.cuh does; a thread's sums of the
// slice are one row of the outermost walk.
#include "kernels/resample/cuda/axis_sums_planes.cuh"

namespace anydml::cuda {
namespace {

inline constexpr int kBandRows = kMaxVolumeBandRows;

struct VolumeTiles {
  PlaneTiles slice;  // its planes are the volumes
  uint32_t target_slices;
  int64_t source_slice, target_slice;  // strides
  uint32_t tile_slices;                // of the target
  Divider slice_tiles;
  DeviceTermTable axis;
};

template <typename T, bool kUnitWeights, int kTerms>
__global__ void __launch_bounds__(kThreadsPerBlock)
    SumVolumeTiles(const __grid_constant__ VolumeTiles volume, const T* source, T* target) {
  const PlaneTiles& tiles = volume.slice;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  // Every thread has a column of its own for the sums of a slice.
  float* values = reinterpret_cast<float*>(shared_bytes) + threadIdx.x;
  T* shared = reinterpret_cast<T*>(shared_bytes + sizeof(float) * kBandRows * blockDim.x);

  uint32_t slice_tile = blockIdx.x;
  const TilePlace place =
      TilePlace::Of<WalkKind::kForward>(tiles, volume.slice_tiles.Split(slice_tile));
  const uint32_t slice_begin = slice_tile * volume.tile_slices;
  const uint32_t slice_end = min(slice_begin + volume.tile_slices, volume.target_slices);
  tiles.planes.Move(place.plane, source, target);
  source += place.rows.begin * tiles.source_row + place.columns.begin;

  uint32_t lane = threadIdx.x;
  const uint32_t begin = place.row_begin + tiles.lanes.Split(lane) * tiles.band_rows;
  const uint32_t end = min(begin + tiles.band_rows, place.row_end);
  const uint32_t column = place.column_begin + lane;
  const bool active = begin < end && column < place.column_end;
  Column<kUnitWeights, kTerms> terms;
  if (active) terms.Load(tiles.column_axis, column, place.columns.begin);

  const auto sum_slice = [&](uint32_t number, float(&sums)[kBandRows]) {
    const T* slice = source + number * volume.source_slice;
    __syncthreads();  // all have done with the slice before
    StartTile(tiles, place, slice, shared);
    WaitForTile();
    const SharedRows<T, false> rows(tiles, place, slice, shared, 0);
    if (active) {
      WalkForward<kUnitWeights, 1>(
          tiles.row_axis, begin, end,
          [&](uint32_t row, float(&sum)[1]) { sum[0] = terms.Sum(rows.At(row)); },
          [&](uint32_t row, const float(&sum)[1]) { values[(row - begin) * blockDim.x] = sum[0]; });
    }
    for (int i = 0; i < kBandRows; ++i) sums[i] = values[i * blockDim.x];
  };
  const auto store = [&](uint32_t number, const float(&sums)[kBandRows]) {
    T* at = target + number * volume.target_slice + begin * tiles.target_row + column;
    for (uint32_t i = 0; i < kBandRows; ++i) {
      if (active && begin + i < end) at[i * tiles.target_row] = Narrow<T>(sums[i]);
    }
  };
  WalkForward<kUnitWeights, kBandRows>(volume.axis, slice_begin, slice_end, sum_slice, store);
}

template <typename T, bool kUnitWeights, int kTerms>
void Launch(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
            Stream stream) {
  const PlaneTileSizes sizes =
      ChoosePlaneTiles(stage, tables, 1, IsAligned(static_cast<const T*>(memory.source)));
  VolumeTiles volume = {};
  volume.slice = OnDevice(stage, tables, sizes);
  volume.target_slices = static_cast<uint32_t>(stage.target_slices);
  volume.source_slice = stage.source.slice;
  volume.target_slice = stage.target.slice;
  volume.tile_slices = static_cast<uint32_t>(sizes.tile_slices);
  volume.axis = tables.axes[stage.slice_axis];
  const uint64_t slice_tiles = (stage.target_slices + sizes.tile_slices - 1) / sizes.tile_slices;
  volume.slice_tiles = Divider(slice_tiles);
  const uint64_t threads = (sizes.lanes * sizes.bands + 31) / 32 * 32;
  const uint64_t blocks = stage.PlaneCount() * sizes.row_tiles * sizes.column_tiles * slice_tiles;
  SumVolumeTiles<T, kUnitWeights, kTerms>
      <<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads),
         sizes.shared_bytes + threads * kBandRows * sizeof(float), stream>>>(
          volume, static_cast<const T*>(memory.source), static_cast<T*>(memory.target));
}

}  // namespace

void SumVolumes(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                Stream stream) {
  DispatchType(TypeList<float, Float16>(), stage.source_type, [&]<typename T>() {
    if (stage.unit_weights) {
      Launch<T, true, 1>(stage, tables, memory, stream);
    } else {
      Launch<T, false, 2>(stage, tables, memory, stream);
    }
  });
}

}  // namespace anydml::cuda
