// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Packed sums are a chain of stages, one launch each: [outer, slices, rows,
// columns, inner] is summed along its columns, then rows, then slices.
#pragma once

#include "backends/cuda/axis_sums.h"

namespace anydml::cuda {

inline constexpr uint32_t kNoAxis = kMaxSumAxes;

struct SumStage {
  bool transposed = false;
  bool unit_weights = false;  // nearest sampling
  DataType source_type = DataType::kUnknown;
  DataType target_type = DataType::kUnknown;
  uint64_t outer = 1;
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
};

struct StageMemory {
  const void* source;
  void* target;
};

// Columns change and inner is 1: planes pass through shared memory.
void SumPlanes(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
               Stream stream);

// A tile of source elements that makes one target element must fit there.
inline constexpr uint64_t kPlaneTileBytes = 32 * 1024;
constexpr uint64_t PlaneTileBytes(uint64_t rows, uint64_t columns, uint64_t element_size) {
  return rows * ((columns * element_size + 15) / 16 * 16 + 16) + 64;
}

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
