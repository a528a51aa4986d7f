// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "tensor/taps.h"

#include <cmath>
#include <optional>

namespace anydml {
namespace {

// Whether o - offset is exact in double for every o below 2^32.
bool IsCoarse(float offset) {
  return std::abs(offset) < 0x1p20f && offset * 0x1p20f == std::trunc(offset * 0x1p20f);
}

// x(o) - o where it is the same for all samples of a long axis: a walk over
// billions of samples would only find that out again.
std::optional<double> ConstantShift(const TapAxis& axis) {
  const bool is_long = axis.sample_count > kMostSinglePrecisionElements;
  const bool is_exact =
      IsCoarse(axis.output_pixel_offset) && IsCoarse(axis.input_pixel_offset) && axis.scale == 1;
  if (!is_long || !is_exact) return std::nullopt;
  return -static_cast<double>(axis.output_pixel_offset) -
         static_cast<double>(axis.input_pixel_offset);
}

// Whether sample o, at o + shift, is pixel o alone, on an axis of several.
bool Keeps(const TapAxis& axis, double shift) {
  switch (axis.sampling) {
    case Sampling::kFloor:
      return shift >= 0 && shift < 1;
    case Sampling::kCeil:
      return shift > -1 && shift <= 0;
    case Sampling::kLinear:
      return shift == 0;
  }
  return false;
}

}  // namespace

bool EverySampleIsItsPixel(const TapAxis& axis) {
  if (axis.pixel_count != axis.sample_count) return false;
  if (const std::optional<double> shift = ConstantShift(axis)) return Keeps(axis, *shift);
  for (uint64_t sample = 0; sample < axis.sample_count; ++sample) {
    const Taps taps = TapsOf(axis, sample);
    if (taps.pixel != sample || taps.weight != 1 || taps.next_weight != 0) return false;
  }
  return true;
}

}  // namespace anydml
