// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Weighted sums within one row after the other, all terms of whose blocks of lanes lie
// in a window of one or two vectors: a block loads its window once and looks every term
// up in it. Included once per instruction set.

#if defined(ANYDML_KERNELS_RESAMPLE_CPU_LANE_WINDOW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_RESAMPLE_CPU_LANE_WINDOW_INL_H_
#undef ANYDML_KERNELS_RESAMPLE_CPU_LANE_WINDOW_INL_H_
#else
#define ANYDML_KERNELS_RESAMPLE_CPU_LANE_WINDOW_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "kernels/resample/cpu/lane_table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ANYDML_LOOKS_UP_ROWS

// For source rows of at least kVectors vectors. LaneTable::window says how many a
// window needs.
template <size_t kTerms, size_t kVectors>
class WindowLanes {
 public:
  WindowLanes(const AxisSumsTables& tables, const RowNest& nest) : table_(tables.lanes) {
    const auto last = static_cast<int32_t>(nest.source_lanes - kVectors * kLanes);
    for (uint64_t lane = 0; lane < table_.lanes; lane += kLanes) Prepare(lane, last);
  }

  // Several rows at once, with indices and weights in registers, would read several
  // places of memory at once, which costs more than it saves.
  template <typename In>
  HWY_INLINE void Sum(const SourceRow<In>& row, float* to) const {
    const Block* block = blocks_;
    for (uint64_t lane = 0; lane < table_.lanes; lane += kLanes, ++block) {
      if (block->complete) {
        SumBlock<true>(row.from + block->begin, lane, to);
      } else {
        SumBlock<false>(row.from + block->begin, lane, to);
      }
    }
  }

 private:
  using D = hn::ScalableTag<float>;
  using DI = hn::RebindToSigned<D>;
  static constexpr size_t kLanes = hn::MaxLanes(D());

  struct Block {
    int32_t begin;  // of its window
    bool complete;  // no term is missing
  };

  void Prepare(uint64_t lane, int32_t last) {
    Block& block = blocks_[lane / kLanes];
    block = {std::min(table_.first[lane], last), true};
    for (size_t i = 0; i < kLanes; ++i) {
      first_[lane + i] = table_.first[lane + i] - block.begin;
      for (size_t k = 0; k < kTerms; ++k) {
        block.complete = block.complete && table_.weights[k * table_.lanes + lane + i] != 0;
      }
    }
  }

  template <bool kComplete, typename In>
  HWY_INLINE void SumBlock(const In* from, uint64_t lane, float* to) const {
    const D d;
    const DI di;
    AskAhead<kVectors * kLanes * sizeof(In)>(from);
    const auto low = LoadFloats(d, from);
    auto high = low;
    if constexpr (kVectors == 2) high = LoadFloats(d, from + kLanes);
    const auto first = hn::Load(di, first_ + lane);
    auto sum = hn::Zero(d);
    for (size_t k = 0; k < kTerms; ++k) {
      const auto weight = hn::LoadU(d, table_.weights.data() + k * table_.lanes + lane);
      const auto value = LookUp(low, high, hn::Add(first, hn::Set(di, static_cast<int32_t>(k))));
      sum = AddTerm<kComplete>(sum, weight, value);
    }
    hn::StoreU(sum, d, to + lane);
  }

  // The index of a missing term may lie anywhere.
  static HWY_INLINE hn::Vec<D> LookUp(hn::Vec<D> low, hn::Vec<D> high, hn::Vec<DI> index) {
    const D d;
    if constexpr (kVectors == 2) return LookUpInTwo(d, low, high, index);
    const auto in_vector = hn::Set(DI(), static_cast<int32_t>(kLanes) - 1);
    return hn::TableLookupLanes(low, hn::IndicesFromVec(d, hn::And(index, in_vector)));
  }

  const LaneTable& table_;
  Block blocks_[kMostPreparedLanes / kLanes];
  alignas(64) int32_t first_[kMostPreparedLanes];
};

#endif  // ANYDML_LOOKS_UP_ROWS

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
