// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Weighted sums within a row of floats whose lanes have few terms each (LaneTable): a
// block of lanes loads the window of its terms once and looks every term up in it.
// Included once per instruction set.

#if defined(ANYDML_KERNELS_RESAMPLE_CPU_WINDOW_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_RESAMPLE_CPU_WINDOW_LANES_INL_H_
#undef ANYDML_KERNELS_RESAMPLE_CPU_WINDOW_LANES_INL_H_
#else
#define ANYDML_KERNELS_RESAMPLE_CPU_WINDOW_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "kernels/resample/cpu/prefetch.h"
#include "kernels/resample/cpu/repeated_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ANYDML_TRANSPOSES

// Lane i of the two vectors side by side, for every i of `index`, of which the low bits
// count.
template <class D, class VI>
HWY_INLINE hn::Vec<D> LookUpInTwo(D d, hn::Vec<D> low, hn::Vec<D> high, VI index) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  (void)d;
  return hn::Vec<D>{_mm512_permutex2var_ps(low.raw, index.raw, high.raw)};
#else
  const hn::RebindToSigned<D> di;
  const auto N = static_cast<int32_t>(hn::Lanes(d));
  const auto indices = hn::IndicesFromVec(d, hn::And(index, hn::Set(di, N - 1)));
  const auto in_high = hn::Ne(hn::And(index, hn::Set(di, N)), hn::Zero(di));
  return hn::IfThenElse(hn::RebindMask(d, in_high), hn::TableLookupLanes(high, indices),
                        hn::TableLookupLanes(low, indices));
#endif
}

// kVectors vectors of sources, side by side.
template <size_t kVectors>
struct LaneWindow {
  using D = hn::ScalableTag<float>;
  using DI = hn::RebindToSigned<D>;

  template <typename In>
  HWY_INLINE explicit LaneWindow(const In* from) {
    for (size_t i = 0; i < kVectors; ++i) of[i] = LoadFloats(D(), from + i * hn::Lanes(D()));
  }

  HWY_INLINE hn::Vec<D> LookUp(hn::Vec<DI> index) const {
    const D d;
    const DI di;
    const auto N = static_cast<int32_t>(hn::Lanes(d));
    if constexpr (kVectors == 1) {
      return hn::TableLookupLanes(of[0], hn::IndicesFromVec(d, hn::And(index, hn::Set(di, N - 1))));
    } else if constexpr (kVectors == 2) {
      return LookUpInTwo(d, of[0], of[1], index);
    } else {
      const auto in_high = hn::Ne(hn::And(index, hn::Set(di, 2 * N)), hn::Zero(di));
      return hn::IfThenElse(hn::RebindMask(d, in_high), LookUpInTwo(d, of[2], of[3], index),
                            LookUpInTwo(d, of[0], of[1], index));
    }
  }

  hn::Vec<D> of[kVectors];
};

class WindowLanes {
 public:
  WindowLanes(const AxisSumsTables& tables, const RowNest& nest)
      : table_(tables.lanes),
        repeat_(static_cast<int32_t>(nest.lane_repeat)),
        source_lanes_(static_cast<int32_t>(nest.source_lanes)) {}

  HWY_INLINE void Sum(const float* from, uint64_t begin, uint64_t end, float* to) const {
    // Windows of short rows may end behind them.
    HWY_ALIGN float copy[2 * kMaxWindow] = {};
    int32_t readable = source_lanes_;
    if (source_lanes_ < kMaxWindow) {
      std::memcpy(copy, from, static_cast<size_t>(source_lanes_) * sizeof(float));
      from = copy;
      readable = 2 * kMaxWindow;
    }
    for (uint64_t lane = begin; lane < end; lane += kLanes) {
      // The last block may overlap the one before it.
      if (lane + kLanes > end && end - begin < kLanes) {
        return SumOneByOne(from, lane, end, to + (lane - begin));
      }
      lane = std::min(lane, end - kLanes);
      SumBlock(from, lane, readable, to + (lane - begin));
    }
  }

 private:
  using D = hn::ScalableTag<float>;
  using DI = hn::RebindToSigned<D>;
  static constexpr size_t kLanes = hn::MaxLanes(D());
  static constexpr int32_t kVector = static_cast<int32_t>(kLanes), kMaxWindow = 4 * kVector;

