// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sums of whole rows, all axes of a box at once: what lies between two axes is made when
// the next sum needs it and stays in a near cache. Level j adds items; an item is
// everything that the levels before it (and the lanes, when their turn was before) make
// of one place along its axis. Included once per instruction set.

#if defined(ANYDML_KERNELS_RESAMPLE_CPU_BOX_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_RESAMPLE_CPU_BOX_SUMS_INL_H_
#undef ANYDML_KERNELS_RESAMPLE_CPU_BOX_SUMS_INL_H_
#else
#define ANYDML_KERNELS_RESAMPLE_CPU_BOX_SUMS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "kernels/resample/cpu/lane_sums-inl.h"
#include "kernels/resample/cpu/row_boxes.h"
#include "kernels/resample/cpu/weighted_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Where a level's sums go: floats in the scratch memory, one item of the next
// level, or elements of the tensor.
struct ToScratch {
  float* begin;
};
template <typename T>
struct ToTensor {
  T* begin;  // of the plane
};

template <typename T>
class BoxSums {
 public:
  BoxSums(const RowNest& nest, const AxisSumsTables& tables, const RowBoxes& boxes)
      : nest_(nest), tables_(tables), boxes_(boxes) {}

  void Run(const T* source, T* target, const RowUnit& unit) {
    unit_ = unit;
    items_ = ShapesOf(nest_, unit);
    if (nest_.level_count == 0) return SumOnlyLanes(source, target);
    const PlaneOffsets plane = OffsetsOf(nest_, unit.planes.begin);
    const uint32_t last = nest_.level_count - 1;
    if (nest_.lanes_change && nest_.lane_turn == nest_.level_count) {
      SumLevel(last, source + plane.source, ToScratch{scratch_ + boxes_.rows_at});
      return SumLanesToTensor(target + plane.target);
    }
    SumLevel(last, source + plane.source, ToTensor<T>{target + plane.target});
  }

 private:
  const TermTable& Table(uint32_t level) const { return tables_.axes[nest_.levels[level].axis]; }

  int64_t Offset(uint32_t level, uint64_t target) const {
    return static_cast<int64_t>(target) * nest_.levels[level].target_stride;
  }

  // Of the first row of the level's item.
  int64_t OffsetBelow(uint32_t level) const {
    int64_t offset = 0;
    for (uint32_t j = 0; j < level; ++j) offset += Offset(j, unit_.targets[j].begin);
    return offset;
  }

  // ---- One level: every target of its range.

  template <class To>
  void SumLevel(uint32_t level, const T* source, To to) {
    made_[level] = {0, 0};
    if (boxes_.slots[level] == 0) {
      SumTargets(level, to, [&](uint64_t target, IndexSpan range) {
        return TensorTerms(level, source, target, range);
      });
    } else {
      SumTargets(level, to, [&](uint64_t target, IndexSpan range) {
        return ItemTerms(level, source, target, range);
      });
    }
  }

  template <class To, class Get>
  HWY_INLINE void SumTargets(uint32_t level, To to, const Get& terms) {
    const uint32_t* begin = Table(level).begin.data();
    const uint64_t piece = boxes_.PieceOf(level);
    const IndexSpan targets = unit_.targets[level];
    for (uint64_t t = targets.begin; t < targets.end; ++t) {
      const uint64_t count = begin[t + 1] - begin[t];
      if (count <= piece) {
        SumInto(level, t, terms(t, {0, count}), to);
      } else {
        SumPieces(level, t, to, terms);
      }
    }
  }

  // Terms that are not at hand together: the sum so far waits in memory.
  template <class To, class Get>
  HWY_NOINLINE void SumPieces(uint32_t level, uint64_t target, To to, const Get& terms) {
    float* const sums = scratch_ + boxes_.sums_at[level];
    const uint64_t floats = items_[level].floats, piece = boxes_.PieceOf(level);
    std::fill(sums, sums + floats, 0.0f);
    const uint64_t count = Table(level).TermCount(target);
    for (uint64_t k = 0; k < count; k += piece) {
      AddRows(terms(target, {k, std::min(k + piece, count)}), floats, sums);
    }
    // A sum is never -0, so once it is itself.
    const Term once = {0, 1.0f};
    SumInto(level, target, StridedTerms<float>{&once, 1, sums, 0}, to);
  }

