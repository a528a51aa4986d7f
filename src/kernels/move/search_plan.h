// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the kernels are given that find elements.
#pragma once

#include "kernels/reduce/extreme_keys.h"
#include "tensor/strided_loop.h"

namespace anydml::move {

// The first elements of every line in ascending or descending order: equal ones by ascending
// index, zeros equal, a NaN above every number (B79).
struct TopK {
  DataType type;
  DataType index_type;
  bool increasing;
  uint64_t count;  // of the elements of a line
  uint64_t k;
  std::array<int64_t, 3> steps;  // along a line: the input, the values, the indices
  StridedLoop<3> lines;
};

// Elements as integers of their order.
template <typename T>
using Rank = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;

// The least one comes first.
template <typename T>
constexpr Rank<T> RankOf(T x, bool increasing) {
  using R = Rank<T>;
  const auto key = reduce::ExtremeKey(x, {.least = false, .ties_zeros = true});
  R rank = static_cast<R>(key);
  if constexpr (std::is_unsigned_v<T> && sizeof(T) == sizeof(R)) {
    rank = static_cast<R>(key ^ (T{1} << (8 * sizeof(T) - 1)));
  }
  return increasing ? rank : static_cast<R>(~rank);
}

// Coordinates of the elements that are not zero.
struct Nonzero {
  uint32_t element_size;
  uint64_t mask;  // bits of an element that make it differ from zero
  TensorDesc input;
  uint64_t count;    // of its elements
  uint32_t columns;  // so many of the last coordinates are written
  int64_t row_stride;
  int64_t column_stride;
};

}  // namespace anydml::move
