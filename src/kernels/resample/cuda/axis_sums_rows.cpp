// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernels/resample/cuda/axis_sums_stage.h"

namespace anydml::cuda {
namespace {

constexpr uint64_t kMaxRows = uint64_t{1} << 31;  // kernels add to row numbers

// Forward nearest sampling, where TakeNearest was measured to be faster than a
// way through shared memory: what it skips is not read, a single axis shares no
// rows, and four columns to a pack are few enough while most have a source of
// their own.
bool PrefersNearest(const SumStage& stage, const void* target) {
  if (stage.transposed || !stage.unit_weights) return false;
  if (stage.row_axis == kNoAxis || stage.target_columns <= stage.source_columns) return true;
  return stage.target_type == DataType::kFloat32 && stage.target_columns % 4 == 0 &&
         reinterpret_cast<uintptr_t>(target) % 16 == 0 && stage.target.AreMultiplesOf(4) &&
         stage.target_columns < 2 * stage.source_columns;
}

// The most sources that one target index of the axis needs.
uint64_t MostSources(const AxisSums& sums, uint32_t axis) {
  if (axis == kNoAxis) return 1;
  if (!sums.transposed) return 2;
  uint64_t most = 0, here = 0, after = 0, pixel = 0;
  for (uint64_t sample = 0; sample < sums.axes[axis].sample_count; ++sample) {
    const Taps taps = TapsOf(sums.axes[axis], sample);
    for (; pixel < taps.pixel && here + after > 0; ++pixel) {
      here = after;
      after = 0;
    }
    pixel = taps.pixel;
    ++here;
    if (taps.next_weight != 0) ++after;
    most = std::max({most, here, after});
  }
  return most;
}

bool FitsSharedMemory(const AxisSums& sums, const SumStage& stage) {
  // Terms that repeat are few.
  if (!stage.planes || sums.max_terms[stage.column_axis] == 0) return true;
  return PlaneTileBytes(MostSources(sums, stage.row_axis), MostSources(sums, stage.column_axis),
                        ElementSize(stage.source_type)) <= kPlaneTileBytes;
}

bool HasTables(const AxisSums& sums) {
  for (uint32_t i = 0; i < sums.rank; ++i) {
    if (sums.changes[i] && sums.max_terms[i] == 0) return false;
  }
  return true;
}

// A single axis may have terms that repeat.
bool CanDoWithoutTables(const AxisSums& sums, const SumStages& stages) {
  const SumStage& stage = stages.all[0];
  return sums.pass_count == 1 && stage.planes && MayHavePattern(sums.axes[stage.column_axis]);
}

// Nested sums do not need what lies between two axes.
uint64_t MostElementsBetween(const AxisSums& sums) {
  uint64_t source = 1, target = 1;
  for (uint32_t i = 0; i < sums.rank; ++i) {
    source *= sums.source_sizes[i];
    target *= sums.target_sizes[i];
  }
  return std::min(kMaxElements, 8 * std::max(source, target));
}

}  // namespace

Refusal AcceptsSumAxesOfRows(const AxisSums& sums) {
  if (sums.pass_count == 0) return {"no axis changes"};
  if (sums.data_type != DataType::kFloat32 && sums.data_type != DataType::kFloat16) {
    return {"the elements are integers"};
  }
  const SumStages stages = MakeStages(sums);
  if (!stages.possible) return {"no axis lies side by side in both tensors, or too many lie apart"};
  if (!HasTables(sums) && !CanDoWithoutTables(sums, stages)) {
    return {"an axis is too long for tables"};
  }
  for (uint32_t i = 0; i < stages.count; ++i) {
    if (!FitsSharedMemory(sums, stages.all[i])) return {"an element has too many terms"};
    if (stages.all[i].target_rows > kMaxRows) return {"there are too many rows"};
    if (stages.target_elements[i] > MostElementsBetween(sums))
      return {"there are too many sums between axes"};
  }
  return {};
}

uint64_t SumAxesOfRowsTemporaryBytes(const AxisSums& sums) {
  const SumStages stages = MakeStages(sums);
  return std::min(stages.count - 1, 2u) * stages.BufferBytes();
}

void SumAxesOfRows(const AxisSums& sums, const AxisSumsOnDevice& tables, const Bindings& bindings,
                   Stream stream) {
  const SumStages& stages = *tables.stages;
  const uint64_t buffer_bytes = stages.BufferBytes();
  const void* source = bindings.Input<void>(0);
  for (uint32_t i = 0; i < stages.count; ++i) {
    const SumStage& stage = stages.all[i];
    const bool last = i + 1 == stages.count;
    void* target =
        last ? bindings.Output<void>(0) : bindings.Temporary<char>() + i % 2 * buffer_bytes;
    if (stage.slice_axis != kNoAxis) {
      SumVolumes(stage, tables, {source, target}, stream);
    } else if (!stage.planes) {
      SumLanes(stage, tables, {source, target}, stream);
    } else if (SumRegular(stage, tables, {source, target}, stream)) {
      // Done.
    } else if (tables.axes[stage.column_axis].begin == nullptr) {
      SumAxesStrided(sums, tables, bindings, stream);
    } else if (PrefersNearest(stage, target)) {
      SumNearest(stage, tables, {source, target}, stream);
    } else {
      SumPlanes(stage, tables, {source, target}, stream);
    }
    source = target;
  }
}

}  // namespace anydml::cuda
