// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Weighted sums within one row whose terms lie on an even grid (LaneGrid): vectors
// of neighbouring source lanes fall into every second or every fourth lane, which
// are the terms. Included once per instruction set.

#if defined(ANYDML_KERNELS_RESAMPLE_CPU_LANE_GRID_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_RESAMPLE_CPU_LANE_GRID_INL_H_
#undef ANYDML_KERNELS_RESAMPLE_CPU_LANE_GRID_INL_H_
#else
#define ANYDML_KERNELS_RESAMPLE_CPU_LANE_GRID_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "kernels/resample/cpu/lane_lookup-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ANYDML_TRANSPOSES

// A vector of source lanes that need not all exist; those that do not are
// arbitrary. A row has at least one vector of lanes.
template <class D, typename In>
HWY_INLINE hn::Vec<D> LoadAtEnd(D d, const SourceRow<In>& row, int64_t at) {
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const int64_t inside = std::clamp<int64_t>(at, 0, row.lanes - N);
  const auto values = LoadFloats(d, row.from + inside);
  if (inside == at) return values;
  const hn::RebindToSigned<D> di;
  const auto shift = hn::Set(di, static_cast<int32_t>(std::clamp(at - inside, -N, N)));
  const auto lane = hn::Add(hn::Iota(di, 0), shift);
  const auto last = hn::Set(di, static_cast<int32_t>(N - 1));
  const auto known = hn::Min(hn::Max(lane, hn::Zero(di)), last);
  return hn::TableLookupLanes(values, hn::IndicesFromVec(d, known));
}

// The next kStep terms of a block: kStep vectors from load(0), load(1), ...
template <size_t kStep, class D, class Load, class Add>
HWY_INLINE void SplitTerms(D d, const Load& load, const Add& add) {
  const auto v0 = load(0), v1 = load(1);
  const auto even = hn::ConcatEven(d, v1, v0), odd = hn::ConcatOdd(d, v1, v0);
  if constexpr (kStep == 2) {
    add(0, even);
    add(1, odd);
  } else {
    const auto v2 = load(2), v3 = load(3);
    const auto next_even = hn::ConcatEven(d, v3, v2), next_odd = hn::ConcatOdd(d, v3, v2);
    add(0, hn::ConcatEven(d, next_even, even));
    add(1, hn::ConcatEven(d, next_odd, odd));
    add(2, hn::ConcatOdd(d, next_even, even));
    add(3, hn::ConcatOdd(d, next_odd, odd));
  }
}

// kWhole: all that the block loads may be read. kComplete: no term is missing.
template <size_t kStep, size_t kTerms, bool kWhole, bool kComplete, typename In>
HWY_INLINE void SumGridBlock(const LaneGrid& grid, const SourceRow<In>& row, uint64_t lane,
                             float* to) {
  const hn::ScalableTag<float> d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const float* weights = grid.weights.data() + lane;
  const int64_t at = grid.offset + static_cast<int64_t>(lane * kStep);
  auto sum = hn::Zero(d);
  for (size_t k = 0; k < kTerms; k += kStep) {
    SplitTerms<kStep>(
        d,
        [&](int64_t i) HWY_ATTR {
          const int64_t begin = at + static_cast<int64_t>(k) + i * N;
          if constexpr (kWhole) return LoadFloats(d, row.from + begin);
          return LoadAtEnd(d, row, begin);
        },
        [&](size_t i, auto value) HWY_ATTR {
          if (k + i >= kTerms) return;
          const auto weight = hn::LoadU(d, weights + (k + i) * grid.lanes);
          sum = AddTerm<kComplete>(sum, weight, value);
        });
  }
  hn::StoreU(sum, d, to + lane);
}

// Sums of one row after the other. Writes whole vectors.
template <size_t kStep, size_t kTerms>
class GridLanes {
 public:
  GridLanes(const AxisSumsTables& tables, const RowNest&) : grid_(tables.grid) {}

  template <typename In>
  HWY_INLINE void Sum(const SourceRow<In>& row, float* to) const {
    const hn::ScalableTag<float> d;
    const size_t N = hn::Lanes(d);
    constexpr uint64_t kBlock = LaneTable::kMostLanesOfAVector;
    // Places of blocks all of whose source lanes may be read.
    const auto reach = static_cast<int64_t>((kTerms - 1) / kStep * kStep + kStep * N);
    const int64_t first = -row.before - grid_.offset;
    const int64_t last = row.lanes + row.after - grid_.offset - reach;
    for (uint64_t lane = 0; lane < grid_.lanes; lane += N) {
      const auto place = static_cast<int64_t>(lane * kStep);
      if (place < first || place > last) {
        SumGridBlock<kStep, kTerms, false, false>(grid_, row, lane, to);
      } else if (grid_.complete[lane / kBlock] == 0) {
        SumGridBlock<kStep, kTerms, true, false>(grid_, row, lane, to);
      } else {
        SumGridBlock<kStep, kTerms, true, true>(grid_, row, lane, to);
      }
    }
  }

 private:
  const LaneGrid& grid_;
};

#endif  // ANYDML_TRANSPOSES

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
