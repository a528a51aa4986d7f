// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "backends/cuda/axis_sums_stage.h"
#include "tensor/axis_passes.h"

namespace anydml::cuda {
namespace {

constexpr uint64_t kMostRows = uint64_t{1} << 31;  // kernels add to row numbers

struct Stages {
  uint32_t count = 0;
  std::array<SumStage, kMaxSumAxes> all;
};

// The second pass adds up rows that the first one has made.
bool AreRowsAndColumns(const AxisPass& rows, const AxisPass& columns) {
  return rows.inner == columns.target_size * columns.inner &&
         columns.outer == rows.outer * rows.source_size;
}

SumStage MakeStage(const AxisPass& pass) {
  SumStage stage;
  if (pass.inner == 1) {
    stage.target_rows = stage.source_rows = pass.outer;
    stage.column_axis = pass.axis;
    stage.source_columns = pass.source_size;
    stage.target_columns = pass.target_size;
  } else {
    stage.outer = pass.outer;
    stage.row_axis = pass.axis;
    stage.source_rows = pass.source_size;
    stage.target_rows = pass.target_size;
    stage.inner = pass.inner;
  }
  return stage;
}

SumStage MakeStage(const AxisPass& rows, const AxisPass& columns) {
  SumStage stage;
  stage.outer = rows.outer;
  stage.row_axis = rows.axis;
  stage.source_rows = rows.source_size;
  stage.target_rows = rows.target_size;
  stage.column_axis = columns.axis;
  stage.source_columns = columns.source_size;
  stage.target_columns = columns.target_size;
  stage.inner = columns.inner;
  return stage;
}

SumStage MakeStage(const AxisPass& slices, const AxisPass& rows, const AxisPass& columns) {
  SumStage stage = MakeStage(rows, columns);
  stage.outer = slices.outer;
  stage.slice_axis = slices.axis;
  stage.source_slices = slices.source_size;
  stage.target_slices = slices.target_size;
  return stage;
}

// Sums between two stages are floats.
Stages MakeStages(const AxisSums& sums) {
  const std::array<AxisPass, kMaxSumAxes> passes = PassesOf(sums).all;
  Stages stages;
  uint32_t pass = 0;
  // A gradient's volumes shrink: two launches were measured to be faster.
  if (sums.pass_count == 3 && !sums.transposed && AreRowsAndColumns(passes[1], passes[0]) &&
      AreRowsAndColumns(passes[2], passes[1]) && passes[0].inner == 1) {
    stages.all[stages.count++] = MakeStage(passes[2], passes[1], passes[0]);
    pass = 3;
  } else if (sums.pass_count >= 2 && AreRowsAndColumns(passes[1], passes[0])) {
    stages.all[stages.count++] = MakeStage(passes[1], passes[0]);
    pass = 2;
  }
  for (; pass < sums.pass_count; ++pass) {
    stages.all[stages.count++] = MakeStage(passes[pass]);
  }
  for (uint32_t i = 0; i < stages.count; ++i) {
    SumStage& stage = stages.all[i];
    stage.transposed = sums.transposed;
    stage.unit_weights = sums.axes[0].sampling != Sampling::kLinear;
    stage.source_type = i == 0 ? sums.data_type : DataType::kFloat32;
    stage.target_type = i + 1 == stages.count ? sums.data_type : DataType::kFloat32;
  }
  return stages;
}

bool IsPlanes(const SumStage& stage) { return stage.inner == 1 && stage.column_axis != kNoAxis; }

// Forward nearest sampling, where TakeNearest was measured to be faster than a
// way through shared memory: what it skips is not read, a single axis shares no
// rows, and four columns to a pack are few enough while most have a source of
// their own.
bool PrefersNearest(const SumStage& stage, const void* target) {
  if (stage.transposed || !stage.unit_weights) return false;
  if (stage.row_axis == kNoAxis || stage.target_columns <= stage.source_columns) return true;
  return stage.target_type == DataType::kFloat32 && stage.target_columns % 4 == 0 &&
         reinterpret_cast<uintptr_t>(target) % 16 == 0 &&
         stage.target_columns < 2 * stage.source_columns;
}

uint64_t TargetElements(const SumStage& stage) {
  return stage.outer * stage.target_slices * stage.target_rows * stage.target_columns * stage.inner;
}

// Of the sums that two neighbouring stages hand over, one after the other.
uint64_t BufferBytes(const Stages& stages) {
  uint64_t elements = 0;
  for (uint32_t i = 0; i + 1 < stages.count; ++i) {
    elements = std::max(elements, TargetElements(stages.all[i]));
  }
  return (elements * sizeof(float) + 255) / 256 * 256;
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
  if (!IsPlanes(stage)) return true;
  return PlaneTileBytes(MostSources(sums, stage.row_axis), MostSources(sums, stage.column_axis),
                        ElementSize(stage.source_type)) <= kPlaneTileBytes;
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

std::string_view RefuseSumAxesPacked(const AxisSums& sums) {
  if (sums.pass_count == 0) return "no axis changes";
  if (!PassesOf(sums).packed) return "the tensors are not packed in one order of the axes";
  if (sums.data_type != DataType::kFloat32 && sums.data_type != DataType::kFloat16) {
    return "the elements are integers";
  }
  for (uint32_t i = 0; i < sums.rank; ++i) {
    if (sums.changes[i] && !HasTable(sums.axes[i])) return "an axis is too long for tables";
  }
  const Stages stages = MakeStages(sums);
  for (uint32_t i = 0; i < stages.count; ++i) {
    if (!FitsSharedMemory(sums, stages.all[i])) return "an element has too many terms";
    if (stages.all[i].target_rows > kMostRows) return "there are too many rows";
    if (TargetElements(stages.all[i]) > MostElementsBetween(sums))
      return "there are too many sums between axes";
  }
  return {};
}

uint64_t SumAxesPackedTemporaryBytes(const AxisSums& sums) {
  const Stages stages = MakeStages(sums);
  return std::min(stages.count - 1, 2u) * BufferBytes(stages);
}

void SumAxesPacked(const AxisSums& sums, const AxisSumsOnDevice& tables, const Bindings& bindings,
                   Stream stream) {
  const Stages stages = MakeStages(sums);
  const uint64_t buffer_bytes = BufferBytes(stages);
  const void* source = bindings.Input<void>(0);
  for (uint32_t i = 0; i < stages.count; ++i) {
    const SumStage& stage = stages.all[i];
    const bool last = i + 1 == stages.count;
    void* target =
        last ? bindings.Output<void>(0) : bindings.Temporary<char>() + i % 2 * buffer_bytes;
    if (stage.slice_axis != kNoAxis) {
      SumVolumes(stage, tables, {source, target}, stream);
    } else if (IsPlanes(stage) && PrefersNearest(stage, target)) {
      SumNearest(stage, tables, {source, target}, stream);
    } else if (IsPlanes(stage)) {
      SumPlanes(stage, tables, {source, target}, stream);
    } else {
      SumLanes(stage, tables, {source, target}, stream);
    }
    source = target;
  }
}

}  // namespace anydml::cuda
