// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the kernels of this family are given, but for placed loops
// (tensor/placed_loop.h). Knows nothing of threads or vectors.
#pragma once

#include "tensor/scalar.h"
#include "tensor/strided_loop.h"

namespace anydml::move {

inline constexpr uint32_t kMaxParts = 64;

// Tensors that lie one behind the other along an axis of a whole one.
struct Parts {
  uint32_t element_size;
  bool join;  // the parts are the inputs; else the outputs
  uint32_t axis;
  uint32_t count;
  TensorDesc whole;
  std::array<uint32_t, kMaxParts> sizes;  // along the axis
  std::array<Dimensions, kMaxParts> strides;
  // Where all tensors have one order of dimensions and no gaps: so many times, `inner`
  // elements per step along the axis. 0 elsewhere.
  uint64_t rows;
  uint64_t inner;

  uint64_t RowElements() const { return whole.sizes[axis] * inner; }
};

// Sets `rows` and `inner`.
void FindCommonRows(Parts& parts);

// One part, and the place of its first element in the whole.
struct Part {
  StridedLoop<2> loop;  // the input, the output
  int64_t input_start;
  int64_t output_start;
};
Part PartOf(const Parts& parts, uint32_t number);

// The same bits everywhere.
struct Filled {
  uint32_t element_size;
  Scalar value;
  StridedLoop<1> loop;
};

// start + i * delta, i being the logical index.
struct Sequence {
  DataType data_type;
  Scalar start;
  Scalar delta;
  StridedLoop<2> loop;  // the logical index, the output
};

// Elements of an input that indices choose along one axis.
struct Gathered {
  uint32_t element_size;
  DataType index_type;
  int64_t axis_size;    // of the input
  int64_t axis_stride;  // likewise
  StridedLoop<3> loop;  // the indices, the input at index 0, the output
};

// One of two values per element: whether an index says the element's coordinate.
struct Chosen {
  uint32_t element_size;
  DataType index_type;
  int64_t axis_size;
  int64_t on_offset;    // of the value where it does; where not, it is the first one
  StridedLoop<3> loop;  // the indices, the coordinate on the axis, the output
};

}  // namespace anydml::move
