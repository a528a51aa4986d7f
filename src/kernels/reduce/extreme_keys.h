// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Elements as integers of the same order, for maxima, minima and their indices (B66): -0 lies
// below +0 unless zeros tie, a NaN beyond everything. The least element has the greatest key where
// the least is looked for.
#pragma once

#include <bit>
#include <limits>
#include <type_traits>

#include "tensor/data_type.h"

namespace anydml::reduce {

struct ExtremeSettings {
  bool least = false;       // the least instead of the greatest
  bool ties_zeros = false;  // -0 equals +0
};

using ExtremeTypes = TypeList<float, Float16, int64_t, int32_t, int16_t, int8_t, uint64_t, uint32_t,
                              uint16_t, uint8_t>;

template <typename T>
inline constexpr bool kIsFloat = std::is_same_v<T, float> || std::is_same_v<T, Float16>;

namespace internal {
template <typename T>
struct Key {
  using Type = T;
};
template <>
struct Key<float> {
  using Type = int32_t;
  static constexpr int32_t kInfinity = 0x7F800000;
};
template <>
struct Key<Float16> {
  using Type = int16_t;
  static constexpr int16_t kInfinity = 0x7C00;
};
}  // namespace internal

template <typename T>
using KeyOf = typename internal::Key<T>::Type;

template <typename T>
constexpr KeyOf<T> ExtremeKey(T x, ExtremeSettings settings) {
  using K = KeyOf<T>;
  const K turn = settings.least ? static_cast<K>(~K{0}) : K{0};
  if constexpr (kIsFloat<T>) {
    constexpr K kMax = std::numeric_limits<K>::max();
    K bits = std::bit_cast<K>(x);
    const auto magnitude = static_cast<K>(bits & kMax);
    if (settings.ties_zeros) bits = magnitude == 0 ? K{0} : bits;
    const auto key = static_cast<K>(bits < 0 ? bits ^ kMax : bits);
    return magnitude > internal::Key<T>::kInfinity ? kMax : static_cast<K>(key ^ turn);
  } else {
    return static_cast<K>(x ^ turn);
  }
}

template <typename T>
constexpr T ElementOfKey(KeyOf<T> key, ExtremeSettings settings) {
  using K = KeyOf<T>;
  const K turn = settings.least ? static_cast<K>(~K{0}) : K{0};
  const auto turned = static_cast<K>(key ^ turn);
  if constexpr (kIsFloat<T>) {
    constexpr K kMax = std::numeric_limits<K>::max();
    return std::bit_cast<T>(static_cast<K>(turned < 0 ? turned ^ kMax : turned));
  } else {
    return turned;
  }
}

}  // namespace anydml::reduce
