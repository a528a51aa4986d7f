// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/resample/cuda/axis_sums_dispatch.h"
#include "kernels/resample/cuda/axis_sums_planes.cuh"

namespace anydml::cuda {
namespace {

template <typename S, typename T, WalkKind kKind, bool kUnitWeights, int kTerms, int kColumns>
void LaunchColumns(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                   Stream stream) {
  const PlaneTileSizes sizes =
      ChoosePlaneTiles(stage, tables, kColumns, IsAligned(static_cast<const S*>(memory.source)));
  PlaneTiles tiles = OnDevice(stage, tables, sizes);
  auto* target = static_cast<T*>(memory.target);
  tiles.pairs = sizeof(T) == 2 && kColumns % 2 == 0 && stage.target_columns % 2 == 0 &&
                stage.source_columns <= stage.target_columns && sizes.tile_columns % 2 == 0 &&
                IsAligned(target, 4) && stage.target.AreMultiplesOf(2);
  const uint64_t blocks = (stage.PlaneCount() + sizes.planes_per_tile - 1) / sizes.planes_per_tile *
                          sizes.row_tiles * sizes.column_tiles;
  const auto launch = [&]<TileForm kForm>() {
    SumPlaneTiles<S, T, kKind, kUnitWeights, kTerms, kColumns, kForm>
        <<<static_cast<unsigned>(blocks), static_cast<unsigned>(sizes.Threads()),
           sizes.shared_bytes, stream>>>(tiles, static_cast<const S*>(memory.source), target);
  };
  if (!sizes.whole_rows) {
    launch.template operator()<TileForm::kParts>();
  } else if (sizes.staged) {
    launch.template operator()<TileForm::kStaged>();
  } else {
    launch.template operator()<TileForm::kWholeRows>();
  }
}

template <typename S, typename T, WalkKind kKind, bool kUnitWeights, int kTerms>
void Launch(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
            Stream stream) {
  constexpr int kColumns = ColumnsPerThread(kKind, kTerms, sizeof(S));
  // Twice as many where a warp still stays in one band.
  if constexpr (sizeof(S) == 4 && kKind == WalkKind::kTransposed && !kUnitWeights && kTerms == 4) {
    if (stage.target_columns % (2 * 32) == 0) {
      return LaunchColumns<S, T, kKind, kUnitWeights, kTerms, 2>(stage, tables, memory, stream);
    }
  }
  LaunchColumns<S, T, kKind, kUnitWeights, kTerms, kColumns>(stage, tables, memory, stream);
}

template <typename S, typename T, WalkKind kKind, bool kUnitWeights>
void LaunchTerms(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                 Stream stream) {
  DispatchTerms(tables.max_terms[stage.column_axis], [&]<int kTerms>() {
    Launch<S, T, kKind, kUnitWeights, kTerms>(stage, tables, memory, stream);
  });
}

template <typename S, typename T, bool kUnitWeights>
void LaunchKind(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
                Stream stream) {
  if (stage.row_axis == kNoAxis) {
    return LaunchTerms<S, T, WalkKind::kRowByRow, kUnitWeights>(stage, tables, memory, stream);
  }
  // Only the first stage has two axes, and nothing narrower than its source.
  if constexpr (sizeof(S) <= sizeof(T)) {
    if (stage.transposed) {
      return LaunchTerms<S, T, WalkKind::kTransposed, kUnitWeights>(stage, tables, memory, stream);
    }
    Launch<S, T, WalkKind::kForward, kUnitWeights, kUnitWeights ? 1 : 2>(stage, tables, memory,
                                                                         stream);
  }
}

}  // namespace

void SumPlanes(const SumStage& stage, const AxisSumsOnDevice& tables, const StageMemory& memory,
               Stream stream) {
  DispatchStage(stage, [&]<typename S, typename T, bool kUnitWeights>() {
    LaunchKind<S, T, kUnitWeights>(stage, tables, memory, stream);
  });
}

}  // namespace anydml::cuda
