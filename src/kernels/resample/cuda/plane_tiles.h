// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How planes are cut into tiles that fit shared memory, one block each.
#pragma once

#include "kernels/resample/cuda/axis_sums_stage.h"

namespace anydml::cuda {

// A thread holds the sums of this many rows of a volume's slice at once.
inline constexpr uint64_t kMaxVolumeBandRows = 8;

struct PlaneTileSizes {
  uint64_t planes_per_tile = 1;
  uint64_t row_tiles = 1;      // of a plane
  uint64_t column_tiles = 1;   // of a plane
  uint64_t tile_columns = 1;   // of the target
  uint64_t tile_slices = 1;    // of the target
  uint64_t lanes = 1;          // threads side by side
  uint64_t bands = 1;          // of one plane in a tile
  uint64_t band_rows = 1;      // of the target
  bool whole_rows = true;      // of the source; otherwise only the columns that the tile needs
  bool gaps = false;           // between whole rows, which all begin at multiples of 16 bytes
  bool staged = false;         // the target leaves through shared memory
  uint64_t source_pitch = 1;   // elements between rows in shared memory
  uint64_t target_offset = 0;  // in shared memory, behind the source
  uint64_t shared_bytes = 0;

  uint64_t Threads() const { return (lanes * bands * planes_per_tile + 31) / 32 * 32; }
};

PlaneTileSizes ChoosePlaneTiles(const SumStage& stage, const AxisSumsOnDevice& tables,
                                uint32_t columns_per_thread, bool source_is_aligned);

}  // namespace anydml::cuda
