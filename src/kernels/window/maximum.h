// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One window of MAX_POOLING: its winner (tensor/window_maximum.h) is copied bit
// for bit. A window without taps gives the lowest value and an index of all
// ones.
#pragma once

#include "tensor/window_maximum.h"

namespace anydml::window::maxima {

using Types = TypeList<float, Float16, int64_t, int32_t, int16_t, int8_t, uint64_t, uint32_t,
                       uint16_t, uint8_t>;

template <typename T>
constexpr T LowestValue() {
  if constexpr (std::is_same_v<T, Float16>) {
    return Float16{0xFC00};
  } else if constexpr (std::is_same_v<T, float>) {
    return -std::numeric_limits<float>::infinity();
  } else {
    return std::numeric_limits<T>::min();
  }
}

template <typename T>
constexpr T MaximumOf(const T* plane, const Winner& winner) {
  return winner.index == kNoWinner ? LowestValue<T>() : plane[winner.offset];
}

// `plane_start` is the logical index of the plane's first element in the whole
// input tensor: indices count batch and channel.
template <typename Index>
constexpr Index IndexOf(uint64_t plane_start, const Winner& winner) {
  if (winner.index == kNoWinner) return std::numeric_limits<Index>::max();
  return static_cast<Index>(plane_start + winner.index);
}

}  // namespace anydml::window::maxima
