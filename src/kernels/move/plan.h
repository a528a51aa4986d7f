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
inline Part PartOf(const Parts& parts, uint32_t number) {
  int64_t before = 0;
  for (uint32_t p = 0; p < number; ++p) before += parts.sizes[p];
  const int64_t start = before * parts.whole.strides[parts.axis];
  Part part = {{}, parts.join ? 0 : start, parts.join ? start : 0};
  StridedLoop<2> loop;
  loop.rank = parts.whole.dimension_count;
  for (uint32_t i = 0; i < loop.rank; ++i) {
    loop.sizes[i] = i == parts.axis ? parts.sizes[number] : parts.whole.sizes[i];
    loop.strides[parts.join ? 0 : 1][i] = parts.strides[number][i];
    loop.strides[parts.join ? 1 : 0][i] = parts.whole.strides[i];
  }
  part.loop = Coalesce(loop);
  return part;
}

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

// One of two values per element: whether an index says the element's coordinate.
struct Chosen {
  uint32_t element_size;
  DataType index_type;
  int64_t axis_size;
  int64_t on_offset;    // of the value where it does; where not, it is the first one
  StridedLoop<3> loop;  // the indices, the coordinate on the axis, the output
};

}  // namespace anydml::move
