// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Shares the boxes of ordered_rows-inl.h among threads.
#include "backends/cpu/rows.h"
#include "kernels/resample/cpu/axis_sums.h"
#include "kernels/resample/cpu/ordered_boxes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/resample/cpu/axis_sums_ordered.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/resample/cpu/ordered_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {

// False, and nothing done, if there is no way here.
bool SumOrdered(const AxisSums& sums, const RowNest& nest, const AxisSumsTables& tables,
                const OrderedBoxes& boxes, const Bindings& bindings, const Executor& executor) {
#if ANYDML_TRANSPOSES
  if (!RowLanes<float>().Prepare(tables, nest)) return false;
  const uint64_t grain = GrainOf(sums, boxes.units);
  const PlaneSums planes(tables, nest);
  DispatchType(SumTypes(), sums.data_type, [&]<typename T>() HWY_ATTR {
    OrderedTensors<T> tensors = {bindings.Input<T>(0), nullptr, nullptr, bindings.Output<T>(0)};
    if (sums.source_is_packed) {
      tensors.readable_begin = tensors.source;
      tensors.readable_end = tensors.source + ElementCount(sums.source_sizes, sums.rank);
    }
    executor.ParallelFor(boxes.units, grain, [&](uint64_t begin, uint64_t end) HWY_ATTR {
      OrderedRows<T> rows(nest, tables, tensors, boxes, planes);
      for (uint64_t unit = begin; unit < end; ++unit) rows.Run(OrderedUnitOf(nest, boxes, unit));
    });
  });
  return true;
#else
  (void)sums, (void)nest, (void)tables, (void)boxes, (void)bindings, (void)executor;
  return false;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::cpu {
namespace {

HWY_EXPORT(SumOrdered);

}  // namespace

bool SumAxesOfOrderedRows(const AxisSums& sums, const AxisSumsTables& tables,
                          const Bindings& bindings, const Executor& executor) {
  const RowNest nest = JoinPixels(sums.rows);
  if (!nest.lanes_change || nest.lane_turn != 0 || nest.level_count == 0) return false;
  const uint64_t elements = std::max(ElementCount(sums.source_sizes, sums.rank),
                                     ElementCount(sums.target_sizes, sums.rank));
  const bool alone = elements < 2 * kElementsPerUnit;
  const auto threads = static_cast<uint64_t>(executor.threads());
  const OrderedBoxes boxes = MakeOrderedBoxes(nest, tables, alone ? 1 : threads);
  if (!boxes.possible) return false;
  return HWY_DYNAMIC_DISPATCH(SumOrdered)(sums, nest, tables, boxes, bindings, executor);
}

}  // namespace anydml::cpu
#endif  // HWY_ONCE
