// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sums along axes as a chain of stages, one launch each: a stage sums
// [batches, channels, slices, rows, columns, inner] along its columns, then
// rows, then slices. Batches and channels are any two axes that do not change.
#pragma once

#include "kernels/resample/cuda/axis_sums.h"

namespace anydml::cuda {

inline constexpr uint32_t kNoAxis = kMaxSumAxes;

// Elements from one index of an axis to the next. The elements of planes' rows
// lie side by side, and otherwise inner ones do.
struct StageStrides {
  int64_t batch = 0;
  int64_t channel = 0;
  int64_t slice = 0;
  int64_t row = 0;
  int64_t column = 0;

  bool AreMultiplesOf(int64_t size) const {
    return batch % size == 0 && channel % size == 0 && slice % size == 0 && row % size == 0;
  }
};

struct SumStage {
  bool transposed = false;
  bool planes = false;        // columns change and lie side by side; inner is 1
  bool unit_weights = false;  // nearest sampling
  DataType source_type = DataType::kUnknown;
  DataType target_type = DataType::kUnknown;
  uint64_t batches = 1;
  uint64_t channels = 1;
  uint32_t slice_axis = kNoAxis;  // kNoAxis: does not change
  uint64_t source_slices = 1;
  uint64_t target_slices = 1;
  uint32_t row_axis = kNoAxis;
  uint64_t source_rows = 1;
  uint64_t target_rows = 1;
  uint32_t column_axis = kNoAxis;
  uint64_t source_columns = 1;
  uint64_t target_columns = 1;
  uint64_t inner = 1;
  StageStrides source, target;

  uint64_t PlaneCount() const { return batches * channels; }
};

struct SumStages {
  // False: no axis lies side by side in both tensors, or too many lie apart from the others.
  bool possible = false;
  uint32_t count = 0;
  std::array<SumStage, kMaxSumAxes> all;
  std::array<uint64_t, kMaxSumAxes> target_elements = {};

  // Of the sums that two neighbouring stages hand over, packed.
  uint64_t BufferBytes() const;
};

SumStages MakeStages(const AxisSums& sums);

struct StageMemory {
  const void* source;
  void* target;
};

// Planes pass through shared memory.
void SumPlanes(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
               Stream stream);

// A tile of source elements that makes one target element must fit there.
inline constexpr uint64_t kPlaneTileBytes = 32 * 1024;
constexpr uint64_t PlaneTileBytes(uint64_t rows, uint64_t columns, uint64_t element_size) {
  return rows * ((columns * element_size + 15) / 16 * 16 + 16) + 64;
}

// The same where terms repeat from column to column; false: they do not.
bool SumRegular(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                Stream stream);

// The same for forward nearest sampling: each element has one source.
void SumNearest(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                Stream stream);

// Slices, rows and columns change, and inner is 1; not transposed.
void SumVolumes(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                Stream stream);

// Rows change, columns may: every inner element is a lane of its own.
void SumLanes(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
              Stream stream);

}  // namespace anydml::cuda
