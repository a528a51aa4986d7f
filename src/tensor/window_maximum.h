// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Which element of a window is its maximum. Ruling B6: a NaN beats every number,
// the first NaN wins, equal values (-0 and +0 are) go to the lowest logical
// index, and padding never takes part.
#pragma once

#include <bit>
#include <limits>

#include "tensor/data_type.h"
#include "tensor/window.h"

namespace anydml {

// An integer whose plain order is the rule's order of the values. Integers are
// their own key.
template <typename T>
constexpr T MaximumKey(T value) {
  return value;
}

// Of bits that are sign-extended to 32: NaN on top, negatives below the one 0.
template <int32_t kMagnitude, int32_t kInfinity>
constexpr int32_t MaximumKeyOfBits(int32_t bits) {
  const int32_t magnitude = bits & kMagnitude;
  if (magnitude > kInfinity) return std::numeric_limits<int32_t>::max();
  return bits < 0 ? -magnitude : magnitude;
}
constexpr int32_t MaximumKey(float value) {
  return MaximumKeyOfBits<0x7FFFFFFF, 0x7F800000>(std::bit_cast<int32_t>(value));
}
constexpr int32_t MaximumKey(Float16 value) {
  return MaximumKeyOfBits<0x7FFF, 0x7C00>(static_cast<int16_t>(value.bits));
}

// The logical index of a window without taps (B14). No element has it: a tensor
// holds at most 2^32 - 1 elements.
inline constexpr uint32_t kNoWinner = 0xFFFFFFFFu;

struct Winner {
  uint32_t index = kNoWinner;  // logical, within the plane
  int64_t offset = 0;          // in elements, from the plane's first
};

// The taps of one window, or of a row of windows that share depth and height.
struct WindowTaps {
  Progression depth;
  Progression height;
  Progression width;
};

template <typename T>
constexpr Winner FindWinner(const T* plane, const PlaneStrides& strides, const WindowLoop& loop,
                            const WindowTaps& taps) {
  if (taps.depth.count == 0 || taps.height.count == 0 || taps.width.count == 0) return {};
  const auto [depth_stride, height_stride, width_stride] = strides.spatial;
  const int64_t heights = loop.axes[WindowLoop::kHeight].input_size;
  const int64_t widths = loop.axes[WindowLoop::kWidth].input_size;
  Winner winner;
  auto best = MaximumKey(T{});
  for (int64_t i = 0, d = taps.depth.first; i < taps.depth.count; ++i, d += taps.depth.step) {
    for (int64_t j = 0, h = taps.height.first; j < taps.height.count; ++j, h += taps.height.step) {
      const int64_t row = d * depth_stride + h * height_stride;
      for (int64_t k = 0, w = taps.width.first; k < taps.width.count; ++k, w += taps.width.step) {
        const int64_t offset = row + w * width_stride;
        const auto key = MaximumKey(plane[offset]);
        // `>` and not `>=`: the taps come in logical order, and the first of
        // equal values wins.
        if (key > best || winner.index == kNoWinner) {
          best = key;
          winner = {static_cast<uint32_t>((d * heights + h) * widths + w), offset};
        }
      }
    }
  }
  return winner;
}

}  // namespace anydml
