// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The sums within rows, whichever way suits their terms. Included once per
// instruction set.

#if defined(ANYDML_KERNELS_RESAMPLE_CPU_ROW_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_RESAMPLE_CPU_ROW_LANES_INL_H_
#undef ANYDML_KERNELS_RESAMPLE_CPU_ROW_LANES_INL_H_
#else
#define ANYDML_KERNELS_RESAMPLE_CPU_ROW_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <new>

#include "kernels/resample/cpu/doubled_lanes-inl.h"
#include "kernels/resample/cpu/lane_grid-inl.h"
#include "kernels/resample/cpu/lane_table-inl.h"
#include "kernels/resample/cpu/lane_window-inl.h"
#include "kernels/resample/cpu/repeated_lanes-inl.h"
#include "kernels/resample/cpu/weighted_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ANYDML_TRANSPOSES

// A few rows per call.
template <class Lanes>
class RowByRow {
 public:
  RowByRow(const AxisSumsTables& tables, const RowNest& nest) : lanes_(tables, nest) {}

  template <typename In>
  HWY_INLINE void Sum(const SourceRow<In>* rows, float* const* to, uint64_t count) const {
    for (uint64_t r = 0; r < count; ++r) lanes_.Sum(rows[r], to[r]);
  }

 private:
  const Lanes lanes_;
};

// Rows whose terms repeat.
template <class Repeated>
class RepeatedRow {
 public:
  RepeatedRow(const AxisSumsTables& tables, const RowNest& nest)
      : lanes_(tables.repeated, nest.target_lanes), targets_(nest.target_lanes) {}

  template <typename In>
  HWY_INLINE void Sum(const SourceRow<In>& row, float* to) const {
    lanes_.Sum(row.from, 0, targets_, to);
  }

 private:
  const Repeated lanes_;
  const uint64_t targets_;
};

// The same with twice as many targets as sources.
template <class Doubled>
class DoubledRows {
 public:
  DoubledRows(const AxisSumsTables& tables, const RowNest& nest)
      : lanes_(tables.repeated, nest.target_lanes), targets_(nest.target_lanes) {}

  template <typename In>
  HWY_INLINE void Sum(const SourceRow<In>* rows, float* const* to, uint64_t count) const {
    for (uint64_t r = 0; r < count; ++r) lanes_.Sum(rows[r].from, 0, targets_, to[r]);
  }
  template <typename T>
  HWY_INLINE void SumAlone(const T* from, float weight, T* to) const {
    lanes_.Sum(from, 0, targets_, to, TimesWeight{weight});
  }

 private:
  const Doubled lanes_;
  const uint64_t targets_;
};

// Rows of pixels, each of which has lanes enough of its own.
class PixelsOfRow {
 public:
  PixelsOfRow(const AxisSumsTables& tables, const RowNest& nest)
      : table_(tables.axes[nest.lane_axis]), lanes_(nest.lane_repeat) {}

  template <typename In>
  HWY_INLINE void Sum(const SourceRow<In>& row, float* to) const {
    const auto stride = static_cast<int64_t>(lanes_);
    const In* asked = row.from;
    for (uint64_t t = 0; t + 1 < table_.begin.size(); ++t, to += lanes_) {
      const uint64_t pixels = table_.first[t] + table_.TermCount(t);  // needed so far
      for (; asked < row.from + pixels * lanes_; asked += 64 / sizeof(In)) AskAhead<64>(asked);
      SumRows(StridedTerms<In>{table_.terms.data() + table_.begin[t], table_.TermCount(t), row.from,
                               stride},
              0, lanes_, to);
    }
  }

 private:
  const TermTable& table_;
  const uint64_t lanes_;
};

// Chosen once per thread; a call for a few rows costs nothing beside them.
template <typename T>
class RowLanes {
 public:
  RowLanes() = default;
  RowLanes(const RowLanes&) = delete;
  RowLanes& operator=(const RowLanes&) = delete;

  // False if no way takes these rows.
  bool Prepare(const AxisSumsTables& tables, const RowNest& nest) {
    if (nest.source_lanes < hn::Lanes(hn::ScalableTag<float>())) return false;
    const auto take = [&]<class Repeated>() {
      return Use<RowByRow<RepeatedRow<Repeated>>>(tables, nest);
    };
    if (WithRepeatedLanes<false>(tables.repeated, nest.target_lanes, take)) return true;
    const auto take_doubled = [&]<class Doubled>() {
      return Use<DoubledRows<Doubled>>(tables, nest);
    };
    if (WithDoubledLanes(tables.repeated, take_doubled)) return true;
    if (nest.lane_repeat >= LaneTable::kMostLanesOfAVector) {
      const bool few = tables.axes[nest.lane_axis].most_terms <= kTermsTogether;
      return few && Use<RowByRow<PixelsOfRow>>(tables, nest);
    }
    if (nest.lane_repeat != 1) return false;
    return UseGrid(tables, nest) || UseWindow(tables, nest) || UseTable(tables, nest);
  }

