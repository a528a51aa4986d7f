// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Shares the boxes of a nest of rows among threads; box_sums-inl.h computes them.
#include "kernels/resample/cpu/axis_sums.h"
#include "kernels/resample/cpu/row_boxes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/resample/cpu/axis_sums_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/rows.h"
#include "kernels/resample/cpu/box_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {

void SumBoxes(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
              const Executor& executor) {
  const RowNest& nest = sums.rows;
  const uint64_t elements = std::max(ElementCount(sums.source_sizes, sums.rank),
                                     ElementCount(sums.target_sizes, sums.rank));
  const bool alone = elements < 2 * kElementsPerUnit;
  const auto threads = static_cast<uint64_t>(executor.threads());
  const RowBoxes boxes = MakeRowBoxes(nest, tables, alone ? 1 : threads);
  const uint64_t units = UnitCount(nest, boxes);
  const uint64_t grain = kElementsPerUnit / std::max<uint64_t>(1, elements / units);
  DispatchType(SumTypes(), sums.data_type, [&]<typename T>() HWY_ATTR {
    executor.ParallelFor(units, grain, [&](uint64_t begin, uint64_t end) HWY_ATTR {
      BoxSums<T> box(nest, tables, boxes);
      for (uint64_t unit = begin; unit < end; ++unit) {
        const RowUnit some = UnitOf(nest, tables, boxes, unit);
        if (nest.level_count != 0 && some.window.size() == 0) {
          ZeroBox(nest, some, bindings.Output<T>(0));
        } else {
          box.Run(bindings.Input<T>(0), bindings.Output<T>(0), some);
        }
      }
    });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::cpu {
namespace {

HWY_EXPORT(SumBoxes);

// A single axis changes, and its indices are the lanes.
bool OnlyLanesChange(const AxisSums& sums) {
  const RowNest& nest = sums.rows;
  return sums.pass_count == 1 && nest.possible && nest.lanes_change && nest.lane_repeat == 1;
}

// Its terms may repeat.
bool IsLongRow(const AxisSums& sums) {
  if (!OnlyLanesChange(sums)) return false;
  const TapAxis& axis = sums.axes[sums.rows.lane_axis];
  return !HasTable(axis) && MayHavePattern(axis);
}

}  // namespace

std::string_view RefuseSumAxesOfRows(const AxisSums& sums) {
  if (sums.pass_count == 0) return "no axis changes anything: the result is a copy";
  if (IsLongRow(sums)) return {};
  for (uint32_t i = 0; i < sums.rank; ++i) {
    if (sums.changes[i] && !HasTable(sums.axes[i])) {
      return "an axis is too long for a table of taps";
    }
  }
  return RefuseRowBoxes(sums.rows);
}

void SumAxesOfRows(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                   const Executor& executor) {
  if (OnlyLanesChange(sums) && SumRepeatedRows(sums, tables, bindings, executor)) return;
  if (IsLongRow(sums)) return SumLongAxis(sums, bindings, executor);
  if (TakesPixels(sums, tables)) return SumAxesOfPixels(sums, tables, bindings, executor);
  if (SumAxesOfVolumes(sums, tables, bindings, executor)) return;
  if (SumAxesOfOrderedRows(sums, tables, bindings, executor)) return;
  HWY_DYNAMIC_DISPATCH(SumBoxes)(sums, tables, bindings, executor);
}

}  // namespace anydml::cpu
#endif  // HWY_ONCE
