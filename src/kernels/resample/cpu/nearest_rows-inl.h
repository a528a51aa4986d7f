// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sums along the lanes and along the rows of a plane whose weights are all 1, one or two
// terms per lane: a block of lanes looks its terms up in the window of every source row of
// a target row, and only the sum is stored. Included once per instruction set.

#if defined(ANYDML_KERNELS_RESAMPLE_CPU_NEAREST_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_RESAMPLE_CPU_NEAREST_ROWS_INL_H_
#undef ANYDML_KERNELS_RESAMPLE_CPU_NEAREST_ROWS_INL_H_
#else
#define ANYDML_KERNELS_RESAMPLE_CPU_NEAREST_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "kernels/resample/cpu/lane_table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ANYDML_LOOKS_UP_ROWS

class NearestRows {
 public:
  static bool Takes(const AxisSumsTables& tables, const RowNest& nest) {
    const LaneTable& lanes = tables.lanes;
    if (nest.lane_repeat != 1 || !lanes.present() || lanes.lanes > kMostPreparedLanes) return false;
    if (nest.source_lanes < 2 * kLanes || nest.target_lanes < kLanes) return false;
    if (tables.axes[nest.lane_axis].most_terms != 2) return false;
    const auto is_one = [](float weight) { return weight == 1; };
    const float* const weights = lanes.weights.data();
    if (!std::all_of(weights, weights + nest.target_lanes, is_one)) return false;
    const auto is_term = [](const Term& term) { return term.weight == 1; };
    for (uint32_t axis : {nest.lane_axis, nest.levels[0].axis}) {
      if (!std::ranges::all_of(tables.axes[axis].terms, is_term)) return false;
    }
    for (uint64_t lane = 0; lane < nest.target_lanes; lane += kLanes) {
      const uint64_t begin = std::min(lane, nest.target_lanes - kLanes);
      const int32_t* const first = lanes.first.data() + begin;
      if (first[kLanes - 1] + 2 - first[0] > static_cast<int32_t>(2 * kLanes)) return false;
    }
    return true;
  }

  NearestRows(const AxisSumsTables& tables, const RowNest& nest)
      : table_(tables.axes[nest.levels[0].axis]),
        source_lanes_(nest.source_lanes),
        source_stride_(nest.levels[0].source_stride),
        targets_(nest.target_lanes) {
    const LaneTable& lanes = tables.lanes;
    const auto last = static_cast<int32_t>(nest.source_lanes - 2 * kLanes);
    for (uint64_t lane = 0; lane < targets_; lane += kLanes) {
      const uint64_t begin = std::min(lane, targets_ - kLanes);
      const int32_t window = std::min(lanes.first[begin], last);
      window_[lane / kLanes] = window;
      for (size_t i = 0; i < kLanes; ++i) {
        first_[lane + i] = lanes.first[begin + i] - window;
        second_[lane + i] = lanes.weights[lanes.lanes + begin + i];
      }
    }
  }

  // Target row t goes to `to` + t * stride.
  template <typename In, typename Out>
  HWY_INLINE void Sum(const In* source, IndexSpan targets, Out* to, int64_t stride) const {
    for (uint64_t t = targets.begin; t < targets.end; ++t) {
      const uint64_t count = table_.TermCount(t);
      const Term* const terms = table_.terms.data() + table_.begin[t];
      // The terms of a row are rows that follow one another.
      const int64_t row = count == 0 ? 0 : terms->source;
      const In* const from = source + row * source_stride_;
      Out* const target = to + static_cast<int64_t>(t) * stride;
      if (count == 1) {
        SumRow<1>(from, count, target);
      } else if (count == 2) {
        SumRow<2>(from, count, target);
      } else {
        SumRow<0>(from, count, target);
      }
    }
  }

 private:
  using D = hn::ScalableTag<float>;
  using DI = hn::RebindToSigned<D>;
  using V = hn::Vec<D>;
  static constexpr size_t kLanes = hn::MaxLanes(D());

  // `count` rows, or kCount where that is not 0.
  template <uint64_t kCount, typename In, typename Out>
  HWY_INLINE void SumRow(const In* from, uint64_t count, Out* to) const {
    const D d;
    const DI di;
    const uint64_t rows = kCount != 0 ? kCount : count;
    for (uint64_t k = 0; k < rows; ++k) Ask(from + static_cast<int64_t>(k) * source_stride_);
    for (uint64_t lane = 0; lane < targets_; lane += kLanes) {
      const auto first = hn::Load(di, first_ + lane), second = hn::Add(first, hn::Set(di, 1));
      const auto has_second = hn::Ne(hn::Load(d, second_ + lane), hn::Zero(d));
      const In* at = from + window_[lane / kLanes];
      V sum = hn::Zero(d);
      for (uint64_t k = 0; k < rows; ++k, at += source_stride_) {
        const V low = LoadFloats(d, at), high = LoadFloats(d, at + kLanes);
        const V more = hn::IfThenElseZero(has_second, LookUpInTwo(d, low, high, second));
        sum = hn::Add(sum, hn::Add(LookUpInTwo(d, low, high, first), more));
      }
      StoreFloats(d, sum, to + std::min(lane, targets_ - kLanes));
    }
  }

  template <typename In>
  HWY_INLINE void Ask(const In* row) const {
    AskAhead(row, source_lanes_ * sizeof(In));
    AskAhead<1>(row + source_lanes_ - 1);
  }

  const TermTable& table_;
  const uint64_t source_lanes_;
  const int64_t source_stride_;
  const uint64_t targets_;
  int32_t window_[kMostPreparedLanes / kLanes];
  alignas(64) int32_t first_[kMostPreparedLanes];
  alignas(64) float second_[kMostPreparedLanes];  // the weight of a second term, 0 or 1
};

#endif  // ANYDML_LOOKS_UP_ROWS

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
