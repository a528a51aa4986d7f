// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Products of matrices of bytes, less their zero points, in 32 bits: what the kernels are given.
#pragma once

#include <array>
#include <cstdint>

#include "tensor/data_type.h"

namespace anydml::matmul {

struct IntegerPlan {
  DataType a_type;
  DataType b_type;
  std::array<int64_t, 2> batches;
  int64_t rows;     // of A
  int64_t columns;  // of B
  int64_t depth;
  // Of the two batches, then of rows (the depth in B) and columns (the depth in A).
  std::array<int64_t, 4> a, b, output;
  // Zero points; none: 0. From one row, or column, to the next.
  bool has_a_zero;
  bool has_b_zero;
  int64_t a_zero_stride;
  int64_t b_zero_stride;

  constexpr int64_t BatchCount() const { return batches[0] * batches[1]; }
  constexpr int64_t BatchOffset(const std::array<int64_t, 4>& strides, int64_t batch) const {
    return batch / batches[1] * strides[0] + batch % batches[1] * strides[1];
  }
};

}  // namespace anydml::matmul
