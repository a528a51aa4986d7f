// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sums along the lanes and along the rows of a plane that is made half as wide and half
// as high, with terms that repeat (tensor/term_pattern.h, kPairsAround) along both, for
// rows of at most two vectors: source rows 2t + 1 and 2t + 2 end the sums of target row t
// and begin those of the next one. The latter and all weights stay in registers. Included
// once per instruction set.

#if defined(ANYDML_KERNELS_RESAMPLE_CPU_PAIRED_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_RESAMPLE_CPU_PAIRED_ROWS_INL_H_
#undef ANYDML_KERNELS_RESAMPLE_CPU_PAIRED_ROWS_INL_H_
#else
#define ANYDML_KERNELS_RESAMPLE_CPU_PAIRED_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "kernels/resample/cpu/prefetch.h"
#include "kernels/resample/cpu/repeated_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ANYDML_TRANSPOSES

// Rows of more than one vector of targets and at most two: the first one and the last one,
// which may overlap. Weights stay in registers from row to row.
template <TermPattern kPattern, bool kUnit>
class RepeatedLanes<kPattern, kUnit>::TwoBlocks {
 public:
  struct Sums {
    V first, last;
  };

  HWY_INLINE explicit TwoBlocks(const RepeatedLanes& lanes)
      : last_(lanes.targets_ - kLanes), at_first_(lanes.first_), at_last_(lanes.last_) {}

  // Neighbours beyond the ends are zeros: terms that are missing then add nothing.
  template <typename In>
  HWY_INLINE Sums Sum(const In* from) const {
    Sources next, beyond;
    for (size_t k = 0; k < kStep; ++k) {
      beyond.of[k] = hn::Zero(D());
      next.of[k] = k < kAround ? Broadcast(from + kLanes * kStep + k) : beyond.of[k];
    }
    return {SumBlock(at_first_, Neighbours(), Split(from, 0), next),
            SumBlock(at_last_, Before(from, last_), Split(from, last_), beyond)};
  }

 private:
  struct Weights {
    V of[kTerms];
    HWY_INLINE explicit Weights(const float* weights) {
      for (size_t k = 0; k < kTerms; ++k) of[k] = hn::Load(D(), weights + k * kLanes);
    }
    HWY_INLINE V Times(size_t k, V value) const { return hn::Mul(of[k], value); }
  };

  const uint64_t last_;
  const Weights at_first_, at_last_;
};

// Rows of more than one vector and at most two.
class PairedRows {
 public:
  PairedRows(const AxisSumsTables& tables, const RowNest& nest)
      : lanes_(tables.repeated, nest.target_lanes),
        table_(tables.axes[nest.levels[0].axis]),
        source_rows_(nest.levels[0].source_size),
        source_lanes_(nest.source_lanes),
        source_stride_(nest.levels[0].source_stride),
        last_(nest.target_lanes - Lanes::kLanes) {}

  // Target row t goes to `to` + t * stride.
  template <typename In, typename Out>
  HWY_INLINE void Sum(const In* source, IndexSpan targets, Out* to, int64_t stride) const {
    const Lanes::TwoBlocks lanes(lanes_);
    uint64_t t = targets.begin;
    to += static_cast<int64_t>(t) * stride;
    const In* from = source + static_cast<int64_t>(2 * t) * source_stride_;  // row 2t
    Sums open = Begin(lanes, from, t);
    from += source_stride_;
    for (; t < targets.end && 2 * t + 2 < source_rows_; ++t, to += stride) {
      Prefetch(from);
      const Sums first = lanes.Sum(from), second = lanes.Sum(from + source_stride_);
      from += 2 * source_stride_;
      // The last two weights of t, and the first two of t + 1.
      const Term* const terms = table_.terms.data() + table_.begin[t + 1];
      open = Add(Add(open, terms[-2].weight, first), terms[-1].weight, second);
      Store(open, to);
      open = Add(BeginSum(terms[0].weight, first), terms[1].weight, second);
    }
    if (t == targets.end) return;
    const Term* const end = table_.terms.data() + table_.terms.size();
    Store(Add(open, end[-1].weight, lanes.Sum(from)), to);
  }

 private:
  using Lanes = RepeatedLanes<TermPattern::kPairsAround, false>;
  using Sums = Lanes::TwoBlocks::Sums;
  using D = Lanes::D;

  // The terms of target row t before row 2t + 1, given row 2t.
  template <typename In>
  HWY_INLINE Sums Begin(const Lanes::TwoBlocks& lanes, const In* from, uint64_t t) const {
    const Term* const terms = table_.terms.data() + table_.begin[t];
    if (t == 0) return BeginSum(terms[0].weight, lanes.Sum(from));
    const Sums sums = BeginSum(terms[0].weight, lanes.Sum(from - source_stride_));
    return Add(sums, terms[1].weight, lanes.Sum(from));
  }

  static HWY_INLINE Sums BeginSum(float weight, const Sums& row) {
    const D d;
    const auto w = hn::Set(d, weight);
    const Sums sums = {hn::Mul(w, row.first), hn::Mul(w, row.last)};
    return {hn::Add(hn::Zero(d), sums.first), hn::Add(hn::Zero(d), sums.last)};
  }
  static HWY_INLINE Sums Add(const Sums& sums, float weight, const Sums& row) {
    const auto w = hn::Set(D(), weight);
    return {hn::Add(sums.first, hn::Mul(w, row.first)), hn::Add(sums.last, hn::Mul(w, row.last))};
  }

  template <typename Out>
  HWY_INLINE void Store(const Sums& sums, Out* to) const {
    StoreFloats(D(), sums.first, to);
    StoreFloats(D(), sums.last, to + last_);
  }

  // As much memory as this row and the next one have. Where no gap follows them, the line of
  // their end is that of another row's begin.
  template <typename In>
  HWY_INLINE void Prefetch(const In* from) const {
    const uint64_t bytes = source_lanes_ * sizeof(In);
    if (source_stride_ == static_cast<int64_t>(source_lanes_))
      return PrefetchAhead(from, 2 * bytes);
    PrefetchAhead(from, bytes + kLine - 1);
    PrefetchAhead(from + source_stride_, bytes + kLine - 1);
  }

  static constexpr uint64_t kLine = 64;

  const Lanes lanes_;
  const TermTable& table_;
  const uint64_t source_rows_, source_lanes_;
  const int64_t source_stride_;
  const uint64_t last_;  // where the last vector of a row begins
};

#endif  // ANYDML_TRANSPOSES

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
