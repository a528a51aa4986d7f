// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Weighted sums within a row whose terms repeat (tensor/term_pattern.h), two or
// four source lanes per target lane: each source lane is loaded once, falls into
// every second or fourth lane of a vector, and reaches the neighbouring targets by
// a shift. The few weights stay in registers. Included once per instruction set.

#if defined(ANYDML_KERNELS_RESAMPLE_CPU_REPEATED_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_RESAMPLE_CPU_REPEATED_LANES_INL_H_
#undef ANYDML_KERNELS_RESAMPLE_CPU_REPEATED_LANES_INL_H_
#else
#define ANYDML_KERNELS_RESAMPLE_CPU_REPEATED_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "kernels/resample/cpu/lane_lookup-inl.h"
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

// kUnit: every weight is 1. kLast: nothing is summed after these sums, so they
// begin with +0, as B13 says; before another sum the sign of a zero is nothing.
template <TermPattern kPattern, bool kUnit, bool kLast>
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
  template <typename In, typename Out>
  HWY_INLINE void Sum(const In* from, uint64_t begin, uint64_t end, Out* to) const {
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

  template <bool kAsk = true, typename In>
  static HWY_INLINE Sources Split(const In* from, uint64_t target) {
    const D d;
    const In* at = from + target * kStep;
    if constexpr (kAsk) AskAhead<kStep * kLanes * sizeof(In)>(at);
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
  template <typename In>
  HWY_INLINE Sources SplitOrBegin(const In* from, uint64_t target) const {
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
      sum = k == 0 && !kLast ? value : hn::Add(sum, value);
    }
    return sum;
  }

  template <typename In, typename Out>
  HWY_INLINE void SumLastBlock(const In* from, Out* to) const {
    const uint64_t last = targets_ - kLanes;
    const Sources here = Split(from, last);
    const V sum = SumBlock(EndWeights<false>(last_), Before(from, last), here, here);
    StoreFloats(D(), sum, to + last);
  }

  const RepeatedTerms& terms_;
  const uint64_t targets_;
  alignas(64) float first_[kTerms * kLanes], last_[kTerms * kLanes];
};

// Whether all terms have the weight 1.
inline bool AreUnitTerms(const RepeatedTerms& terms) {
  const int count = PlacesOf(terms.pattern).terms;
  const auto unit = [&](const float* weights) {
    return std::count(weights, weights + count, 1.0f) == count;
  };
  return unit(terms.first) && unit(terms.between[0]) && unit(terms.last);
}

// Calls body with the RepeatedLanes of these terms as a type; false if there are
// none, or too few targets.
template <bool kLast, class Body>
HWY_INLINE bool WithRepeatedLanes(const RepeatedTerms& terms, uint64_t targets, const Body& body) {
  using enum TermPattern;
  if (targets <= hn::Lanes(hn::ScalableTag<float>())) return false;
  switch (terms.pattern) {
    case kPairs:
      if (AreUnitTerms(terms))
        return body.template operator()<RepeatedLanes<kPairs, true, kLast>>();
      return body.template operator()<RepeatedLanes<kPairs, false, kLast>>();
    case kFours:
      if (AreUnitTerms(terms))
        return body.template operator()<RepeatedLanes<kFours, true, kLast>>();
      return body.template operator()<RepeatedLanes<kFours, false, kLast>>();
    case kPairsAround:
      return body.template operator()<RepeatedLanes<kPairsAround, false, kLast>>();
    case kFoursAround:
      return body.template operator()<RepeatedLanes<kFoursAround, false, kLast>>();
    default:
      return false;
  }
}

#endif  // ANYDML_TRANSPOSES

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
