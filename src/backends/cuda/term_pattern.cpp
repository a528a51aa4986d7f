// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cuda/term_pattern.h"

namespace anydml::cuda {
namespace {

// The weights of one target at the pattern's places; false if a term lies at
// another place, or a place inside the sources has none.
bool WeightsAt(const TermTable& table, const TermPlaces& places, int64_t target,
               int64_t source_size, float (&weights)[RepeatedTerms::kMostTerms]) {
  uint32_t next = table.begin[target];
  const uint32_t end = table.begin[target + 1];
  for (int k = 0; k < places.terms; ++k) {
    const int64_t place = places.Place(target, k);
    const bool found = next < end && table.terms[next].source == place;
    weights[k] = found ? table.terms[next++].weight : 0.0f;
    const bool inside = place >= 0 && place < source_size;
    if (inside && !found && places.terms > 1) return false;
  }
  return next == end;
}

bool Matches(const TermTable& table, const TermPlaces& places, int64_t source_size,
             RepeatedTerms& result) {
  const auto targets = static_cast<int64_t>(table.begin.size() - 1);
  if (source_size * places.targets != targets * places.sources) return false;
  bool known[RepeatedTerms::kMostPhases] = {};
  for (int64_t target = 0; target < targets; ++target) {
    float weights[RepeatedTerms::kMostTerms] = {};
    if (!WeightsAt(table, places, target, source_size, weights)) return false;
    if (target == 0) std::copy_n(weights, RepeatedTerms::kMostTerms, result.first);
    if (target == targets - 1) std::copy_n(weights, RepeatedTerms::kMostTerms, result.last);
    if (target == 0 || target == targets - 1) continue;
    const int64_t phase = target % places.phases;
    float(&between)[RepeatedTerms::kMostTerms] = result.between[phase];
    if (!known[phase]) std::copy_n(weights, RepeatedTerms::kMostTerms, between);
    known[phase] = true;
    if (!std::equal(weights, weights + places.terms, between)) return false;
  }
  return true;
}

}  // namespace

RepeatedTerms FindPattern(const TermTable& table, uint64_t source_size) {
  using enum TermPattern;
  for (TermPattern pattern : {kPairs, kPairsAround, kFours, kFoursAround, kHalf, kHalfAround}) {
    RepeatedTerms result;
    result.pattern = pattern;
    if (Matches(table, PlacesOf(pattern), static_cast<int64_t>(source_size), result)) return result;
  }
  return {};
}

}  // namespace anydml::cuda
