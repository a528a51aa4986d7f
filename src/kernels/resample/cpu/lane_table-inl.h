// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Weighted sums within one row after the other whose lanes read few source lanes
// each, anywhere (LaneTable): where to look is worked out once per thread and
// stays in the nearest cache. Included once per instruction set.

#if defined(ANYDML_KERNELS_RESAMPLE_CPU_LANE_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_RESAMPLE_CPU_LANE_TABLE_INL_H_
#undef ANYDML_KERNELS_RESAMPLE_CPU_LANE_TABLE_INL_H_
#else
#define ANYDML_KERNELS_RESAMPLE_CPU_LANE_TABLE_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "kernels/resample/cpu/lane_lookup-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Look-ups in vectors of eight lanes and more are single instructions.
#define ANYDML_LOOKS_UP_ROWS (ANYDML_TRANSPOSES && HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2)
#if ANYDML_LOOKS_UP_ROWS

// Lane i of the two vectors side by side, for every i of `index`.
template <class D, class VI>
HWY_INLINE hn::Vec<D> LookUpInTwo(D d, hn::Vec<D> low, hn::Vec<D> high, VI index) {
#if HWY_TARGET <= HWY_AVX3
  (void)d;
  return hn::Vec<D>{_mm512_permutex2var_ps(low.raw, index.raw, high.raw)};
#else
  // The instruction reads the low bits of an index alone.
  const hn::RebindToSigned<D> di;
  const auto in_vector = hn::Set(di, static_cast<int32_t>(hn::Lanes(d)) - 1);
  const auto indices = hn::IndicesFromVec(d, hn::And(index, in_vector));
  return hn::IfThenElse(hn::RebindMask(d, hn::Gt(index, in_vector)),
                        hn::TableLookupLanes(high, indices), hn::TableLookupLanes(low, indices));
#endif
}

template <size_t kTerms>
class TableLanes {
 public:
  TableLanes(const AxisSumsTables& tables, const RowNest& nest) : table_(tables.lanes) {
    const auto last = static_cast<int64_t>(nest.source_lanes - hn::Lanes(D()));
    for (uint64_t lane = 0; lane < table_.lanes; lane += hn::Lanes(D())) Prepare(lane, last);
  }

  template <typename In>
  HWY_INLINE void Sum(const SourceRow<In>& row, float* to) const {
    const Block* block = blocks_;
    for (uint64_t lane = 0; lane < table_.lanes; lane += hn::Lanes(D()), ++block) {
      if (block->complete) {
        SumBlock<true>(*block, row.from, lane, to);
      } else {
        SumBlock<false>(*block, row.from, lane, to);
      }
    }
  }

 private:
  using D = hn::ScalableTag<float>;
  using DI = hn::RebindToSigned<D>;
  static constexpr size_t kLanes = hn::MaxLanes(D());

  struct Block {
    int32_t low[kTerms], high[kTerms];  // where both vectors of a term begin
    bool complete;                      // no term is missing
  };

  void Prepare(uint64_t lane, int64_t last) {
    constexpr auto N = static_cast<int64_t>(kLanes);
    Block& block = blocks_[lane / kLanes];
    const int32_t* first = table_.first.data() + lane;
    block.complete = true;
    for (size_t k = 0; k < kTerms; ++k) {
      const auto step = static_cast<int64_t>(k);
      const int64_t low = std::min(*first + step, last), high = std::min(low + N, last);
      block.low[k] = static_cast<int32_t>(low);
      block.high[k] = static_cast<int32_t>(high);
      for (size_t i = 0; i < kLanes; ++i) {
        const int64_t source = first[i] + step, place = source - low;
        // That of a missing term may lie anywhere.
        const int64_t index = place < N ? place : N + (source - high);
        indices_[k * table_.lanes + lane + i] = static_cast<int32_t>(index & (2 * N - 1));
        block.complete = block.complete && table_.weights[k * table_.lanes + lane + i] != 0;
      }
    }
  }

  template <bool kComplete, typename In>
  HWY_INLINE void SumBlock(const Block& block, const In* from, uint64_t lane, float* to) const {
    const D d;
    auto sum = hn::Zero(d);
    for (size_t k = 0; k < kTerms; ++k) {
      const uint64_t at = k * table_.lanes + lane;
      const auto value =
          LookUpInTwo(d, LoadFloats(d, from + block.low[k]), LoadFloats(d, from + block.high[k]),
                      hn::Load(DI(), indices_ + at));
      sum = AddTerm<kComplete>(sum, hn::LoadU(d, table_.weights.data() + at), value);
    }
    hn::StoreU(sum, d, to + lane);
  }

  const LaneTable& table_;
  Block blocks_[kMostPreparedLanes / kLanes];
  alignas(64) int32_t indices_[kTerms * kMostPreparedLanes];
};

#endif  // ANYDML_LOOKS_UP_ROWS

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
