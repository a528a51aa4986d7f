// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Geometry of a window that slides over the spatial axes of a tensor: which
// inputs a window sees, and which windows see an input. Both are answered by
// arithmetic, never by a loop over taps: window sizes, paddings and dilations
// near 2^32 are legal (P11), and billions of their taps may lie in padding.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "tensor/tensor_desc.h"

namespace anydml {

// count values: first, first + step, first + 2 * step ...
struct Progression {
  int64_t first = 0;
  int64_t count = 0;
  int64_t step = 1;
};

constexpr int64_t CeilDivideSigned(int64_t a, int64_t b) {  // a >= 0, b > 0
  return a / b + (a % b != 0 ? 1 : 0);
}

// One axis. Rules P6 and P7 bound every product below by 2^35: a window lies
// within the padded input, but for an overhang of less than one stride.
struct WindowAxis {
  int64_t input_size = 1;
  int64_t output_size = 1;
  int64_t window_size = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t start_padding = 0;
  // Windows that see one input lie `output_step` apart, see WindowsOver.
  int64_t common_divisor = 1;  // of stride and dilation
  int64_t output_step = 1;     // dilation / common_divisor
  int64_t stride_inverse = 0;  // of stride / common_divisor modulo output_step

  // The distance from a window's first tap to its last.
  constexpr int64_t reach() const { return (window_size - 1) * dilation; }
  // Such is the depth of images.
  constexpr bool is_trivial() const {
    return input_size == 1 && output_size == 1 && window_size == 1;
  }
};

// Completes the members that follow from stride and dilation.
WindowAxis CompleteAxis(WindowAxis axis);

// The inputs that window `o` sees, ascending.
constexpr Progression TapsOf(const WindowAxis& axis, int64_t o) {
  const int64_t base = o * axis.stride - axis.start_padding;
  // The common case without a division.
  if (base >= 0 && base + axis.reach() < axis.input_size) {
    return {base, axis.window_size, axis.dilation};
  }
  if (base >= axis.input_size) return {};
  const int64_t begin = base >= 0 ? 0 : CeilDivideSigned(-base, axis.dilation);
  const int64_t end =
      std::min(axis.window_size, CeilDivideSigned(axis.input_size - base, axis.dilation));
  if (begin >= end) return {};
  return {base + begin * axis.dilation, end - begin, axis.dilation};
}

// The windows that see input `p`, ascending: those o within range for which
// p + start_padding - o * stride is a multiple of the dilation. With g the
// common divisor, o * (stride / g) = (p + start_padding) / g modulo
// dilation / g, which has one solution per dilation / g.
constexpr Progression WindowsOver(const WindowAxis& axis, int64_t p) {
  const int64_t target = p + axis.start_padding;
  if (axis.common_divisor != 1 && target % axis.common_divisor != 0) return {};
  const int64_t excess = target - axis.reach();
  const int64_t lowest = excess > 0 ? CeilDivideSigned(excess, axis.stride) : 0;
  const int64_t highest = std::min(axis.output_size - 1, target / axis.stride);
  int64_t first = lowest;
  if (axis.output_step != 1) {
    const auto step = static_cast<uint64_t>(axis.output_step);
    const auto quotient = static_cast<uint64_t>(target / axis.common_divisor);
    // Two factors below 2^32: the product fits 64 bits without a sign.
    const uint64_t residue = quotient % step * static_cast<uint64_t>(axis.stride_inverse) % step;
    first += static_cast<int64_t>((residue + step - static_cast<uint64_t>(lowest) % step) % step);
  }
  if (first > highest) return {};
  return {first, (highest - first) / axis.output_step + 1, axis.output_step};
}

struct IndexRange {
  int64_t begin = 0;
  int64_t end = 0;  // at most `begin` when there is nothing between
  bool operator==(const IndexRange&) const = default;
};

// Does every window see an input? Answered for windows whose padding at the start
// is at most their reach; for others the answer is no. Then only a few windows at
// either end can miss all inputs.
constexpr bool EveryWindowHasTaps(const WindowAxis& axis) {
  if (axis.start_padding > axis.reach()) return false;
  const int64_t whole_end = axis.input_size - axis.reach() + axis.start_padding;
  const int64_t last_whole = whole_end <= 0 ? -1 : (whole_end - 1) / axis.stride;
  for (int64_t o = 0; o < axis.output_size; ++o) {
    if (TapsOf(axis, o).count == 0) return false;
    const bool is_whole = o * axis.stride >= axis.start_padding && o < last_whole;
    if (is_whole) o = std::min(last_whole, axis.output_size) - 1;
  }
  return true;
}

// Does every input have a window? What is looked at one by one lies within a reach of
// either end: between them a tap for each remainder modulo the stride decides.
constexpr bool EveryInputHasWindows(const WindowAxis& axis) {
  const int64_t begin = std::max<int64_t>(0, axis.reach() - axis.start_padding);
  const int64_t end = (axis.output_size - 1) * axis.stride - axis.start_padding + 1;
  const bool between = axis.common_divisor == 1 && axis.window_size >= axis.stride;
  for (int64_t p = 0; p < axis.input_size; ++p) {
    if (between && p >= begin && p < end) p = end;
    if (p < axis.input_size && WindowsOver(axis, p).count == 0) return false;
  }
  return true;
}

// A description's arrays, one entry per spatial axis, outermost first. The
// padding at the end is not among them: it only decides the output's sizes.
struct WindowArrays {
  Dimensions strides = {};
  Dimensions window_size = {};
  Dimensions start_padding = {};
  Dimensions dilations = {};
};

// The whole window over tensors {batch, channel, [depth], height, width}. A
// missing depth is an axis of one element, so that there are always three.
struct WindowLoop {
  enum Axis { kDepth, kHeight, kWidth };
  int64_t batches = 1;
  int64_t channels = 1;
  std::array<WindowAxis, 3> axes;

