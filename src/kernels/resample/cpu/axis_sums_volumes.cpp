// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Shares the rows of paired_volumes-inl.h among threads.
#include "backends/cpu/rows.h"
#include "kernels/resample/cpu/axis_sums.h"
#include "kernels/resample/cpu/ordered_boxes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/resample/cpu/axis_sums_volumes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/resample/cpu/paired_volumes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {

#if ANYDML_TRANSPOSES
bool ArePaired(const RowNest& nest, const AxisSumsTables& tables) {
  if (!nest.lanes_change || nest.level_count != 2) return false;
  if (nest.lane_repeat % hn::Lanes(hn::ScalableTag<float>()) != 0) return false;
  return AreRowsPaired(tables.axes[nest.lane_axis], nest.source_lanes / nest.lane_repeat) &&
         AreRowsPaired(tables.axes[nest.levels[0].axis], nest.levels[0].source_size) &&
         AreRowsPaired(tables.axes[nest.levels[1].axis], nest.levels[1].source_size);
}
#endif

// False, and nothing done, if there is no way here.
bool SumVolumes(const AxisSums& sums, const RowNest& nest, const AxisSumsTables& tables,
                uint64_t pieces, const Bindings& bindings, const Executor& executor) {
#if ANYDML_TRANSPOSES
  if (!ArePaired(nest, tables)) return false;
  const uint64_t rows = nest.levels[0].target_size;
  const uint64_t units = nest.PlaneCount() * pieces;
  const uint64_t grain = GrainOf(sums, units);
  DispatchType(SumTypes(), sums.data_type, [&]<typename T>() HWY_ATTR {
    executor.ParallelFor(units, grain, [&](uint64_t begin, uint64_t end) HWY_ATTR {
      PairedVolumes<T> volumes(nest, tables, CeilDivide(rows, pieces));
      for (uint64_t unit = begin; unit < end; ++unit) {
        const PlaneOffsets plane = OffsetsOf(nest, unit / pieces);
        const uint64_t piece = unit % pieces;
        volumes.Run(bindings.Input<T>(0) + plane.source, bindings.Output<T>(0) + plane.target,
                    {piece * rows / pieces, (piece + 1) * rows / pieces});
      }
    });
  });
  return true;
#else
  (void)sums, (void)nest, (void)tables, (void)pieces, (void)bindings, (void)executor;
  return false;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::cpu {
namespace {

HWY_EXPORT(SumVolumes);

}  // namespace

bool SumAxesOfVolumes(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                      const Executor& executor) {
  if (sums.rows.lanes_change || sums.rows.level_count != 3) return false;
  const RowNest nest = JoinPixels(sums.rows);
  const uint64_t places = kOrderedFloats / PitchOf(nest.target_lanes, true);
  if (!nest.lanes_change || places < kOtherVolumeRows + 2) return false;
  // As few pieces as fit, since each makes a row of its neighbour's again, but as many for
  // every thread.
  const auto threads = static_cast<uint64_t>(executor.threads());
  const uint64_t rows = nest.levels[0].target_size;
  const uint64_t pieces =
      CeilDivide(CeilDivide(rows, places - kOtherVolumeRows), threads) * threads;
  return HWY_DYNAMIC_DISPATCH(SumVolumes)(sums, nest, tables, std::min(pieces, rows), bindings,
                                          executor);
}

}  // namespace anydml::cpu
#endif  // HWY_ONCE
