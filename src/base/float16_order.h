// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Comparison of halves with a constant as a comparison of integers: a vector of
// halves is compared in its own lanes, without a conversion. The vector twins
// live in backends/cpu/float16-inl.h.
#pragma once

#include <cstdint>
#include <limits>

#include "base/float16.h"

namespace anydml {

// Ascends with the value: -infinity is -0x7C01, -0.0 is -1, +0.0 is 0, infinity
// is 0x7C00. A NaN lies outside of these, on the side of its sign.
constexpr int16_t HalfKey(Float16 half) {
  const auto bits = static_cast<int16_t>(half.bits);
  return static_cast<int16_t>(bits < 0 ? bits ^ 0x7FFF : bits);
}

// The keys of the halves that compare true with a constant: those strictly
// between the two numbers. A NaN, on either side, is in no range.
struct HalfKeyRange {
  int16_t after;
  int16_t before;

  constexpr bool Contains(int16_t key) const { return after < key && key < before; }
};

namespace internal {
inline constexpr int16_t kBeforeAll = -0x7C02;  // one less than the key of -infinity
inline constexpr int16_t kAfterAll = 0x7C01;    // one more than the key of infinity
inline constexpr HalfKeyRange kNoKeys = {std::numeric_limits<int16_t>::max(),
                                         std::numeric_limits<int16_t>::min()};

constexpr bool IsNan(Float16 half) { return (half.bits & 0x7FFF) > 0x7C00; }

// The zeros are equal but have two keys: the least and the greatest key of what
// equals `half`.
constexpr int16_t LeastKey(Float16 half) {
  return half.bits == 0 ? HalfKey({0x8000}) : HalfKey(half);
}
constexpr int16_t GreatestKey(Float16 half) {
  return half.bits == 0x8000 ? HalfKey({0}) : HalfKey(half);
}
}  // namespace internal

constexpr HalfKeyRange HalfKeysLess(Float16 bound) {
  if (internal::IsNan(bound)) return internal::kNoKeys;
  return {internal::kBeforeAll, internal::LeastKey(bound)};
}
constexpr HalfKeyRange HalfKeysLessOrEqual(Float16 bound) {
  if (internal::IsNan(bound)) return internal::kNoKeys;
  return {internal::kBeforeAll, static_cast<int16_t>(internal::GreatestKey(bound) + 1)};
}
constexpr HalfKeyRange HalfKeysGreater(Float16 bound) {
  if (internal::IsNan(bound)) return internal::kNoKeys;
  return {internal::GreatestKey(bound), internal::kAfterAll};
}
constexpr HalfKeyRange HalfKeysGreaterOrEqual(Float16 bound) {
  if (internal::IsNan(bound)) return internal::kNoKeys;
  return {static_cast<int16_t>(internal::LeastKey(bound) - 1), internal::kAfterAll};
}

}  // namespace anydml
