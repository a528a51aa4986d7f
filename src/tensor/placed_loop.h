// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The elements of an input that take their places in an output, everything else of
// which is zero: for each axis of the output which elements land on it. An input
// that covers the output wholly, from any strides, is a copy. Every output
// coordinate asks, so that each is written once, value or zero, and no pass of
// zeros comes first. Made by plans, walked by kernels. Knows nothing of operators.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "tensor/tensor_desc.h"

namespace anydml {

// Element q of the input belongs to coordinate first + q * step of the output.
// Coordinates ascend; where the elements come in the other direction, it is
// input_stride that descends.
struct PlacedAxis {
  uint32_t size;   // of the output
  uint32_t first;  // at least one element lands on every axis
  uint32_t step;   // 1 where count is 1
  uint32_t count;  // of the input
  int64_t output_stride;
  int64_t input_stride;
};

constexpr bool IsFull(const PlacedAxis& axis) { return axis.count == axis.size; }

// How many elements land below coordinate o. The element at o, if any, is the
// next one, so that [Below(begin), Below(end)) are those of a range.
constexpr uint64_t ElementsBelow(const PlacedAxis& axis, uint64_t o) {
  if (o <= axis.first) return 0;
  return std::min<uint64_t>(axis.count, (o - axis.first - 1) / axis.step + 1);
}

constexpr uint64_t CoordinateOf(const PlacedAxis& axis, uint64_t element) {
  return axis.first + element * axis.step;
}

struct PlacedLoop {
  uint32_t element_size;
  int64_t input_start;  // element offset of the element that has q = 0 on every axis
  uint32_t rank;        // at least 1
  std::array<PlacedAxis, kMaxDimensions> axes;  // in the output's order of memory, outermost first
  // The innermost axes that leave no gaps in the output; 0 where the innermost
  // stride is not 1.
  uint32_t block_rank;
  uint64_t input_elements;  // those that are read
  // How many elements from the beginning of the input on all belong to it, so that
  // neighbours may be read with what is wanted; 0 where it has gaps.
  uint64_t dense_elements;
  // Whether what lies between the elements of a row belongs to the input, too, and
  // how many behind the highest one.
  bool rows_are_dense;
  uint32_t elements_behind_rows;

  const PlacedAxis& inner() const { return axes[rank - 1]; }
  uint64_t RowCount() const { return Count(0, rank - 1); }
  uint64_t BlockCount() const { return Count(0, rank - block_rank); }
  uint64_t BlockSize() const { return Count(rank - block_rank, rank); }
  uint64_t ElementCount() const { return Count(0, rank); }

  void SetBlockRank() {
    int64_t stride = 1;
    for (block_rank = 0; block_rank < rank; ++block_rank) {
      const PlacedAxis& axis = axes[rank - 1 - block_rank];
      if (axis.output_stride != stride) return;
      stride *= axis.size;
    }
  }

 private:
  uint64_t Count(uint32_t begin, uint32_t end) const {
    uint64_t count = 1;
    for (uint32_t i = begin; i < end; ++i) count *= axes[i].size;
    return count;
  }
};

}  // namespace anydml
