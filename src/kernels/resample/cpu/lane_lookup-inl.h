// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Weighted sums within rows whose lanes read few source lanes each: a block of
// lanes looks its terms up in one or two vectors, for several rows with the
// look-up's constants in registers. Included once per instruction set.

#if defined(ANYDML_KERNELS_RESAMPLE_CPU_LANE_LOOKUP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_RESAMPLE_CPU_LANE_LOOKUP_INL_H_
#undef ANYDML_KERNELS_RESAMPLE_CPU_LANE_LOOKUP_INL_H_
#else
#define ANYDML_KERNELS_RESAMPLE_CPU_LANE_LOOKUP_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "backends/cpu/float16-inl.h"
#include "backends/cpu/integers-inl.h"
#include "backends/cpu/rows_ahead.h"
#include "backends/cpu/transpose-inl.h"
#include "kernels/resample/cpu/row_boxes.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct LaneJob {
  const TermTable& terms;  // of the axis in the lanes
  const LaneTable& table;
  uint64_t repeat;
  IndexSpan lanes;   // of the target; begins at a multiple of 16
  IndexSpan window;  // source lanes that they read
};

// Rows of the source, from the window's begin on, and of the target, from the
// first of the job's lanes on. The latter may be written up to a multiple of 16.
template <typename In>
struct LaneRows {
  const In* const* from;
  float* const* to;
  size_t count;
};

// A source row, and how many elements before and after its `lanes` may be read
// too: in packed tensors those of its neighbours.
template <typename In>
struct SourceRow {
  const In* from;
  int64_t lanes;
  int64_t before;
  int64_t after;
};

#if ANYDML_TRANSPOSES

// The terms of one block of lanes, ready for any number of rows. Each is looked
// up in the vector at `at`, or in the one at `second_at` where in_second says so.
template <size_t kTerms, bool kTwoVectors>
struct BlockOfLanes {
  using D = hn::ScalableTag<float>;
  using DI = hn::RebindToSigned<D>;
  using Indices = decltype(hn::IndicesFromVec(D(), hn::Zero(DI())));

  HWY_INLINE BlockOfLanes(const LaneJob& job, uint64_t lane) {
    const D d;
    const DI di;
    const auto N = static_cast<int32_t>(hn::Lanes(d));
    const auto window = static_cast<int32_t>(job.window.begin);
    const auto most = static_cast<int32_t>(job.window.size()) - N;
    const int32_t* first = job.table.first.data() + lane;
    const auto base = static_cast<int32_t>(FirstLaneOf(static_cast<uint64_t>(*first), job.repeat));
    const auto in_vector = hn::Set(di, N - 1);
    for (size_t k = 0; k < kTerms; ++k) {
      const auto step = static_cast<int32_t>(k * job.repeat);
      const auto source = hn::Add(hn::LoadU(di, first), hn::Set(di, step - window));
      at[k] = std::clamp(base + step - window, 0, most);
      const auto place = hn::Sub(source, hn::Set(di, at[k]));
      index[k] = hn::IndicesFromVec(d, hn::And(place, in_vector));
      weight[k] = hn::LoadU(d, job.table.weights.data() + k * job.table.lanes + lane);
      if constexpr (kTwoVectors) {
        second_at[k] = std::min(at[k] + N, most);
        const auto second = hn::Sub(source, hn::Set(di, second_at[k]));
        second_index[k] = hn::IndicesFromVec(d, hn::And(second, in_vector));
        in_second[k] = hn::RebindMask(d, hn::Gt(place, in_vector));
      }
    }
  }

  template <typename In>
  HWY_INLINE hn::Vec<D> Term(const In* from, size_t k) const {
    const D d;
    const auto value = hn::TableLookupLanes(LoadFloats(d, from + at[k]), index[k]);
    if constexpr (!kTwoVectors) return value;
    const auto second = hn::TableLookupLanes(LoadFloats(d, from + second_at[k]), second_index[k]);
    return hn::IfThenElse(in_second[k], second, value);
  }

  int32_t at[kTerms], second_at[kTerms];
  Indices index[kTerms], second_index[kTerms];
  hn::Vec<D> weight[kTerms];
  hn::Mask<D> in_second[kTerms];
};

// Product rounded, then added (B13). A missing term is dropped, not multiplied
// by 0: its source may be infinite. Dropping it as +0 changes nothing, because
// no sum that starts from +0 becomes -0.
template <bool kAllTerms, class V>
HWY_INLINE V AddTerm(V sum, V weight, V value) {
  const hn::DFromV<V> d;
  const auto product = hn::Mul(weight, value);
  if constexpr (kAllTerms) return hn::Add(sum, product);
  return hn::Add(sum, hn::IfThenElseZero(hn::Ne(weight, hn::Zero(d)), product));
}

template <size_t kTerms, bool kTwoVectors, bool kAllTerms, typename In>
HWY_INLINE void LookUpBlock(const LaneJob& job, const LaneRows<In>& rows, RowsAhead& ahead,
                            uint64_t lane) {
  const hn::ScalableTag<float> d;
  const BlockOfLanes<kTerms, kTwoVectors> block(job, lane);
  const uint64_t to = lane - job.lanes.begin;
  for (size_t r = 0; r < rows.count; ++r) {
    ahead.Ask();
    auto sum = hn::Zero(d);
    for (size_t k = 0; k < kTerms; ++k) {
      sum = AddTerm<kAllTerms>(sum, block.weight[k], block.Term(rows.from[r], k));
    }
    hn::StoreU(sum, d, rows.to[r] + to);
  }
}

