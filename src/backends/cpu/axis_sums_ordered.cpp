// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sums along the lanes and one axis outside them (packed images), rows in the
// order of memory: each is summed along its lanes when the outer axis needs it and
// waits in one of a few slots of the nearest cache. Nothing else reads memory, so
// it runs ahead by itself.
#include "backends/cpu/axis_sums.h"
#include "backends/cpu/row_boxes.h"
#include "backends/cpu/rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/axis_sums_ordered.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>

#include "backends/cpu/lane_grid-inl.h"
#include "backends/cpu/lane_table-inl.h"
#include "backends/cpu/repeated_lanes-inl.h"
#include "backends/cpu/weighted_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ANYDML_TRANSPOSES

template <typename T>
struct OrderedTensors {
  const T* source;
  const T* readable_begin;  // elements that may be read beside a row; null: none
  const T* readable_end;
  T* target;
};

template <class Lanes, typename T>
class OrderedRows {
 public:
  OrderedRows(const RowNest& nest, const AxisSumsTables& tables, const OrderedTensors<T>& tensors)
      : nest_(nest),
        table_(tables.axes[nest.levels[0].axis]),
        tensors_(tensors),
        mask_(std::bit_ceil(std::max(table_.most_terms, 1u)) - 1),
        lanes_(tables, nest) {}

  void Run(uint64_t plane, IndexSpan targets) {
    const PlaneOffsets offsets = OffsetsOf(nest_, plane);
    const T* source = tensors_.source + offsets.source;
    T* const target = tensors_.target + offsets.target;
    const uint64_t pitch = lanes_.Pitch();
    uint64_t made = 0;  // places before this one are in slots, or needed no more
    for (uint64_t t = targets.begin; t < targets.end; ++t) {
      const uint64_t place = table_.first[t], count = table_.TermCount(t);
      for (made = std::max(made, place); made < place + count; ++made) {
        MakeRow(source + int64_t{table_.places[made]} * nest_.levels[0].source_stride,
                slots_ + (made & mask_) * pitch);
      }
      const SlottedTerms terms = {
          table_.terms.data() + table_.begin[t], count, slots_, pitch, place, mask_};
      SumRows(terms, 0, nest_.target_lanes,
              target + static_cast<int64_t>(t) * nest_.levels[0].target_stride);
    }
  }

 private:
  HWY_INLINE void MakeRow(const T* from, float* to) {
    SourceRow<T> row = {from, static_cast<int64_t>(nest_.source_lanes), 0, 0};
    if (tensors_.readable_begin != nullptr) {
      row.before = from - tensors_.readable_begin;
      row.after = tensors_.readable_end - from - row.lanes;
    }
    lanes_.Sum(row, to);
  }

  const RowNest& nest_;
  const TermTable& table_;
  const OrderedTensors<T> tensors_;
  const uint64_t mask_;
  const Lanes lanes_;
  alignas(64) float slots_[kWaitingFloats];
};

template <class Lanes>
void SumUnits(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
              const Executor& executor) {
  const RowNest& nest = sums.rows;
  const uint64_t size = nest.levels[0].target_size, planes = nest.PlaneCount();
  const uint64_t elements =
      ElementCount(sums.source_sizes, sums.rank) + ElementCount(sums.target_sizes, sums.rank);
  // A piece of a plane makes some of its neighbours' rows again.
  const uint64_t wanted = 4 * static_cast<uint64_t>(executor.threads());
  const uint64_t pieces = std::clamp<uint64_t>(CeilDivide(wanted, planes), 1, CeilDivide(size, 16));
  const uint64_t rows = CeilDivide(size, pieces), units = planes * pieces;
  const uint64_t grain = kElementsPerUnit / std::max<uint64_t>(1, elements / units);
  DispatchType(SumTypes(), sums.data_type, [&]<typename T>() HWY_ATTR {
    OrderedTensors<T> tensors = {bindings.Input<T>(0), nullptr, nullptr, bindings.Output<T>(0)};
    if (sums.source_is_packed) {
      tensors.readable_begin = tensors.source;
      tensors.readable_end = tensors.source + ElementCount(sums.source_sizes, sums.rank);
    }
    executor.ParallelFor(units, grain, [&](uint64_t begin, uint64_t end) HWY_ATTR {
      OrderedRows<Lanes, T> ordered(nest, tables, tensors);
      for (uint64_t unit = begin; unit < end; ++unit) {
        const uint64_t first = std::min(unit % pieces * rows, size);
        ordered.Run(unit / pieces, {first, std::min(first + rows, size)});
      }
    });
  });
}

