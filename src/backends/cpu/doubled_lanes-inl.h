// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Weighted sums within a row of twice as many target as source lanes whose terms repeat
// (TermPattern::kHalf, kHalfAround): half a vector of sources, looked up twice, makes a
// vector of targets. Included once per instruction set.

#if defined(ANYDML_BACKENDS_CPU_DOUBLED_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_BACKENDS_CPU_DOUBLED_LANES_INL_H_
#undef ANYDML_BACKENDS_CPU_DOUBLED_LANES_INL_H_
#else
#define ANYDML_BACKENDS_CPU_DOUBLED_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "backends/cpu/lane_grid-inl.h"
#include "tensor/term_pattern.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ANYDML_TRANSPOSES

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
  // the row. The row's last vector may overlap the one before it.
  template <typename In, typename Out>
  HWY_INLINE void Sum(const In* from, uint64_t begin, uint64_t end, Out* to) const {
    const uint64_t last = targets_ - kLanes;
    uint64_t c = begin;
    if (c == 0) {
      SumBlock<false>(from, 0, first_, to);
      c = kLanes;
    }
    for (; c + 2 * kLanes <= std::min(end + kLanes, targets_); c += kLanes) {
      SumBlock<true>(from, c, between_, to + (c - begin));
    }
    for (; c < std::min(end, last); c += kLanes) {
      SumBlock<false>(from, c, between_, to + (c - begin));
    }
    if (end == targets_) SumBlock<false>(from, last, last_, to + (last - begin));
  }

 private:
  using D = hn::ScalableTag<float>;
  static constexpr TermPlaces kPlaces = PlacesOf(kPattern);
  static constexpr size_t kTerms = kPlaces.terms;
  static constexpr size_t kLanes = hn::MaxLanes(D());

  // kInside: the vector at the first source lies in the row, and no term beyond it.
  template <bool kInside, typename In, typename Out>
  HWY_INLINE void SumBlock(const In* from, uint64_t c, const float* weights, Out* to) const {
    const D d;
    const hn::RebindToSigned<D> di;
    const int64_t at = kPlaces.Place(static_cast<int64_t>(c), 0);
    hn::Vec<D> values;
    if constexpr (kInside) {
      values = LoadFloats(d, from + at);
    } else {
      values = LoadAtEnd(d, SourceRow<In>{from, sources_, 0, 0}, at);
    }
    const auto first = hn::ShiftRight<1>(hn::Iota(di, kPlaces.shift));
    auto sum = hn::Zero(d);
    for (size_t k = 0; k < kTerms; ++k) {
      const auto index = hn::Add(first, hn::Set(di, static_cast<int32_t>(k)));
      const auto value = hn::TableLookupLanes(values, hn::IndicesFromVec(d, index));
      sum = AddTerm < kInside && kTerms == 2 > (sum, hn::Load(d, weights + k * kLanes), value);
    }
    StoreFloats(d, sum, to);
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