  template <class Terms>
  HWY_INLINE void SumInto(uint32_t level, uint64_t target, const Terms& terms, ToScratch to) {
    const uint64_t floats = items_[level].floats;
    SumRows(terms, 0, floats, to.begin + (target - unit_.targets[level].begin) * floats);
  }
  template <class Terms>
  HWY_INLINE void SumInto(uint32_t level, uint64_t target, const Terms& terms, ToTensor<T> to) {
    T* const begin = to.begin + Offset(level, target) + static_cast<int64_t>(unit_.lanes.begin);
    if (items_[level].side_by_side) {
      return SumRows(terms, 0, items_[level].floats, begin + OffsetBelow(level));
    }
    if (level == 0) return SumRows(terms, 0, unit_.lanes.size(), begin);
    SumIntoRows(level, terms, 0, begin);
  }

  // Row by row: the tensor may have any strides between rows.
  template <class Terms>
  void SumIntoRows(uint32_t level, const Terms& terms, uint64_t at, T* to) {
    if (level == 0) return SumRows(terms, at, unit_.lanes.size(), to);
    const uint32_t below = level - 1;
    const uint64_t floats = items_[below].rows * items_[nest_.level_count - 1].pitch;
    for (uint64_t t = unit_.targets[below].begin; t < unit_.targets[below].end; ++t) {
      SumIntoRows(below, terms, at, to + Offset(below, t));
      at += floats;
    }
  }

  // ---- The terms `range` of a target: rows of the tensor, or items in slots,
  // which are made here.

  HWY_INLINE StridedTerms<T> TensorTerms(uint32_t level, const T* source, uint64_t target,
                                         IndexSpan range) const {
    const TermTable& table = Table(level);
    return {table.terms.data() + table.begin[target] + range.begin, range.size(),
            source + static_cast<int64_t>(unit_.window.begin), nest_.levels[level].source_stride};
  }

  HWY_INLINE SlottedTerms ItemTerms(uint32_t level, const T* source, uint64_t target,
                                    IndexSpan range) {
    const TermTable& table = Table(level);
    const uint64_t place = table.first[target] + range.begin, end = place + range.size();
    const IndexSpan made = made_[level];
    if (place < made.begin || end > made.end) MakeItems(level, source, {place, end});
    return {table.terms.data() + table.begin[target] + range.begin,
            range.size(),
            Slot(level, 0),
            boxes_.item[level],
            place,
            boxes_.slots[level] - 1};
  }

  float* Slot(uint32_t level, uint64_t slot) {
    return scratch_ + boxes_.slots_at[level] + slot * boxes_.item[level];
  }

  // The places that the level's range of targets needs end here.
  uint64_t EndOfPlaces(uint32_t level) const {
    const uint64_t last = unit_.targets[level].end - 1;
    return Table(level).first[last] + Table(level).TermCount(last);
  }

  // Those that are not in their slots already; rows also ahead, as far as slots
  // are free.
  void MakeItems(uint32_t level, const T* source, IndexSpan places) {
    IndexSpan& made = made_[level];
    if (places.begin < made.begin || places.begin > made.end) made = {places.begin, places.begin};
    const uint64_t slots = boxes_.slots[level];
    const uint64_t end = std::min(places.begin + slots, EndOfPlaces(level));
    while (made.end < places.end) {
      const uint64_t slot = made.end & (slots - 1);
      const uint64_t together = level == 0 ? kRowsTogether : 1;
      const uint64_t count = std::min({together, slots - slot, end - made.end});
      MakeItemsAt(level, source, made.end, count, Slot(level, slot));
      made.end += count;
      if (made.size() > slots) made.begin = made.end - slots;
    }
  }

  void MakeItemsAt(uint32_t level, const T* source, uint64_t place, uint64_t count, float* to) {
    const uint32_t* places = Table(level).places.data() + place;
    const int64_t stride = nest_.levels[level].source_stride;
    if (level == 0) {
      const T* from[kRowsTogether];
      for (uint64_t i = 0; i < count; ++i) {
        from[i] = source + int64_t{places[i]} * stride + static_cast<int64_t>(unit_.window.begin);
      }
      const RowsAhead ahead(from[0] + static_cast<int64_t>(count) * stride,
                            stride * int64_t{sizeof(T)}, count, unit_.window.size() * sizeof(T));
      return SumLanesOf(from, count, to, boxes_.item[0], ahead);
    }
    for (uint64_t i = 0; i < count; ++i) {
      MakeItem(level, source + int64_t{places[i]} * stride, to + i * boxes_.item[level]);
    }
  }