using SumFunction = void (*)(const AxisSums&, const AxisSumsTables&, const Bindings&,
                             const Executor&);

// Rows whose terms repeat.
template <class Repeated>
class RepeatedRows {
 public:
  RepeatedRows(const AxisSumsTables& tables, const RowNest& nest)
      : lanes_(tables.repeated, nest.target_lanes), targets_(nest.target_lanes) {}

  uint64_t Pitch() const { return PitchOf(targets_, true); }

  template <typename In>
  HWY_INLINE void Sum(const SourceRow<In>& row, float* to) const {
    lanes_.Sum(row.from, 0, targets_, to);
  }

 private:
  const Repeated lanes_;
  const uint64_t targets_;
};

SumFunction GridFunction(const LaneGrid& grid) {
  switch (grid.step * 10 + grid.terms) {
    case 21:
      return SumUnits<GridLanes<2, 1>>;
    case 22:
      return SumUnits<GridLanes<2, 2>>;
    case 24:
      return SumUnits<GridLanes<2, 4>>;
    case 44:
      return SumUnits<GridLanes<4, 4>>;
    default:
      return SumUnits<GridLanes<4, 8>>;
  }
}

SumFunction TableFunction(const LaneTable& table, uint32_t terms) {
#if ANYDML_LOOKS_UP_ROWS
  const size_t N = hn::Lanes(hn::ScalableTag<float>());
  if (table.lanes > kMostPreparedLanes || table.spread[N == 8 ? 1 : 2] >= 2 * N) return nullptr;
  switch (terms) {
    case 1:
      return SumUnits<TableLanes<1>>;
    case 2:
      return SumUnits<TableLanes<2>>;
    case 3:
      return SumUnits<TableLanes<3>>;
    default:
      return SumUnits<TableLanes<4>>;
  }
#else
  (void)table, (void)terms;
  return nullptr;
#endif
}

#endif  // ANYDML_TRANSPOSES

// False, and nothing done, if there is no way here.
bool SumOrdered(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                const Executor& executor) {
#if ANYDML_TRANSPOSES
  const RowNest& nest = sums.rows;
  if (nest.source_lanes < hn::Lanes(hn::ScalableTag<float>())) return false;
  const LaneGrid& grid = tables.grid;
  SumFunction sum = nullptr;
  const auto take = [&]<class Repeated>() {
    sum = SumUnits<RepeatedRows<Repeated>>;
    return true;
  };
  if (WithRepeatedLanes<false>(tables.repeated, nest.target_lanes, take)) {
  } else if (grid.present()) {
    sum = GridFunction(grid);
  } else if (tables.lanes.present() && nest.lane_repeat == 1) {
    sum = TableFunction(tables.lanes, tables.axes[nest.lane_axis].most_terms);
  }
  if (sum == nullptr) return false;
  sum(sums, tables, bindings, executor);
  return true;
#else
  (void)sums, (void)tables, (void)bindings, (void)executor;
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
  const RowNest& nest = sums.rows;
  if (!nest.lanes_change || nest.lane_turn != 0 || nest.level_count != 1) return false;
  const uint64_t terms = std::max(tables.axes[nest.levels[0].axis].most_terms, 1u);
  const bool fits = std::bit_ceil(terms) * PitchOf(nest.target_lanes, true) <= kWaitingFloats;
  if (terms > kTermsTogether || !fits) return false;
  return HWY_DYNAMIC_DISPATCH(SumOrdered)(sums, tables, bindings, executor);
}

}  // namespace anydml::cpu
#endif  // HWY_ONCE
