// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Terms that repeat along an axis, as those of whole factors do: target c has a
// term at each of a few places that follow from c alone, with weights that only
// the two targets at the ends have of their own.
#pragma once

#include <cstdint>

#include "tensor/taps.h"

namespace anydml {

struct TermTable;

enum class TermPattern : uint8_t {
  kNone,
  kPairs,        // 2c, 2c + 1
  kPairsAround,  // 2c - 1 to 2c + 2
  kFours,        // 4c to 4c + 3
  kFoursAround,  // 4c - 2 to 4c + 5
  kHalf,         // c / 2, or none, by the parity of c
  kHalfAround,   // (c + 1) / 2 - 1 and the next one
};

struct TermPlaces {
  int sources, targets;  // of the repeated piece
  int terms;
  int begin;  // of the first target's terms
  int shift;  // of the targets against the pieces

  // So many targets after one another differ.
  constexpr int Phases() const { return targets; }
  constexpr int64_t Place(int64_t target, int term) const {
    return (target + shift) / targets * sources + begin + term;
  }
};

constexpr TermPlaces PlacesOf(TermPattern pattern) {
  switch (pattern) {
    case TermPattern::kPairs:
      return {2, 1, 2, 0, 0};
    case TermPattern::kPairsAround:
      return {2, 1, 4, -1, 0};
    case TermPattern::kFours:
      return {4, 1, 4, 0, 0};
    case TermPattern::kFoursAround:
      return {4, 1, 8, -2, 0};
    case TermPattern::kHalf:
      return {1, 2, 1, 0, 0};
    case TermPattern::kHalfAround:
      return {1, 2, 2, -1, 1};
    default:
      return {1, 1, 0, 0, 0};
  }
}

// Weights of the first target, of those between, by their phase, and of the last
// one. A place outside the sources has weight 0, and so has no term.
struct RepeatedTerms {
  static constexpr int kMaxTerms = 8, kMaxPhases = 2;

  TermPattern pattern = TermPattern::kNone;
  float first[kMaxTerms] = {};
  float between[kMaxPhases][kMaxTerms] = {};
  float last[kMaxTerms] = {};
};

// kNone where the terms have no pattern, or the sizes are not those of the factor.
RepeatedTerms FindPattern(const TermTable& table, uint64_t source_size);

// The same for an axis without a table; not worth a try where sizes say no.
RepeatedTerms FindPattern(const TapAxis& axis, bool transposed);
bool MayHavePattern(const TapAxis& axis);

}  // namespace anydml
