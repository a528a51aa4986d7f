// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Weighted sums within rows: every lane of a target row is a sum of neighbouring
// lanes of its source row. Included once per instruction set.
//
// Lanes that read few source lanes look their terms up (lane_lookup-inl.h).
// Otherwise a square of rows is transposed, so that the sum becomes one of whole
// vectors, and transposed back.

#if defined(ANYDML_KERNELS_RESAMPLE_CPU_LANE_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_RESAMPLE_CPU_LANE_SUMS_INL_H_
#undef ANYDML_KERNELS_RESAMPLE_CPU_LANE_SUMS_INL_H_
#else
#define ANYDML_KERNELS_RESAMPLE_CPU_LANE_SUMS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "backends/cpu/float16-inl.h"
#include "backends/cpu/integers-inl.h"
#include "backends/cpu/transpose-inl.h"
#include "kernels/resample/cpu/lane_lookup-inl.h"
#include "kernels/resample/cpu/row_boxes.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Floats for the transposed rows.
inline constexpr size_t kColumnFloats = kMostColumns * LaneTable::kMostLanesOfAVector;

#if ANYDML_TRANSPOSES

// The lane of every row of a transposed square.
template <class D>
HWY_INLINE hn::Vec<D> SumOfColumns(D d, const LaneJob& job, const float* columns, uint64_t lane) {
  auto sum = hn::Zero(d);
  if (lane >= job.lanes.end) return sum;
  // Almost always 1, and a division costs more than the sum.
  const uint64_t target = job.repeat == 1 ? lane : lane / job.repeat;
  const uint64_t offset = job.repeat == 1 ? 0 : lane % job.repeat;
  const Term* end = job.terms.terms.data() + job.terms.begin[target + 1];
  for (const Term* term = job.terms.terms.data() + job.terms.begin[target]; term != end; ++term) {
    const uint64_t column = term->source * job.repeat + offset - job.window.begin;
    const auto value = hn::Load(d, columns + column * hn::Lanes(d));
    sum = hn::Add(sum, hn::Mul(hn::Set(d, term->weight), value));
  }
  return sum;
}

// At most as many rows as a vector has lanes, of at least as many lanes. Missing
// rows repeat the last one.
template <typename In>
HWY_INLINE void SumTransposed(const LaneJob& job, const LaneRows<In>& rows, RowsAhead& ahead,
                              float* columns) {
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d);
  const auto row = [&](size_t r) { return std::min(r, rows.count - 1); };
  const uint64_t last = job.window.size() - N;
  ahead.Spread((job.window.size() + job.lanes.size()) / N);
  for (uint64_t i = 0; i < last + N; i += N) {
    const uint64_t begin = std::min(i, last);
    ahead.Ask();
    TransposeSquare(
        d, [&](size_t r) HWY_ATTR { return LoadFloats(d, rows.from[row(r)] + begin); },
        [&](size_t c, auto v) HWY_ATTR { hn::Store(v, d, columns + (begin + c) * N); });
  }
  for (uint64_t lane = job.lanes.begin; lane < job.lanes.end; lane += N) {
    ahead.Ask();
    TransposeSquare(
        d, [&](size_t i) HWY_ATTR { return SumOfColumns(d, job, columns, lane + i); },
        [&](size_t r, auto v)
            HWY_ATTR { hn::StoreU(v, d, rows.to[row(r)] + (lane - job.lanes.begin)); });
  }
}

#endif  // ANYDML_TRANSPOSES

// Any terms, row by row.
template <typename In>
HWY_INLINE void SumLaneByLane(const LaneJob& job, const LaneRows<In>& rows) {
  const hn::CappedTag<float, 1> d1;
  for (size_t r = 0; r < rows.count; ++r) {
    for (uint64_t lane = job.lanes.begin; lane < job.lanes.end; ++lane) {
      const uint64_t target = lane / job.repeat;
      const In* from = rows.from[r] + lane % job.repeat - job.window.begin;
      float sum = 0;
      for (uint32_t k = job.terms.begin[target]; k < job.terms.begin[target + 1]; ++k) {
        const Term term = job.terms.terms[k];
        sum += term.weight * hn::GetLane(LoadFloats(d1, from + term.source * job.repeat));
      }
      rows.to[r][lane - job.lanes.begin] = sum;
    }
    const uint64_t size = job.lanes.size();
    std::fill(rows.to[r] + size, rows.to[r] + PitchOf(size, true), 0.0f);
  }
}

// At most kRowsTogether rows.
template <typename In>
HWY_NOINLINE void SumLanes(const LaneJob& job, const LaneRows<In>& rows, RowsAhead& ahead,
                           float* columns) {
#if ANYDML_TRANSPOSES
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d);
  const size_t size_of_vector = N <= 4 ? 0 : N <= 8 ? 1 : 2;
  const uint64_t spread = job.table.present() ? job.table.spread[size_of_vector] : 2 * N;
  if (job.table.present() && job.window.size() < N) return LookUpShortRows(job, rows, ahead);
  if (spread < N) return LookUpLanes<false>(job, rows, ahead);
  if (spread < 2 * N) return LookUpLanes<true>(job, rows, ahead);
  const bool fits = job.window.size() >= N && job.window.size() * N <= kColumnFloats;
  if (fits && rows.count > N / 4) {
    for (size_t r = 0; r < rows.count; r += N) {
      SumTransposed(job, LaneRows<In>{rows.from + r, rows.to + r, std::min(N, rows.count - r)},
                    ahead, columns);
    }
    return;
  }
#else
  (void)ahead, (void)columns;
#endif
  SumLaneByLane(job, rows);
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
