// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "tensor/window.h"

#include <numeric>
#include <utility>

namespace anydml {
namespace {

// Of two numbers without a common divisor, by Euclid's extended algorithm.
int64_t InverseModulo(int64_t value, int64_t modulus) {
  int64_t remainder = modulus, next_remainder = value % modulus;
  int64_t coefficient = 0, next_coefficient = 1;
  while (next_remainder != 0) {
    const int64_t quotient = remainder / next_remainder;
    remainder = std::exchange(next_remainder, remainder - quotient * next_remainder);
    coefficient = std::exchange(next_coefficient, coefficient - quotient * next_coefficient);
  }
  return coefficient < 0 ? coefficient + modulus : coefficient;
}

}  // namespace

WindowAxis CompleteAxis(WindowAxis axis) {
  axis.common_divisor = std::gcd(axis.stride, axis.dilation);
  axis.output_step = axis.dilation / axis.common_divisor;
  if (axis.output_step != 1) {
    axis.stride_inverse = InverseModulo(axis.stride / axis.common_divisor, axis.output_step);
  }
  return axis;
}

WindowLoop MakeWindowLoop(const TensorDesc& wide, const TensorDesc& narrow,
                          const WindowArrays& arrays) {
  WindowLoop loop;
  loop.batches = wide.sizes[0];
  loop.channels = wide.sizes[1];
  const uint32_t axes = wide.dimension_count - 2;
  for (uint32_t i = 0; i < axes; ++i) {
    loop.axes[i + 3 - axes] = CompleteAxis({.input_size = wide.sizes[2 + i],
                                            .output_size = narrow.sizes[2 + i],
                                            .window_size = arrays.window_size[i],
                                            .stride = arrays.strides[i],
                                            .dilation = arrays.dilations[i],
                                            .start_padding = arrays.start_padding[i]});
  }
  return loop;
}

uint64_t WindowLoop::MostTaps() const {
  uint64_t taps = 1;
  for (const WindowAxis& axis : axes) {
    taps *= static_cast<uint64_t>(std::min(axis.window_size, axis.input_size));
  }
  return taps;
}

PlaneStrides PlaneStridesOf(const TensorDesc& tensor) {
  PlaneStrides strides;
  strides.batch = tensor.strides[0];
  strides.channel = tensor.strides[1];
  for (uint32_t i = 2; i < tensor.dimension_count; ++i) {
    strides.spatial[i + 3 - tensor.dimension_count] = tensor.strides[i];
  }
  return strides;
}

}  // namespace anydml
