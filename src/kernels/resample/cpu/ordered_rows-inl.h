// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sums along the lanes (or the pixels of a row) and up to three axes outside them,
// everything in the order of memory: a row is summed along its lanes when the axis
// outside needs it and waits in one of a few slots; so does what an axis makes of one
// place of the next one. Nothing but the rows is read from memory, so it runs ahead by
// itself. Included once per instruction set.

#if defined(ANYDML_KERNELS_RESAMPLE_CPU_ORDERED_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_RESAMPLE_CPU_ORDERED_ROWS_INL_H_
#undef ANYDML_KERNELS_RESAMPLE_CPU_ORDERED_ROWS_INL_H_
#else
#define ANYDML_KERNELS_RESAMPLE_CPU_ORDERED_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "kernels/resample/cpu/nearest_rows-inl.h"
#include "kernels/resample/cpu/ordered_boxes.h"
#include "kernels/resample/cpu/paired_rows-inl.h"
#include "kernels/resample/cpu/row_lanes-inl.h"
#include "kernels/resample/cpu/weighted_rows-inl.h"

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

// Whether the rows of a plane need no slots, because one of these takes them.
struct PlaneSums {
  PlaneSums(const AxisSumsTables& tables, const RowNest& nest)
      : paired(PairedRows::Takes(tables, nest)) {
#if ANYDML_LOOKS_UP_ROWS
    nearest = NearestRows::Takes(tables, nest);
#endif
  }
  bool paired = false;
  bool nearest = false;
};

template <typename T>
class OrderedRows {
 public:
  OrderedRows(const RowNest& nest, const AxisSumsTables& tables, const OrderedTensors<T>& tensors,
              const OrderedBoxes& boxes, const PlaneSums& planes)
      : nest_(nest), tables_(tables), tensors_(tensors), boxes_(boxes) {
    lanes_.Prepare(tables, nest);
    if (planes.paired) paired_.emplace(tables, nest);
#if ANYDML_LOOKS_UP_ROWS
    if (planes.nearest) nearest_.emplace(tables, nest);
#endif
  }

  void Run(const OrderedUnit& unit) {
    unit_ = unit;
    const PlaneOffsets plane = OffsetsOf(nest_, unit.plane);
    const T* source = tensors_.source + plane.source;
    T* target = tensors_.target + plane.target;
    if (nest_.level_count == 1) {
      if (RowsAreAlone() && lanes_.CanSumAlone()) return SumRowsAlone(source, target);
      return SumRowsOfPlane<true>(source, target, nest_.levels[0].target_stride);
    }
    SumItems(nest_.level_count - 1, source, [&](const auto& terms, uint64_t t) HWY_ATTR {
      StoreItem(nest_.level_count - 2, terms, 0, target + Offset(nest_.level_count - 1, t));
    });
  }

 private:
  const TermTable& Table(uint32_t level) const { return tables_.axes[nest_.levels[level].axis]; }
  int64_t Offset(uint32_t level, uint64_t target) const {
    return static_cast<int64_t>(target) * nest_.levels[level].target_stride;
  }
  // Floats of what level `level` adds: an item of what the levels before it make.
  uint64_t ItemFloats(uint32_t level) const {
    uint64_t floats = nest_.target_lanes;
    for (uint32_t j = 0; j < level; ++j) floats *= unit_.targets[j].size();
    return floats;
  }

  // ---- Rows of one plane: the lanes and level 0.

  // kLast: nothing is summed after this.
  template <bool kLast, typename Out>
  HWY_INLINE void SumRowsOfPlane(const T* source, Out* target, int64_t stride) {
    const TermTable& table = Table(0);
    const IndexSpan targets = unit_.targets[0];
    if (paired_) return paired_->Sum<kLast>(source, targets, target, stride);
#if ANYDML_LOOKS_UP_ROWS
    if (nearest_) return nearest_->Sum(source, targets, target, stride);
#endif
    const uint64_t pitch = PitchOf(nest_.target_lanes, true), mask = boxes_.slots[0] - 1;
    float* const slots = scratch_ + boxes_.slots_at[0];
    const uint64_t end = EndOfPlaces(0);
    uint64_t made = 0;  // places before this one are in slots, or needed no more
    for (uint64_t t = targets.begin; t < targets.end; ++t) {
      const uint64_t place = table.first[t], count = table.TermCount(t);
      for (made = std::max(made, place); made < place + count;) {
        made +=
            MakeRows(source, made, std::min(boxes_.rows_at_once, end - made), slots, mask, pitch);
      }
      const SlottedTerms terms = {
          table.terms.data() + table.begin[t], count, slots, pitch, place, mask};
      SumRows(terms, 0, nest_.target_lanes, target + static_cast<int64_t>(t) * stride);
    }
  }

  // Whether no target has more than one term, and no two share it.
  bool RowsAreAlone() const {
    return Table(0).most_terms <= 1 && Table(0).terms.size() == Table(0).places.size();
  }

