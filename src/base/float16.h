// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The FLOAT16 element: IEEE binary16 as its bits, and exact conversions to and
// from float. Scalar code, usable on host and device; the vector twins live in
// backends/cpu/float16-inl.h.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>

namespace anydml {

struct Float16 {
  uint16_t bits = 0;
};
static_assert(sizeof(Float16) == 2);

// Every half is a float, so nothing is rounded; a NaN keeps sign and payload.
constexpr float ToFloat(Float16 half) {
  const uint32_t sign = static_cast<uint32_t>(half.bits & 0x8000u) << 16;
  const uint32_t magnitude = half.bits & 0x7FFFu;
  if (magnitude >= 0x7C00u) {  // infinity and NaN: all-ones exponent in both formats
    return std::bit_cast<float>(sign | 0x7F800000u | ((magnitude & 0x3FFu) << 13));
  }
  if (magnitude >= 0x0400u) {  // normal: the exponent bias grows from 15 to 127
    return std::bit_cast<float>(sign | ((magnitude << 13) + ((127u - 15u) << 23)));
  }
  // Subnormal or zero: magnitude * 2^-24, exact in float.
  const float value = static_cast<float>(magnitude) * 0x1p-24f;
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(value));
}

// Rounds to nearest even; from 65520 on the result is infinity. NaN stays NaN
// (quiet, upper payload bits kept).
constexpr Float16 ToFloat16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) {
    return {static_cast<uint16_t>(sign | 0x7E00u | ((magnitude >> 13) & 0x3FFu))};
  }
  if (magnitude >= 0x477FF000u) return {static_cast<uint16_t>(sign | 0x7C00u)};  // >= 65520
  if (magnitude >= 0x38800000u) {  // normal half: >= 2^-14
    const uint32_t odd = (magnitude >> 13) & 1u;
    const uint32_t rounded = magnitude + 0x0FFFu + odd - ((127u - 15u) << 23);
    return {static_cast<uint16_t>(sign | (rounded >> 13))};
  }
  // Adding 0.5 puts the unit of a half subnormal, 2^-24, into the last bit of
  // a float, so the addition itself rounds to nearest even.
  const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
  return {static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3F000000u))};
}

// By value, as IEEE says: zeros are equal, NaN is not ordered.
constexpr std::partial_ordering operator<=>(Float16 a, Float16 b) {
  return ToFloat(a) <=> ToFloat(b);
}

}  // namespace anydml
