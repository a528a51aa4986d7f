// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One element of OutputGradientTensor: the sum of the gradients of the windows
// that it won. A float32 sum from +0 in ascending logical index of
// InputGradientTensor, rounded once (B13), so a single -0 becomes +0.
#pragma once

#include "tensor/window_maximum.h"

namespace anydml::window::gradient {

using Types = TypeList<float, Float16>;

constexpr float Widen(float value) { return value; }
constexpr float Widen(Float16 value) { return ToFloat(value); }
constexpr void Round(float sum, float& out) { out = sum; }
constexpr void Round(float sum, Float16& out) { out = ToFloat16(sum); }

// The windows that see an element, or a row of elements that share depth and
// height.
struct WindowRanges {
  Progression depth;
  Progression height;
  Progression width;
};

// `winners` and `dy` belong to the element's plane; `index` is its logical index
// there.
template <typename T>
constexpr float Gradient(const uint32_t* winners, const T* dy, const PlaneStrides& strides,
                         const WindowLoop& loop, const WindowRanges& windows, uint32_t index) {
  const auto [depth_stride, height_stride, width_stride] = strides.spatial;
  const int64_t heights = loop.axes[WindowLoop::kHeight].output_size;
  const int64_t widths = loop.axes[WindowLoop::kWidth].output_size;
  const auto& [depth, height, width] = windows;
  float sum = 0;
  for (int64_t i = 0, d = depth.first; i < depth.count; ++i, d += depth.step) {
    for (int64_t j = 0, h = height.first; j < height.count; ++j, h += height.step) {
      const uint32_t* winner_row = winners + (d * heights + h) * widths;
      const T* dy_row = dy + d * depth_stride + h * height_stride;
      for (int64_t k = 0, w = width.first; k < width.count; ++k, w += width.step) {
        if (winner_row[w] == index) sum += Widen(dy_row[w * width_stride]);
      }
    }
  }
  return sum;
}

}  // namespace anydml::window::gradient
