// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the kernels are given that fill bands of diagonals.
#pragma once

#include "tensor/scalar.h"
#include "tensor/strided_loop.h"

namespace anydml::move {

// Diagonals [begin, end), or all but [end, begin); none where both are equal (B56). An element's
// diagonal is its column minus its row.
struct Band {
  int64_t begin;
  int64_t end;

  constexpr bool IsFilled(int64_t diagonal) const {
    return (end >= begin) != ((diagonal >= begin) != (diagonal < end));
  }
};

struct Banded {
  uint32_t element_size;
  bool has_input;  // what is not filled is the input's; else zero
  Band band;
  Scalar value;
  StridedLoop<3>
      loop;  // the input, the diagonal, the output; without an input the output's strides
};

}  // namespace anydml::move
