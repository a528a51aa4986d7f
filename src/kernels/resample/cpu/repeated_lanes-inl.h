// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Weighted sums within rows of floats whose terms repeat (tensor/term_pattern.h): every
// source is loaded once. Included once per instruction set.

#if defined(ANYDML_KERNELS_RESAMPLE_CPU_REPEATED_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_RESAMPLE_CPU_REPEATED_LANES_INL_H_
#undef ANYDML_KERNELS_RESAMPLE_CPU_REPEATED_LANES_INL_H_
#else
#define ANYDML_KERNELS_RESAMPLE_CPU_REPEATED_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "backends/cpu/transpose-inl.h"
#include "kernels/resample/cpu/weighted_rows-inl.h"
#include "tensor/term_pattern.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ANYDML_TRANSPOSES

// The last lane of `before`, then all but the last of `v`.
template <class D>
HWY_INLINE hn::Vec<D> ShiftUp(D d, hn::Vec<D> v, hn::Vec<D> before) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  (void)d;
  return hn::Vec<D>{_mm512_castsi512_ps(
      _mm512_alignr_epi32(_mm512_castps_si512(v.raw), _mm512_castps_si512(before.raw), 15))};
#else
  constexpr int kBytes = 12;
  if constexpr (hn::MaxLanes(D()) == 4) return hn::CombineShiftRightBytes<kBytes>(d, v, before);
  return hn::CombineShiftRightBytes<kBytes>(d, v, hn::ConcatLowerUpper(d, v, before));
#endif
}

// All but the first lane of `v`, then the first of `after`.
template <class D>
HWY_INLINE hn::Vec<D> ShiftDown(D d, hn::Vec<D> v, hn::Vec<D> after) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  (void)d;
  return hn::Vec<D>{_mm512_castsi512_ps(
      _mm512_alignr_epi32(_mm512_castps_si512(after.raw), _mm512_castps_si512(v.raw), 1))};
#else
  constexpr int kBytes = 4;
  if constexpr (hn::MaxLanes(D()) == 4) return hn::CombineShiftRightBytes<kBytes>(d, after, v);
  return hn::CombineShiftRightBytes<kBytes>(d, hn::ConcatLowerUpper(d, after, v), v);
#endif
}

// Product rounded, then added (B13). A missing term is dropped, not multiplied
// by 0: its source may be infinite. Dropping it as +0 changes nothing, because
// no sum that starts from +0 becomes -0.
template <class V>
HWY_INLINE V AddTerm(V sum, V weight, V value) {
  const hn::DFromV<V> d;
  const auto product = hn::Mul(weight, value);
  return hn::Add(sum, hn::IfThenElseZero(hn::Ne(weight, hn::Zero(d)), product));
}

// Two or four sources to a target. kUnit: every weight is 1.
template <TermPattern kPattern, bool kUnit>
class RepeatedLanes {
 public:
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  static constexpr size_t kLanes = hn::MaxLanes(D());

  // More targets than a vector has lanes.
  RepeatedLanes(const RepeatedTerms& terms, uint64_t targets) : terms_(terms), targets_(targets) {
    for (size_t k = 0; k < kTerms; ++k) {
      std::fill_n(first_ + k * kLanes, kLanes, terms.between[0][k]);
      std::fill_n(last_ + k * kLanes, kLanes, terms.between[0][k]);
      first_[k * kLanes] = terms.first[k];
      last_[(k + 1) * kLanes - 1] = terms.last[k];
    }
  }

  // Targets from `begin` on, which is a multiple of 16; so is `end`, and 16 more
  // targets follow, unless it is that of the row.
  HWY_INLINE void Sum(const float* from, uint64_t begin, uint64_t end, float* to) const {
    const D d;
    const BetweenWeights between(terms_);
    Sources here = Split(from, begin);
    Neighbours before = begin == 0 ? Neighbours() : Before(from, begin);
    uint64_t c = begin;
    V sum;  // of the block at c
    if (c == 0) {
      const Sources next = SplitOrBegin(from, kLanes);
      sum = SumBlock(EndWeights<true>(first_), before, here, next);
      before = here.Last();
      here = next;
    } else {
      const Sources next = Split(from, c + kLanes);
      sum = SumBlock(between, before, here, next);
      before = here.Last();
      here = next;
    }
    for (; c + 3 * kLanes <= targets_ && c + kLanes < end; c += kLanes) {
      StoreFloats(d, sum, to + (c - begin));
      const Sources next = Split(from, c + 2 * kLanes);
      sum = SumBlock(between, before, here, next);
      before = here.Last();
      here = next;
    }
    if (end == targets_) {
      if (c + 2 * kLanes < targets_) {
        StoreFloats(d, sum, to + (c - begin));
        c += kLanes;
        sum = SumBlock(between, before, here, SplitOrBegin(from, c + kLanes));
      }
      // The last block may overlap the one before it, which is stored after it: a
      // reader of whole vectors then finds each of them in a single store.
      SumLastBlock(from, to - begin);
    }
    StoreFloats(d, sum, to + (c - begin));
  }