  // Writes PitchOf(target_lanes, true) floats at most.
  void Sum(const SourceRow<T>* rows, float* const* to, uint64_t count) const {
    sum_(storage_, rows, to, count);
  }

  // A row that is the only term of the axis outside goes straight to the tensor, where
  // the lanes can.
  bool CanSumAlone() const { return sum_alone_ != nullptr; }
  void SumAlone(const T* from, float weight, T* to) const {
    sum_alone_(storage_, from, weight, to);
  }

 private:
  using SumFunction = void (*)(const void*, const SourceRow<T>*, float* const*, uint64_t);
  using SumAloneFunction = void (*)(const void*, const T*, float, T*);

  template <class Lanes>
  bool Use(const AxisSumsTables& tables, const RowNest& nest) {
    static_assert(sizeof(Lanes) <= sizeof storage_ && std::is_trivially_destructible_v<Lanes>);
    new (storage_) Lanes(tables, nest);
    sum_ = [](const void* lanes, const SourceRow<T>* rows, float* const* to, uint64_t count)
               HWY_ATTR { static_cast<const Lanes*>(lanes)->Sum(rows, to, count); };
    if constexpr (requires(const Lanes& lanes, T* to) { lanes.SumAlone(to, 1.0f, to); }) {
      sum_alone_ = [](const void* lanes, const T* from, float weight, T* to)
                       HWY_ATTR { static_cast<const Lanes*>(lanes)->SumAlone(from, weight, to); };
    }
    return true;
  }

  bool UseGrid(const AxisSumsTables& tables, const RowNest& nest) {
    if (!tables.grid.present()) return false;
    switch (tables.grid.step * 10 + tables.grid.terms) {
      case 21:
        return Use<RowByRow<GridLanes<2, 1>>>(tables, nest);
      case 22:
        return Use<RowByRow<GridLanes<2, 2>>>(tables, nest);
      case 24:
        return Use<RowByRow<GridLanes<2, 4>>>(tables, nest);
      case 44:
        return Use<RowByRow<GridLanes<4, 4>>>(tables, nest);
      default:
        return Use<RowByRow<GridLanes<4, 8>>>(tables, nest);
    }
  }

#if ANYDML_LOOKS_UP_ROWS
  static constexpr size_t kLanes = hn::MaxLanes(hn::ScalableTag<float>());
  static constexpr size_t kSize = kLanes == 8 ? 1 : 2;  // of LaneTable's three

  bool UseWindow(const AxisSumsTables& tables, const RowNest& nest) {
    const LaneTable& table = tables.lanes;
    if (!table.present() || table.lanes > kMostPreparedLanes) return false;
    const uint64_t window = table.window[kSize];
    const uint64_t terms = tables.axes[nest.lane_axis].most_terms;
    const bool one = window <= kLanes && terms <= 2;
    if (!one && (window > 2 * kLanes || nest.source_lanes < 2 * kLanes)) return false;
    switch (terms) {
      case 1:
        return one ? Use<RowByRow<WindowLanes<1, 1>>>(tables, nest)
                   : Use<RowByRow<WindowLanes<1, 2>>>(tables, nest);
      case 2:
        return one ? Use<RowByRow<WindowLanes<2, 1>>>(tables, nest)
                   : Use<RowByRow<WindowLanes<2, 2>>>(tables, nest);
      case 3:
        return Use<RowByRow<WindowLanes<3, 2>>>(tables, nest);
      default:
        return Use<RowByRow<WindowLanes<4, 2>>>(tables, nest);
    }
  }

  bool UseTable(const AxisSumsTables& tables, const RowNest& nest) {
    const LaneTable& table = tables.lanes;
    if (!table.present() || table.lanes > kMostPreparedLanes) return false;
    if (table.spread[kSize] >= 2 * kLanes) return false;
    switch (tables.axes[nest.lane_axis].most_terms) {
      case 1:
        return Use<RowByRow<TableLanes<1>>>(tables, nest);
      case 2:
        return Use<RowByRow<TableLanes<2>>>(tables, nest);
      case 3:
        return Use<RowByRow<TableLanes<3>>>(tables, nest);
      default:
        return Use<RowByRow<TableLanes<4>>>(tables, nest);
    }
  }
#else
  bool UseWindow(const AxisSumsTables&, const RowNest&) { return false; }
  bool UseTable(const AxisSumsTables&, const RowNest&) { return false; }
#endif

  static constexpr size_t kStorageBytes = 6 * kMostPreparedLanes * sizeof(float);

  SumFunction sum_ = nullptr;
  SumAloneFunction sum_alone_ = nullptr;
  alignas(64) std::byte storage_[kStorageBytes];
};

#endif  // ANYDML_TRANSPOSES

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