  void MakeItem(uint32_t level, const T* source, float* to) {
    if (!nest_.lanes_change || nest_.lane_turn != level) {
      return SumLevel(level - 1, source, ToScratch{to});
    }
    float* const before = scratch_ + boxes_.rows_at;
    SumLevel(level - 1, source, ToScratch{before});
    const uint64_t rows = items_[level].rows;
    for (uint64_t r = 0; r < rows; r += kRowsTogether) {
      SumLanesInScratch(before, {r, std::min(r + kRowsTogether, rows)},
                        to + r * items_[level].pitch);
    }
  }

  // ---- The lanes' turn.

  template <typename In>
  void SumLanesOf(const In* const* from, uint64_t count, float* to, uint64_t pitch,
                  RowsAhead ahead = {}) {
    float* rows[kRowsTogether];
    for (uint64_t i = 0; i < count; ++i) rows[i] = to + i * pitch;
    const LaneJob job = {tables_.axes[nest_.lane_axis], tables_.lanes, nest_.lane_repeat,
                         unit_.lanes, unit_.window};
    SumLanes(job, LaneRows<In>{from, rows, count}, ahead, columns_);
  }

  void SumLanesInScratch(const float* before, IndexSpan rows, float* to) {
    const float* from[kRowsTogether];
    for (uint64_t i = 0; i < rows.size(); ++i) {
      from[i] = before + (rows.begin + i) * unit_.window.size();
    }
    SumLanesOf(from, rows.size(), to, PitchOf(unit_.lanes.size(), true));
  }

  // Rows that wait for the lanes' turn after all levels.
  void SumLanesToTensor(T* target) {
    const uint64_t rows = items_[nest_.level_count].rows;
    float* const before = scratch_ + boxes_.rows_at;
    for (uint64_t r = 0; r < rows; r += kRowsTogether) {
      const IndexSpan some = {r, std::min(r + kRowsTogether, rows)};
      SumLanesInScratch(before, some, scratch_ + boxes_.stores_at);
      for (uint64_t i = 0; i < some.size(); ++i) StoreLanes(i, target + RowOffset(r + i));
    }
  }

  // Planes of one row each.
  void SumOnlyLanes(const T* source, T* target) {
    const T* from[kRowsTogether];
    int64_t to[kRowsTogether];
    const IndexSpan planes = unit_.planes;
    for (uint64_t i = 0; i < planes.size(); ++i) {
      const PlaneOffsets plane = OffsetsOf(nest_, planes.begin + i);
      from[i] = source + plane.source + static_cast<int64_t>(unit_.window.begin);
      to[i] = plane.target;
    }
    SumLanesOf(from, planes.size(), scratch_ + boxes_.stores_at, PitchOf(unit_.lanes.size(), true));
    for (uint64_t i = 0; i < planes.size(); ++i) StoreLanes(i, target + to[i]);
  }

  void StoreLanes(uint64_t row, T* to) {
    const float* from = scratch_ + boxes_.stores_at + row * PitchOf(unit_.lanes.size(), true);
    StoreRow(from, unit_.lanes.size(), to + static_cast<int64_t>(unit_.lanes.begin));
  }

  // Of a row of the item that all levels make.
  int64_t RowOffset(uint64_t row) const {
    int64_t offset = 0;
    for (uint32_t j = 0; j < nest_.level_count; ++j) {
      offset += Offset(j, unit_.targets[j].begin + row % unit_.targets[j].size());
      row /= unit_.targets[j].size();
    }
    return offset;
  }

  const RowNest& nest_;
  const AxisSumsTables& tables_;
  const RowBoxes& boxes_;
  RowUnit unit_;
  ItemShapes items_;
  std::array<IndexSpan, kMaxSumAxes> made_;  // places whose items are in slots
  alignas(64) float scratch_[kScratchFloats];
  alignas(64) float columns_[kColumnFloats];
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
