// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Elements that go to the places that indices name, everything else being zero: what the kernels
// are given.
#pragma once

#include <array>
#include <cstdint>

#include "tensor/data_type.h"

namespace anydml::window::unpooling {

struct Plan {
  DataType type;
  DataType index_type;
  std::array<int64_t, 4> input_sizes;
  std::array<int64_t, 4> output_sizes;
  std::array<std::array<int64_t, 4>, 3> strides;  // of the input, the indices, the output

  static constexpr int64_t Count(const std::array<int64_t, 4>& sizes) {
    return sizes[0] * sizes[1] * sizes[2] * sizes[3];
  }
  constexpr int64_t InputCount() const { return Count(input_sizes); }
  constexpr int64_t OutputCount() const { return Count(output_sizes); }
  // Where element `number` in logical order lies.
  static constexpr int64_t OffsetAt(const std::array<int64_t, 4>& sizes,
                                    const std::array<int64_t, 4>& strides, int64_t number) {
    int64_t offset = 0;
    for (size_t i = 4; i-- > 0; number /= sizes[i]) offset += number % sizes[i] * strides[i];
    return offset;
  }
};

}  // namespace anydml::window::unpooling