  // The same for such rows: nothing waits.
  HWY_NOINLINE void SumRowsAlone(const T* source, T* target) {
    const TermTable& table = Table(0);
    for (uint64_t t = unit_.targets[0].begin; t < unit_.targets[0].end; ++t) {
      T* const to = target + Offset(0, t);
      if (table.TermCount(t) == 0) {
        std::memset(static_cast<void*>(to), 0, nest_.target_lanes * sizeof(T));
      } else {
        const Term term = table.terms[table.begin[t]];
        lanes_.SumAlone(source + int64_t{term.source} * nest_.levels[0].source_stride, term.weight,
                        to);
      }
    }
  }

  // The places that the unit's targets need end here.
  uint64_t EndOfPlaces(uint32_t level) const {
    const uint64_t last = unit_.targets[level].end - 1;
    return Table(level).first[last] + Table(level).TermCount(last);
  }

  HWY_INLINE uint64_t MakeRows(const T* source, uint64_t place, uint64_t count, float* slots,
                               uint64_t mask, uint64_t pitch) {
    SourceRow<T> rows[kRowsAtOnce];
    float* to[kRowsAtOnce];
    const uint32_t* places = Table(0).places.data() + place;
    for (uint64_t i = 0; i < count; ++i) {
      const T* from = source + int64_t{places[i]} * nest_.levels[0].source_stride;
      rows[i] = {from, static_cast<int64_t>(nest_.source_lanes), 0, 0};
      // The lanes ask for every 64 bytes from a row's begin on. Where a gap follows the row,
      // nobody else would ask for the line of its end.
      AskAhead<1>(from + nest_.source_lanes - 1);
      if (tensors_.readable_begin != nullptr) {
        rows[i].before = from - tensors_.readable_begin;
        rows[i].after = tensors_.readable_end - from - rows[i].lanes;
      }
      to[i] = slots + ((place + i) & mask) * pitch;
    }
    lanes_.Sum(rows, to, count);
    return count;
  }

  // ---- Levels above: sums of items.

  // Calls store(terms, t) for every target t of the level.
  template <class Store>
  HWY_INLINE void SumItems(uint32_t level, const T* source, const Store& store) {
    const TermTable& table = Table(level);
    const uint64_t floats = ItemFloats(level), mask = boxes_.slots[level] - 1;
    float* const slots = scratch_ + boxes_.slots_at[level];
    uint64_t made = 0;
    for (uint64_t t = unit_.targets[level].begin; t < unit_.targets[level].end; ++t) {
      const uint64_t place = table.first[t], count = table.TermCount(t);
      for (made = std::max(made, place); made < place + count; ++made) {
        MakeItem(level - 1,
                 source + int64_t{table.places[made]} * nest_.levels[level].source_stride,
                 slots + (made & mask) * floats);
      }
      store(SlottedTerms{table.terms.data() + table.begin[t], count, slots, floats, place, mask},
            t);
    }
  }

  // What the levels up to this one make of one place of the next.
  HWY_NOINLINE void MakeItem(uint32_t level, const T* source, float* to) {
    if (level == 0) {
      const auto stride = static_cast<int64_t>(nest_.target_lanes);
      to -= static_cast<int64_t>(unit_.targets[0].begin) * stride;
      return SumRowsOfPlane<false>(source, to, stride);
    }
    const uint64_t floats = ItemFloats(level), begin = unit_.targets[level].begin;
    SumItems(level, source, [&](const auto& terms, uint64_t t) HWY_ATTR {
      SumRows(terms, 0, floats, to + (t - begin) * floats);
    });
  }

  // The item that the last level makes, from `at` on: as many elements at once as lie
  // side by side.
  template <class Terms>
  void StoreItem(uint32_t level, const Terms& terms, uint64_t at, T* to) {
    const bool side_by_side =
        nest_.levels[0].target_stride == static_cast<int64_t>(nest_.target_lanes);
    const IndexSpan targets = unit_.targets[level];
    if (level == 0 && side_by_side) {
      return SumRows(terms, at, targets.size() * nest_.target_lanes, to + Offset(0, targets.begin));
    }
    for (uint64_t t = targets.begin; t < targets.end; ++t) {
      if (level == 0) {
        SumRows(terms, at, nest_.target_lanes, to + Offset(0, t));
      } else {
        StoreItem(level - 1, terms, at, to + Offset(level, t));
      }
      at += ItemFloats(level);
    }
  }

  const RowNest& nest_;
  const AxisSumsTables& tables_;
  const OrderedTensors<T> tensors_;
  const OrderedBoxes& boxes_;
  OrderedUnit unit_;
  RowLanes<T> lanes_;
  std::optional<PairedRows> paired_;
#if ANYDML_LOOKS_UP_ROWS
  std::optional<NearestRows> nearest_;
#endif
  alignas(64) float scratch_[kOrderedFloats];
};

#endif  // ANYDML_TRANSPOSES

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