  HWY_INLINE void SumBlock(const float* from, uint64_t lane, int32_t readable, float* to) const {
    const int32_t begin = table_.begin[lane / LaneTable::kGroup];
    const int32_t size = table_.end[(lane + kLanes - 1) / LaneTable::kGroup] - begin;
    if (size <= kVector) {
      SumWindow<1>(from, std::min(begin, readable - kVector), lane, to);
    } else if (size <= 2 * kVector) {
      SumWindow<2>(from, std::min(begin, readable - 2 * kVector), lane, to);
    } else if (size <= 4 * kVector) {
      SumWindow<4>(from, std::min(begin, readable - 4 * kVector), lane, to);
    } else {
      SumOneByOne(from, lane, lane + kLanes, to);
    }
  }

  template <size_t kVectors>
  HWY_INLINE void SumWindow(const float* from, int32_t begin, uint64_t lane, float* to) const {
    const D d;
    const DI di;
    const LaneWindow<kVectors> window(from + begin);
    auto index = hn::Sub(hn::LoadU(di, table_.first.data() + lane), hn::Set(di, begin));
    const float* weights = table_.weights.data() + lane;
    auto sum = hn::Zero(d);
    for (uint32_t k = 0; k < table_.terms; ++k, weights += table_.lanes) {
      sum = AddTerm(sum, hn::LoadU(d, weights), window.LookUp(index));
      index = hn::Add(index, hn::Set(di, repeat_));
    }
    hn::StoreU(sum, d, to);
  }

  HWY_NOINLINE void SumOneByOne(const float* from, uint64_t lane, uint64_t end, float* to) const {
    for (; lane < end; ++lane) {
      float sum = 0;
      for (uint32_t k = 0; k < table_.terms; ++k) {
        const float weight = table_.weights[k * table_.lanes + lane];
        const int32_t source = table_.first[lane] + static_cast<int32_t>(k) * repeat_;
        if (weight != 0) sum += weight * from[source];
      }
      *to++ = sum;
    }
  }

  const LaneTable& table_;
  const int32_t repeat_, source_lanes_;
};

// Lanes and rows of a plane at once, all of whose weights are 1, with at most two terms to
// a lane: only the sum of a target row is stored. Rows of at least 32 sources and 16 targets.
class NearestRows {
 public:
  NearestRows(const AxisSumsTables& tables, const RowNest& nest)
      : lanes_(tables.lanes),
        table_(tables.axes[nest.levels[0].axis]),
        source_lanes_(nest.source_lanes),
        source_stride_(nest.levels[0].source_stride),
        targets_(nest.target_lanes) {}

  // Target row t goes to `to` + t * stride.
  template <typename In, typename Out>
  HWY_INLINE void Sum(const In* source, IndexSpan targets, Out* to, int64_t stride) const {
    for (uint64_t t = targets.begin; t < targets.end; ++t) {
      const uint64_t count = table_.TermCount(t);
      // The terms of a row are rows that follow one another.
      const int64_t row = count == 0 ? 0 : table_.terms[table_.begin[t]].source;
      const In* const from = source + row * source_stride_;
      Out* const target = to + static_cast<int64_t>(t) * stride;
      for (uint64_t k = 0; k < count; ++k) {
        const In* const next = from + static_cast<int64_t>(k) * source_stride_;
        PrefetchAhead(next, source_lanes_ * sizeof(In));
        PrefetchAhead(next + source_lanes_ - 1, 1);
      }
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
    const auto last = static_cast<int32_t>(source_lanes_ - 2 * kLanes);
    for (uint64_t i = 0; i < targets_; i += kLanes) {
      const uint64_t lane = std::min(i, targets_ - kLanes);
      const int32_t* const places = lanes_.first.data() + lane;
      const float* const weights = lanes_.weights.data() + lane;
      const int32_t begin = std::min(*places, last);
      const auto first = hn::Sub(hn::LoadU(di, places), hn::Set(di, begin));
      const auto second = hn::Add(first, hn::Set(di, 1));
      const auto has_first = hn::Ne(hn::LoadU(d, weights), hn::Zero(d));
      auto has_second = hn::Ne(hn::Zero(d), hn::Zero(d));
      if (lanes_.terms == 2) {
        has_second = hn::Ne(hn::LoadU(d, weights + lanes_.lanes), hn::Zero(d));
      }
      const In* at = from + begin;
      V sum = hn::Zero(d);
      for (uint64_t k = 0; k < rows; ++k, at += source_stride_) {
        const LaneWindow<2> window(at);
        const V one = hn::IfThenElseZero(has_first, window.LookUp(first));
        const V two = hn::IfThenElseZero(has_second, window.LookUp(second));
        sum = hn::Add(sum, hn::Add(one, two));
      }
      StoreFloats(d, sum, to + lane);
    }
  }

  const LaneTable& lanes_;
  const TermTable& table_;
  const uint64_t source_lanes_;
  const int64_t source_stride_;
  const uint64_t targets_;
};

#endif  // ANYDML_TRANSPOSES

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
