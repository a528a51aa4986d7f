// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// 64-bit arithmetic that says when it wraps. Every size in the library is
// computed through these functions, once, when an operator is created.
#pragma once

#include <cstdint>
#include <optional>

namespace anydml {

inline std::optional<uint64_t> CheckedAdd(std::optional<uint64_t> a, std::optional<uint64_t> b) {
  uint64_t sum = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &sum)) return std::nullopt;
  return sum;
}

inline std::optional<uint64_t> CheckedMultiply(std::optional<uint64_t> a,
                                               std::optional<uint64_t> b) {
  uint64_t product = 0;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &product)) return std::nullopt;
  return product;
}

// `multiple` is a power of two.
inline std::optional<uint64_t> CheckedRoundUp(std::optional<uint64_t> value, uint64_t multiple) {
  const std::optional<uint64_t> bumped = CheckedAdd(value, multiple - 1);
  if (!bumped) return std::nullopt;
  return *bumped & ~(multiple - 1);
}

constexpr uint64_t CeilDivide(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }

}  // namespace anydml
