// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "tensor/taps.h"

#include <cmath>
#include <optional>

namespace anydml {
namespace {

// Where the coordinate's equation, solved for the sample, puts it. Only a place
// to start the search: rounding may have moved the true one.
uint64_t GuessSample(const TapAxis& axis, uint64_t pixel) {
  const double guess = (static_cast<double>(pixel) + axis.input_pixel_offset) * axis.scale +
                       axis.output_pixel_offset;
  return static_cast<uint64_t>(std::clamp(guess, 0.0, static_cast<double>(axis.sample_count - 1)));
}

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

uint64_t FirstSampleAt(const TapAxis& axis, uint64_t pixel) {
  const auto reached = [&](uint64_t sample) { return TapsOf(axis, sample).pixel >= pixel; };
  // The answer lies in [low, high]; steps that double close in on it.
  uint64_t low = 0, high = axis.sample_count;
  const uint64_t guess = GuessSample(axis, pixel);
  if (reached(guess)) {
    high = guess;
    for (uint64_t step = 1; high > low; step *= 2) {
      const uint64_t probe = high - std::min(step, high);
      if (reached(probe)) {
        high = probe;
      } else {
        low = probe + 1;
        break;
      }
    }
  } else {
    low = guess + 1;
    for (uint64_t step = 1; low < high; step *= 2) {
      const uint64_t probe = std::min(low + step, axis.sample_count) - 1;
      if (!reached(probe)) {
        low = probe + 1;
      } else {
        high = probe;
        break;
      }
    }
  }
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (reached(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

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
