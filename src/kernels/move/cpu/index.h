// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What an index of any type says. Negative ones count from the end.
#pragma once

#include <algorithm>
#include <type_traits>

#include "kernels/move/indexed_plan.h"

namespace anydml::move {

using IndexTypes = TypeList<int64_t, int32_t, uint64_t, uint32_t>;

// The coordinate; -1 for an index outside.
template <typename I>
int64_t CoordinateOf(I index, int64_t size) {
  if constexpr (std::is_signed_v<I>) {
    const int64_t i = index < 0 ? int64_t{index} + size : int64_t{index};
    return i >= 0 && i < size ? i : -1;
  } else {
    return index < static_cast<uint64_t>(size) ? static_cast<int64_t>(index) : -1;
  }
}

// The coordinate; of an index outside the nearest one (B76).
template <typename I>
int64_t NearestCoordinate(I index, int64_t size) {
  if constexpr (std::is_signed_v<I>) {
    const int64_t i = index < 0 ? int64_t{index} + size : int64_t{index};
    return std::clamp<int64_t>(i, 0, size - 1);
  } else {
    return static_cast<int64_t>(std::min<uint64_t>(index, static_cast<uint64_t>(size) - 1));
  }
}

// The offset of the element that a tuple chooses.
template <typename I>
int64_t NearestElement(const IndexedAxes& axes, const I* index) {
  int64_t place = NearestCoordinate(*index, axes.sizes[0]) * axes.strides[0];
  for (uint32_t t = 1; t < axes.count; ++t) {
    index += axes.index_step;
    place += NearestCoordinate(*index, axes.sizes[t]) * axes.strides[t];
  }
  return place;
}

// The same where all of them are inside.
template <typename I>
bool FindElement(const IndexedAxes& axes, const I* index, int64_t& place) {
  place = 0;
  for (uint32_t t = 0; t < axes.count; ++t, index += axes.index_step) {
    const int64_t coordinate = CoordinateOf(*index, axes.sizes[t]);
    if (coordinate < 0) return false;
    place += coordinate * axes.strides[t];
  }
  return true;
}

}  // namespace anydml::move
