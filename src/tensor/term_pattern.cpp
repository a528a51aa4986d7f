// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "tensor/term_pattern.h"

#include <algorithm>
#include <span>

#include "tensor/axis_sums.h"

namespace anydml {
namespace {

// Longer axes would take too long to look at.
constexpr uint64_t kMaxPatternElements = uint64_t{1} << 24;

// The terms of ascending targets, from a table.
class TableTerms {
 public:
  explicit TableTerms(const TermTable& table) : table_(table) {}
  uint64_t targets() const { return table_.begin.size() - 1; }
  std::span<const Term> At(uint64_t target) const {
    return {table_.terms.data() + table_.begin[target], table_.TermCount(target)};
  }

 private:
  const TermTable& table_;
};

// The same, evaluated. A pattern has few terms: the rest is left out.
class EvaluatedTerms {
 public:
  EvaluatedTerms(const TapAxis& axis, bool transposed) : axis_(axis), transposed_(transposed) {}
  uint64_t targets() const { return transposed_ ? axis_.pixel_count : axis_.sample_count; }

  std::span<const Term> At(uint64_t target) {
    count_ = 0;
    if (!transposed_) {
      const Taps taps = TapsOf(axis_, target);
      Add(taps.pixel, taps.weight);
      Add(taps.pixel + 1, taps.next_weight);
    } else {
      while (first_ < axis_.sample_count && TapsAt(first_).pixel + uint64_t{1} < target) ++first_;
      for (uint64_t sample = first_; sample < axis_.sample_count && count_ < kMax; ++sample) {
        const Taps& taps = TapsAt(sample);
        if (taps.pixel > target) break;
        Add(static_cast<uint32_t>(sample), taps.pixel == target ? taps.weight : taps.next_weight);
      }
    }
    return {terms_, count_};
  }

 private:
  static constexpr size_t kMax = RepeatedTerms::kMaxTerms + 1;
  static constexpr size_t kTaps = 32;

  // Each is evaluated once. A pattern does not look back far; what has more terms
  // is given up before.
  const Taps& TapsAt(uint64_t sample) {
    for (; evaluated_ <= sample; ++evaluated_) {
      taps_[evaluated_ % kTaps] = TapsOf(axis_, evaluated_);
    }
    return taps_[sample % kTaps];
  }

  void Add(uint32_t source, float weight) {
    if (weight != 0) terms_[count_++] = {source, weight};
  }

  const TapAxis& axis_;
  bool transposed_;
  uint64_t first_ = 0;      // sample that may name the target
  uint64_t evaluated_ = 0;  // samples; the last ones are known
  Taps taps_[kTaps] = {};
  size_t count_ = 0;
  Term terms_[kMax] = {};
};

// The weights of one target at the pattern's places; false if a term lies at
// another place, or a place inside the sources has none.
bool WeightsAt(std::span<const Term> terms, const TermPlaces& places, int64_t target,
               int64_t source_size, float (&weights)[RepeatedTerms::kMaxTerms]) {
  size_t next = 0;
  for (int k = 0; k < places.terms; ++k) {
    const int64_t place = places.Place(target, k);
    const bool found = next < terms.size() && terms[next].source == place;
    weights[k] = found ? terms[next++].weight : 0.0f;
    const bool inside = place >= 0 && place < source_size;
    if (inside && !found && places.terms > 1) return false;
  }
  return next == terms.size();
}

template <class Terms>
bool Matches(Terms terms, const TermPlaces& places, int64_t source_size, RepeatedTerms& result) {
  const auto targets = static_cast<int64_t>(terms.targets());
  if (source_size * places.targets != targets * places.sources) return false;
  bool known[RepeatedTerms::kMaxPhases] = {};
  for (int64_t target = 0; target < targets; ++target) {
    float weights[RepeatedTerms::kMaxTerms] = {};
    if (!WeightsAt(terms.At(target), places, target, source_size, weights)) return false;
    if (target == 0) std::copy_n(weights, RepeatedTerms::kMaxTerms, result.first);
    if (target == targets - 1) std::copy_n(weights, RepeatedTerms::kMaxTerms, result.last);
    if (target == 0 || target == targets - 1) continue;
    const int64_t phase = target % places.Phases();
    float(&between)[RepeatedTerms::kMaxTerms] = result.between[phase];
    if (!known[phase]) std::copy_n(weights, RepeatedTerms::kMaxTerms, between);
    known[phase] = true;
    if (!std::equal(weights, weights + places.terms, between)) return false;
  }
  return true;
}

template <class Terms>
RepeatedTerms FindIn(const Terms& terms, uint64_t source_size) {
  using enum TermPattern;
  for (TermPattern pattern : {kPairs, kPairsAround, kFours, kFoursAround, kHalf, kHalfAround}) {
    RepeatedTerms result;
    result.pattern = pattern;
    if (Matches(terms, PlacesOf(pattern), static_cast<int64_t>(source_size), result)) return result;
  }
  return {};
}

}  // namespace

RepeatedTerms FindPattern(const TermTable& table, uint64_t source_size) {
  return FindIn(TableTerms(table), source_size);
}

RepeatedTerms FindPattern(const TapAxis& axis, bool transposed) {
  return FindIn(EvaluatedTerms(axis, transposed),
                transposed ? axis.sample_count : axis.pixel_count);
}

bool MayHavePattern(const TapAxis& axis) {
  const uint64_t less = std::min(axis.pixel_count, axis.sample_count);
  const uint64_t more = std::max(axis.pixel_count, axis.sample_count);
  return more <= kMaxPatternElements && (more == 2 * less || more == 4 * less);
}

}  // namespace anydml
