// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "tensor/taps.h"

#include <algorithm>

namespace anydml {
namespace {

bool IsItsPixel(const TapAxis& axis, uint64_t sample) {
  const Taps taps = TapsOf(axis, sample);
  return taps.pixel == sample && taps.weight == 1 && taps.next_weight == 0;
}

bool AreTheirPixelsAround(const TapAxis& axis, double place) {
  constexpr double kReach = 2;
  const auto last = static_cast<double>(axis.sample_count - 1);
  if (place < -kReach || place > last + kReach) return true;
  const auto end = static_cast<uint64_t>(std::min(place + kReach, last));
  for (auto sample = static_cast<uint64_t>(std::max(place - kReach, 0.0)); sample <= end;
       ++sample) {
    if (!IsItsPixel(axis, sample)) return false;
  }
  return true;
}

// For a scale of 1 on a long axis, where coordinates are doubles; a walk over
// billions of samples is nothing that a description may ask for. x(o) - o is the
// same for all samples between two places at which o - output offset, or that less
// the input offset, gets another exponent: o is a whole number and the last bit of
// either difference counts 1/2 at most, so both round alike for every o. (Where it
// counts more, samples 0, 1 and 2 cannot all be their pixels.)
bool ShiftKeepsEverySample(const TapAxis& axis) {
  const double output_offset = axis.output_pixel_offset;
  const double both_offsets = output_offset + static_cast<double>(axis.input_pixel_offset);
  const auto last = static_cast<double>(axis.sample_count - 1);
  for (double place : {0.0, last, output_offset, both_offsets}) {
    if (!AreTheirPixelsAround(axis, place)) return false;
  }
  for (double power = 1; power <= 0x1p33; power *= 2) {
    for (double place : {output_offset - power, output_offset + power, both_offsets - power,
                         both_offsets + power}) {
      if (!AreTheirPixelsAround(axis, place)) return false;
    }
  }
  return true;
}

}  // namespace

bool EverySampleIsItsPixel(const TapAxis& axis) {
  if (axis.pixel_count != axis.sample_count) return false;
  const bool is_long = axis.sample_count > kMaxSinglePrecisionElements;
  if (is_long && axis.scale == 1) return ShiftKeepsEverySample(axis);
  // Another scale leaves the pixels behind within 2^24 samples.
  for (uint64_t sample = 0; sample < axis.sample_count; ++sample) {
    if (!IsItsPixel(axis, sample)) return false;
  }
  return true;
}

}  // namespace anydml