  constexpr int64_t PlaneCount() const { return batches * channels; }
  constexpr int64_t InputRowsPerPlane() const {
    return axes[kDepth].input_size * axes[kHeight].input_size;
  }
  constexpr int64_t OutputRowsPerPlane() const {
    return axes[kDepth].output_size * axes[kHeight].output_size;
  }
  constexpr int64_t InputPlaneSize() const { return InputRowsPerPlane() * axes[kWidth].input_size; }
  constexpr int64_t OutputPlaneSize() const {
    return OutputRowsPerPlane() * axes[kWidth].output_size;
  }
  // An upper bound of the inputs that one window sees.
  uint64_t MostTaps() const;
};

// `wide` is the tensor that the window slides over, `narrow` the one with an
// element per window.
WindowLoop MakeWindowLoop(const TensorDesc& wide, const TensorDesc& narrow,
                          const WindowArrays& arrays);

// Element strides of such a tensor; a missing depth has stride 0.
struct PlaneStrides {
  int64_t batch = 0;
  int64_t channel = 0;
  std::array<int64_t, 3> spatial = {};

  constexpr int64_t PlaneOffset(const WindowLoop& loop, int64_t plane) const {
    return plane / loop.channels * batch + plane % loop.channels * channel;
  }
};

PlaneStrides PlaneStridesOf(const TensorDesc& tensor);

// A row (all coordinates but the width) of the input or the output grid.
struct WindowRow {
  int64_t plane;
  int64_t depth;
  int64_t height;
};

// The offset of column `w` of such a row.
constexpr int64_t OffsetOf(const WindowLoop& loop, const PlaneStrides& strides,
                           const WindowRow& row, int64_t w) {
  return strides.PlaneOffset(loop, row.plane) + row.depth * strides.spatial[WindowLoop::kDepth] +
         row.height * strides.spatial[WindowLoop::kHeight] +
         w * strides.spatial[WindowLoop::kWidth];
}

constexpr WindowRow OutputRow(const WindowLoop& loop, int64_t row) {
  const int64_t height = loop.axes[WindowLoop::kHeight].output_size;
  const int64_t rows = loop.OutputRowsPerPlane();
  return {row / rows, row % rows / height, row % height};
}

constexpr WindowRow InputRow(const WindowLoop& loop, int64_t row) {
  const int64_t height = loop.axes[WindowLoop::kHeight].input_size;
  const int64_t rows = loop.InputRowsPerPlane();
  return {row / rows, row % rows / height, row % height};
}

}  // namespace anydml
