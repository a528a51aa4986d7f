// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Which element of the input gradient lands on a coordinate of the output
// gradient, along one axis. Every output element asks, so that each is written
// once, value or zero, and no pass of zeros comes first.
#pragma once

#include <algorithm>
#include <cstdint>

namespace anydml::slice_grad {

// Element q of the input gradient belongs to coordinate first + q * step of the
// output gradient. Window strides that are negative have been turned around, so
// that coordinates ascend; it is input_stride that descends instead.
struct Axis {
  uint32_t size;   // of the output gradient
  uint32_t first;  // at least one element lands on every axis
  uint32_t step;   // 1 where count is 1
  uint32_t count;  // of the input gradient
  int64_t output_stride;
  int64_t input_stride;
};

constexpr bool IsFull(const Axis& axis) { return axis.count == axis.size; }

// How many elements land below coordinate o. The element at o, if any, is the
// next one, so that [Below(begin), Below(end)) are those of a range.
constexpr uint64_t ElementsBelow(const Axis& axis, uint64_t o) {
  if (o <= axis.first) return 0;
  return std::min<uint64_t>(axis.count, (o - axis.first - 1) / axis.step + 1);
}

// The element at coordinate o; axis.count or more where there is none.
constexpr uint32_t ElementAt(const Axis& axis, uint32_t o) {
  if (o < axis.first) return axis.count;
  const uint32_t distance = o - axis.first;
  if (axis.step == 1) return distance;  // most axes, and a division is a third of a short row
  const uint32_t element = distance / axis.step;
  return element * axis.step == distance ? element : axis.count;
}

constexpr uint64_t CoordinateOf(const Axis& axis, uint64_t element) {
  return axis.first + element * axis.step;
}

}  // namespace anydml::slice_grad
