// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What an index says. Negative ones count from the end.
#pragma once

#include "kernels/move/indexed_plan.h"

namespace anydml::move {

// An index tensor. Unsigned numbers beyond those of 63 bits are outside of every axis.
struct Indices {
  const void* data;
  DataType type;

  __device__ int64_t At(int64_t offset) const {
    switch (type) {
      case DataType::kInt32:
        return static_cast<const int32_t*>(data)[offset];
      case DataType::kUint32:
        return static_cast<const uint32_t*>(data)[offset];
      case DataType::kInt64:
        return static_cast<const int64_t*>(data)[offset];
      default:
        return static_cast<int64_t>(
            min(static_cast<const uint64_t*>(data)[offset], uint64_t{INT64_MAX}));
    }
  }
};

// The offset of the element that the tuple at `at` chooses; an index outside means the nearest
// coordinate (B76).
__device__ inline int64_t NearestElement(const IndexedAxes& axes, const Indices& indices,
                                         int64_t at) {
  int64_t place = 0;
  for (uint32_t t = 0; t < axes.count; ++t, at += axes.index_step) {
    const int64_t index = indices.At(at), size = axes.sizes[t];
    const int64_t i = index < 0 ? index + size : index;
    place += (i < 0 ? 0 : i < size ? i : size - 1) * axes.strides[t];
  }
  return place;
}

// The same by other strides; -1 where an index is outside.
__device__ inline int64_t FindElement(const IndexedAxes& axes,
                                      const std::array<int64_t, kMaxDimensions>& strides,
                                      const Indices& indices, int64_t at) {
  int64_t place = 0;
  for (uint32_t t = 0; t < axes.count; ++t, at += axes.index_step) {
    const int64_t index = indices.At(at), size = axes.sizes[t];
    const int64_t i = index < 0 ? index + size : index;
    if (i < 0 || i >= size) return -1;
    place += i * strides[t];
  }
  return place;
}

}  // namespace anydml::move