  class TwoBlocks;  // paired_rows-inl.h

 private:
  static constexpr TermPlaces kPlaces = PlacesOf(kPattern);
  static constexpr size_t kStep = kPlaces.sources, kTerms = kPlaces.terms;
  static constexpr size_t kAround = (kTerms - kStep) / 2;  // terms of a neighbour, on either side
  static constexpr size_t kSome = std::max<size_t>(kAround, 1);

  // The last sources of the targets before.
  struct Neighbours {
    V of[kSome];
    HWY_INLINE Neighbours() {
      for (V& v : of) v = hn::Zero(D());
    }
  };
  // Source k of every target of a block.
  struct Sources {
    V of[kStep];
    HWY_INLINE Neighbours Last() const {
      Neighbours last;
      for (size_t i = 0; i < kAround; ++i) last.of[i] = of[kStep - kAround + i];
      return last;
    }
  };

  struct BetweenWeights {
    V of[kTerms];
    HWY_INLINE explicit BetweenWeights(const RepeatedTerms& terms) {
      for (size_t k = 0; k < kTerms; ++k) of[k] = hn::Set(D(), terms.between[0][k]);
    }
    HWY_INLINE V Times(size_t k, V value) const { return hn::Mul(of[k], value); }
  };
  // Of a block at an end of the row, where the terms of the neighbour beyond it are
  // missing.
  template <bool kFirst>
  struct EndWeights {
    const float* of;
    HWY_INLINE explicit EndWeights(const float* weights) : of(weights) {}
    HWY_INLINE V Times(size_t k, V value) const {
      const D d;
      const V weight = hn::Load(d, of + k * kLanes), product = hn::Mul(weight, value);
      const bool beyond = kFirst ? k < kAround : k >= kAround + kStep;
      if (!beyond) return product;
      return hn::IfThenElseZero(hn::Ne(weight, hn::Zero(d)), product);
    }
  };

  template <typename In>
  static HWY_INLINE V Broadcast(const In* from) {
    const hn::CappedTag<float, 1> d1;
    return hn::Set(D(), hn::GetLane(LoadFloats(d1, from)));
  }

  template <typename In>
  static HWY_INLINE Sources Split(const In* from, uint64_t target) {
    const D d;
    const In* at = from + target * kStep;
    Sources s;
    const V v0 = LoadFloats(d, at), v1 = LoadFloats(d, at + kLanes);
    const V even = hn::ConcatEven(d, v1, v0), odd = hn::ConcatOdd(d, v1, v0);
    if constexpr (kStep == 2) {
      s.of[0] = even;
      s.of[1] = odd;
    } else {
      const V v2 = LoadFloats(d, at + 2 * kLanes), v3 = LoadFloats(d, at + 3 * kLanes);
      const V next_even = hn::ConcatEven(d, v3, v2), next_odd = hn::ConcatOdd(d, v3, v2);
      s.of[0] = hn::ConcatEven(d, next_even, even);
      s.of[1] = hn::ConcatEven(d, next_odd, odd);
      s.of[2] = hn::ConcatOdd(d, next_even, even);
      s.of[3] = hn::ConcatOdd(d, next_odd, odd);
    }
    return s;
  }

  // Where no whole block is left, only what its first target has.
  HWY_INLINE Sources SplitOrBegin(const float* from, uint64_t target) const {
    if (target + kLanes <= targets_) return Split(from, target);
    Sources s;
    for (size_t k = 0; k < kStep; ++k) s.of[k] = Broadcast(from + target * kStep + k);
    return s;
  }

  template <typename In>
  static HWY_INLINE Neighbours Before(const In* from, uint64_t target) {
    Neighbours before;
    for (size_t i = 0; i < kAround; ++i) {
      before.of[i] = Broadcast(from + target * kStep - kAround + i);
    }
    return before;
  }

