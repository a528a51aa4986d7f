// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the kernels are given that read or write elements by their indices.
#pragma once

#include "tensor/data_type.h"
#include "tensor/strided_loop.h"

namespace anydml::move {

// Axes of a tensor along which a tuple of indices, one per axis, chooses an element.
struct IndexedAxes {
  DataType index_type;
  uint32_t count;      // of the indices in a tuple
  int64_t index_step;  // between them
  std::array<int64_t, kMaxDimensions> sizes;
  std::array<int64_t, kMaxDimensions> strides;
};

// Elements of an input that indices choose.
struct Gathered {
  uint32_t element_size;
  IndexedAxes axes;     // of the input
  StridedLoop<3> loop;  // the indices, the input at index 0, the output
};

// The first elements along an axis in the opposite order: as many as a length says.
struct Reversed {
  uint32_t element_size;
  DataType length_type;  // UINT32 or UINT64
  uint64_t axis_size;
  int64_t axis_stride;  // of the input
  // The lengths, the coordinate on the axis, the input at coordinate 0, the output.
  StridedLoop<4> loop;
};
constexpr int64_t ReversedCoordinate(int64_t coordinate, int64_t length) {
  return coordinate < length ? length - 1 - coordinate : coordinate;
}

// A copy of the input, and updates written over it where indices say. Updates with one target
// differ in their ordered coordinates alone, and the last one stays (B77).
struct Scattered {
  uint32_t element_size;
  IndexedAxes axes;     // of the output
  StridedLoop<2> copy;  // the input, the output
  // The dimensions of the updates: the indices, the output at index 0, the updates, and for devices
  // that write in any order the slot at index 0 and the number of the update. Targets that updates
  // compete for have a slot; neighbours that share their index share it.
  StridedLoop<5> apart;
  StridedLoop<5> ordered;                            // in logical order
  std::array<int64_t, kMaxDimensions> slot_strides;  // along the axes
  uint64_t slots;
};

}  // namespace anydml::move
