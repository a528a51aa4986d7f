// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Forward nearest sampling: every target element is one source element plus +0
// (B13). One pack of a target row per thread, in the order of memory; what
// neighbours share comes from the cache.
#include "kernels/resample/cuda/stage_planes.cuh"

namespace anydml::cuda {
namespace {

struct NearestRows {
  uint32_t target_columns;
  Divider target_rows;
  StagePlanes planes;
  int64_t source_row, target_row;  // strides
  Divider packs_per_row;           // at most
  uint64_t packs;
  const uint32_t* row_sources;  // null: rows do not change
  const uint32_t* column_sources;
};

template <typename S, typename T>
__global__ void __launch_bounds__(kThreadsPerBlock)
    TakeNearest(const __grid_constant__ NearestRows rows, const S* source, T* target) {
  using P = Pack<T>;
  const uint64_t number = ThreadNumber();
  if (number >= rows.packs) return;
  auto pack = static_cast<uint32_t>(number);
  uint32_t row = rows.packs_per_row.Split(pack);
  const uint32_t plane = rows.target_rows.Split(row);
  rows.planes.Move(plane, source, target);
  T* out = target + row * rows.target_row;
  const int64_t first = int64_t{pack} * P::kSize - Lead<P>(out);
  if (first >= rows.target_columns) return;
  if (rows.row_sources != nullptr) row = rows.row_sources[row];
  source += row * rows.source_row;
  const bool whole = first >= 0 && first + P::kSize <= rows.target_columns;
  uint32_t columns[P::kSize] = {};
  if (whole && first % 4 == 0) {
    for (int i = 0; i < P::kSize; i += 4) {
      const auto four = LoadPack<Pack<uint32_t>>(rows.column_sources + first + i);
      for (int k = 0; k < 4; ++k) columns[i + k] = four.values[k];
    }
  } else {
    for (int i = 0; i < P::kSize; ++i) {
      const bool inside = first + i >= 0 && first + i < rows.target_columns;
      if (inside) columns[i] = rows.column_sources[first + i];
    }
  }
  P result;
  for (int i = 0; i < P::kSize; ++i) {
    result.values[i] = Narrow<T>(Widen(source[columns[i]]) + 0.0f);
  }
  StorePackPart(result, out, first, rows.target_columns, whole);
}

template <typename S, typename T>
void Launch(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
            Stream stream) {
  constexpr uint64_t kSize = Pack<T>::kSize;
  auto* target = static_cast<T*>(memory.target);
  const bool aligned =
      stage.target_columns % kSize == 0 && IsAligned(target) && stage.target.AreMultiplesOf(kSize);
  const uint64_t packs_per_row =
      aligned ? stage.target_columns / kSize : PacksPerRow(stage.target_columns, kSize);
  NearestRows rows = {};
  rows.target_columns = static_cast<uint32_t>(stage.target_columns);
  rows.target_rows = Divider(stage.target_rows);
  rows.planes = StagePlanes(stage);
  rows.source_row = stage.source.row;
  rows.target_row = stage.target.row;
  rows.packs_per_row = Divider(packs_per_row);
  rows.packs = stage.PlaneCount() * stage.target_rows * packs_per_row;
  if (stage.row_axis != kNoAxis) rows.row_sources = tables.axes[stage.row_axis].first_sources;
  rows.column_sources = tables.axes[stage.column_axis].first_sources;
  TakeNearest<<<BlocksFor(rows.packs), kThreadsPerBlock, 0, stream>>>(
      rows, static_cast<const S*>(memory.source), target);
}

}  // namespace

void SumNearest(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                Stream stream) {
  DispatchType(TypeList<float, Float16>(), stage.source_type, [&]<typename S>() {
    DispatchType(TypeList<float, Float16>(), stage.target_type,
                 [&]<typename T>() { Launch<S, T>(stage, tables, memory, stream); });
  });
}

}  // namespace anydml::cuda