  template <class Weights>
  static HWY_INLINE V SumBlock(const Weights& weights, const Neighbours& before,
                               const Sources& here, const Sources& next) {
    const D d;
    V sum = hn::Zero(d);
    for (size_t k = 0; k < kTerms; ++k) {
      V value;
      if (k < kAround) {
        value = ShiftUp(d, here.of[kStep - kAround + k], before.of[k]);
      } else if (k < kAround + kStep) {
        value = here.of[k - kAround];
      } else {
        const size_t i = k - kAround - kStep;
        value = ShiftDown(d, here.of[i], next.of[i]);
      }
      if constexpr (!kUnit) value = weights.Times(k, value);
      sum = hn::Add(sum, value);
    }
    return sum;
  }

  HWY_INLINE void SumLastBlock(const float* from, float* to) const {
    const uint64_t last = targets_ - kLanes;
    const Sources here = Split(from, last);
    const V sum = SumBlock(EndWeights<false>(last_), Before(from, last), here, here);
    StoreFloats(D(), sum, to + last);
  }

  const RepeatedTerms& terms_;
  const uint64_t targets_;
  alignas(64) float first_[kTerms * kLanes], last_[kTerms * kLanes];
};

// Two targets to a source: half a vector of sources, looked up twice, makes a vector of
// targets.
template <TermPattern kPattern>
class DoubledLanes {
 public:
  // At least two vectors of targets.
  DoubledLanes(const RepeatedTerms& terms, uint64_t targets)
      : targets_(targets), sources_(static_cast<int64_t>(targets / 2)) {
    for (size_t k = 0; k < kTerms; ++k) {
      for (size_t i = 0; i < kLanes; ++i) {
        const float between = terms.between[i % 2][k];
        between_[k * kLanes + i] = between;
        first_[k * kLanes + i] = i == 0 ? terms.first[k] : between;
        last_[k * kLanes + i] = i + 1 == kLanes ? terms.last[k] : between;
      }
    }
  }

  // Targets from `begin` on, which is a multiple of 16; so is `end`, unless it is that of
  // the row. The row's last vector may overlap the one before it, which is stored after
  // it: a reader of whole vectors then finds each of them in a single store.
  HWY_INLINE void Sum(const float* from, uint64_t begin, uint64_t end, float* to) const {
    const uint64_t last = targets_ - kLanes;
    uint64_t c = begin;
    if (c == 0) {
      SumBlock<false>(from, 0, first_, to);
      c = kLanes;
    }
    for (; c + 2 * kLanes <= std::min(end + kLanes, targets_); c += kLanes) {
      SumBlock<true>(from, c, between_, to + (c - begin));
    }
    if (end == targets_) SumBlock<false>(from, last, last_, to + (last - begin));
    if (c < std::min(end, last)) SumBlock<false>(from, c, between_, to + (c - begin));
  }

 private:
  using D = hn::ScalableTag<float>;
  static constexpr TermPlaces kPlaces = PlacesOf(kPattern);
  static constexpr size_t kTerms = kPlaces.terms;
  static constexpr int64_t kLanes = hn::MaxLanes(D());

  // kInside: the vector at the first source lies in the row, and no term beyond it.
  template <bool kInside>
  HWY_INLINE void SumBlock(const float* from, uint64_t c, const float* weights, float* to) const {
    const D d;
    const hn::RebindToSigned<D> di;
    const int64_t at = kPlaces.Place(static_cast<int64_t>(c), 0);
    const int64_t inside = kInside ? at : std::clamp<int64_t>(at, 0, sources_ - kLanes);
    const auto values = LoadFloats(d, from + inside);
    const auto first = hn::ShiftRight<1>(hn::Iota(di, kPlaces.shift));
    auto sum = hn::Zero(d);
    for (size_t k = 0; k < kTerms; ++k) {
      const auto step = static_cast<int32_t>(k) + static_cast<int32_t>(at - inside);
      // That of a missing term may lie anywhere.
      const auto in_vector = hn::Set(di, static_cast<int32_t>(kLanes) - 1);
      const auto index = hn::And(hn::Add(first, hn::Set(di, step)), in_vector);
      const auto value = hn::TableLookupLanes(values, hn::IndicesFromVec(d, index));
      const auto weight = hn::Load(d, weights + k * kLanes);
      sum = kInside && kTerms == 2 ? hn::Add(sum, hn::Mul(weight, value))
                                   : AddTerm(sum, weight, value);
    }
    StoreFloats(d, sum, to);
  }

  const uint64_t targets_;
  const int64_t sources_;
  alignas(64) float first_[kTerms * kLanes], between_[kTerms * kLanes], last_[kTerms * kLanes];
};

#endif  // ANYDML_TRANSPOSES

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