// The same for lanes whose terms lie two source lanes apart, as they do where an
// image is made half as large: two vectors fall into their even and odd lanes,
// which are two terms of every lane.
template <size_t kTerms, bool kAllTerms, typename In>
HWY_INLINE void SumEvenAndOdd(const LaneJob& job, const LaneRows<In>& rows, RowsAhead& ahead,
                              uint64_t lane) {
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d);
  const uint64_t at = static_cast<uint64_t>(job.table.first[lane]) - job.window.begin;
  const uint64_t to = lane - job.lanes.begin;
  hn::Vec<decltype(d)> weight[kTerms];
  for (size_t k = 0; k < kTerms; ++k) {
    weight[k] = hn::LoadU(d, job.table.weights.data() + k * job.table.lanes + lane);
  }
  for (size_t r = 0; r < rows.count; ++r) {
    ahead.Ask();
    auto sum = hn::Zero(d);
    for (size_t k = 0; k < kTerms; k += 2) {
      const auto low = LoadFloats(d, rows.from[r] + at + k);
      const auto high = LoadFloats(d, rows.from[r] + at + k + N);
      sum = AddTerm<kAllTerms>(sum, weight[k], hn::ConcatEven(d, high, low));
      if (k + 1 == kTerms) break;
      sum = AddTerm<kAllTerms>(sum, weight[k + 1], hn::ConcatOdd(d, high, low));
    }
    hn::StoreU(sum, d, rows.to[r] + to);
  }
}

template <class D>
HWY_INLINE bool IsEverySecond(D d, const LaneJob& job, size_t terms, uint64_t lane) {
  const hn::RebindToSigned<D> di;
  const int32_t* first = job.table.first.data() + lane;
  const auto place = hn::Sub(hn::LoadU(di, first), hn::Set(di, *first));
  const auto lanes = hn::Iota(di, 0);
  // All of both vectors is read, the second pair's too.
  const uint64_t end = static_cast<uint64_t>(*first) + (terms - 1) / 2 * 2 + 2 * hn::Lanes(d);
  return job.repeat == 1 && hn::AllTrue(di, hn::Eq(place, hn::Add(lanes, lanes))) &&
         static_cast<uint64_t>(*first) >= job.window.begin && end <= job.window.end;
}

// Whether every lane of the block has the most terms.
template <class D>
HWY_INLINE bool HasAllTerms(D d, const LaneTable& table, size_t terms, uint64_t lane) {
  const float* last = table.weights.data() + (terms - 1) * table.lanes + lane;
  return hn::AllTrue(d, hn::Ne(hn::LoadU(d, last), hn::Zero(d)));
}

template <size_t kTerms, bool kTwoVectors, typename In>
HWY_INLINE void LookUpBlocks(const LaneJob& job, const LaneRows<In>& rows, RowsAhead& ahead) {
  const hn::ScalableTag<float> d;
  const uint64_t steps = (job.lanes.size() + hn::Lanes(d) - 1) / hn::Lanes(d) * rows.count;
  ahead.Spread(steps);
  for (uint64_t lane = job.lanes.begin; lane < job.lanes.end; lane += hn::Lanes(d)) {
    const bool all_terms = HasAllTerms(d, job.table, kTerms, lane);
    if constexpr (kTwoVectors) {
      if (IsEverySecond(d, job, kTerms, lane)) {
        if (all_terms) {
          SumEvenAndOdd<kTerms, true>(job, rows, ahead, lane);
        } else {
          SumEvenAndOdd<kTerms, false>(job, rows, ahead, lane);
        }
        continue;
      }
    }
    if (all_terms) {
      LookUpBlock<kTerms, kTwoVectors, true>(job, rows, ahead, lane);
    } else {
      LookUpBlock<kTerms, kTwoVectors, false>(job, rows, ahead, lane);
    }
  }
}

template <bool kTwoVectors, typename In>
HWY_INLINE void LookUpLanes(const LaneJob& job, const LaneRows<In>& rows, RowsAhead& ahead) {
  switch (job.terms.most_terms) {
    case 1:
      return LookUpBlocks<1, kTwoVectors>(job, rows, ahead);
    case 2:
      return LookUpBlocks<2, kTwoVectors>(job, rows, ahead);
    case 3:
      return LookUpBlocks<3, kTwoVectors>(job, rows, ahead);
    default:
      return LookUpBlocks<4, kTwoVectors>(job, rows, ahead);
  }
}

// Source rows of less than a vector are looked up in a copy.
template <typename In>
HWY_INLINE void LookUpShortRows(const LaneJob& job, const LaneRows<In>& rows, RowsAhead& ahead) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> d1;
  const size_t N = hn::Lanes(d);
  HWY_ALIGN float copies[kRowsTogether * hn::MaxLanes(d)] = {};
  const float* from[kRowsTogether];
  for (size_t r = 0; r < rows.count; ++r) {
    float* copy = copies + r * N;
    for (size_t i = 0; i < job.window.size(); ++i) {
      StoreFloats(d1, LoadFloats(d1, rows.from[r] + i), copy + i);
    }
    from[r] = copy;
  }
  LaneJob whole = job;
  whole.window.end = whole.window.begin + N;
  LookUpLanes<false>(whole, LaneRows<float>{from, rows.to, rows.count}, ahead);
}

#endif  // ANYDML_TRANSPOSES

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
