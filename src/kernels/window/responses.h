// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// An element divided by a power of the sum of squares of its region, and the gradient of that
// (B39, B40): what the kernels are given.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "tensor/data_type.h"

namespace anydml::window::responses {

// The coordinates of a region along one axis.
struct Span {
  int64_t first = 0;
  int64_t end = 0;
};

struct Plan {
  DataType type;
  bool is_gradient;
  // Three outer axes and that of the lanes; those of a region in logical order.
  std::array<int64_t, 4> sizes;
  std::array<bool, 4> has_region;
  std::array<std::array<int64_t, 4>, 3> strides;  // of x, y; or of x, dY, dX
  int64_t before;                                 // how far a region reaches
  int64_t after;
  float factor;  // Alpha / LocalSize
  float beta;
  float bias;

  constexpr int64_t RowCount() const { return sizes[0] * sizes[1] * sizes[2]; }
  constexpr int64_t ElementCount() const { return RowCount() * sizes[3]; }

  // Of coordinate i; where `reflected`, those whose region has i.
  constexpr Span RegionOf(int axis, int64_t i, bool reflected) const {
    if (!has_region[axis]) return {i, i + 1};
    const int64_t down = reflected ? after : before, up = reflected ? before : after;
    return {std::max<int64_t>(0, i - down), std::min(sizes[axis], i + up + 1)};
  }
  constexpr std::array<int64_t, 3> RowAt(int64_t row) const {
    return {row / (sizes[1] * sizes[2]), row / sizes[2] % sizes[1], row % sizes[2]};
  }
  constexpr int64_t OffsetOf(int tensor, const std::array<int64_t, 3>& row) const {
    const auto& s = strides[static_cast<size_t>(tensor)];
    return row[0] * s[0] + row[1] * s[1] + row[2] * s[2];
  }
};

// The gradient keeps u and r (B40) of all elements between its two passes: floats, packed.
inline uint64_t TemporaryBytes(const Plan& plan) {
  return plan.is_gradient ? static_cast<uint64_t>(plan.ElementCount()) * 2 * sizeof(float) : 0;
}

}  // namespace anydml::window::responses
