// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Weighted sums within a row of twice as many target as source lanes whose terms repeat
// (TermPattern::kHalf, kHalfAround): half a vector of sources, looked up twice, makes a
// vector of targets. Included once per instruction set.

#if defined(ANYDML_KERNELS_RESAMPLE_CPU_DOUBLED_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_RESAMPLE_CPU_DOUBLED_LANES_INL_H_
#undef ANYDML_KERNELS_RESAMPLE_CPU_DOUBLED_LANES_INL_H_
#else
#define ANYDML_KERNELS_RESAMPLE_CPU_DOUBLED_LANES_INL_H_
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

// What becomes of the sums before they are stored: nothing, or the sums of an axis
// outside with a single term.
struct AsTheyAre {
  template <class V>
  HWY_INLINE V operator()(V sum) const {
    return sum;
  }
};
struct TimesWeight {
  float weight;
  template <class V>
  HWY_INLINE V operator()(V sum) const {
    const hn::DFromV<V> d;
    return hn::Add(hn::Zero(d), hn::Mul(hn::Set(d, weight), sum));
  }
};

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
  template <typename In, typename Out, class Finish = AsTheyAre>
  HWY_INLINE void Sum(const In* from, uint64_t begin, uint64_t end, Out* to,
                      const Finish& finish = {}) const {
    const uint64_t last = targets_ - kLanes;
    uint64_t c = begin;
    if (c == 0) {
      SumBlock<false>(from, 0, first_, to, finish);
      c = kLanes;
    }
    for (; c + 2 * kLanes <= std::min(end + kLanes, targets_); c += kLanes) {
      SumBlock<true>(from, c, between_, to + (c - begin), finish);
    }
    if (end == targets_) SumBlock<false>(from, last, last_, to + (last - begin), finish);
    if (c < std::min(end, last)) SumBlock<false>(from, c, between_, to + (c - begin), finish);
  }

 private:
  using D = hn::ScalableTag<float>;
  static constexpr TermPlaces kPlaces = PlacesOf(kPattern);
  static constexpr size_t kTerms = kPlaces.terms;
  static constexpr int64_t kLanes = hn::MaxLanes(D());

  // kInside: the vector at the first source lies in the row, and no term beyond it.
  template <bool kInside, typename In, typename Out, class Finish>
  HWY_INLINE void SumBlock(const In* from, uint64_t c, const float* weights, Out* to,
                           const Finish& finish) const {
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
      sum = AddTerm < kInside && kTerms == 2 > (sum, hn::Load(d, weights + k * kLanes), value);
    }
    StoreFloats(d, finish(sum), to);
  }

  const uint64_t targets_;
  const int64_t sources_;
  alignas(64) float first_[kTerms * kLanes], between_[kTerms * kLanes], last_[kTerms * kLanes];
};

// Calls body with the DoubledLanes of these terms as a type; false if there are none.
template <class Body>
HWY_INLINE bool WithDoubledLanes(const RepeatedTerms& terms, const Body& body) {
  switch (terms.pattern) {
    case TermPattern::kHalf:
      return body.template operator()<DoubledLanes<TermPattern::kHalf>>();
    case TermPattern::kHalfAround:
      return body.template operator()<DoubledLanes<TermPattern::kHalfAround>>();
    default:
      return false;
  }
}

#endif  // ANYDML_TRANSPOSES

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
