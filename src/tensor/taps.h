// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Taps of one axis: which pixels a sample reads, and with which weights. An
// axis of pixels is sampled at evenly spaced places that need not be whole;
// sample o lies at x(o) = (o - OutputPixelOffset) / Scale - InputPixelOffset.
// Everything here is IEEE arithmetic in a defined order (B7, B12, B13), so that
// a table and an evaluation on the fly give the same taps on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace anydml {

enum class Sampling : uint8_t { kFloor, kCeil, kLinear };

struct TapAxis {
  Sampling sampling = Sampling::kFloor;
  uint64_t pixel_count = 1;  // both below 2^32
  uint64_t sample_count = 1;
  float scale = 1;                // finite and greater than 0
  float input_pixel_offset = 0;   // finite
  float output_pixel_offset = 0;  // finite
};

// The tap (pixel, weight) and, unless next_weight is 0, (pixel + 1, next_weight).
struct Taps {
  uint32_t pixel;
  float weight;
  float next_weight;
};

// Beyond 2^22 elements o + 0.5 is no longer exact in single precision (B7).
inline constexpr uint64_t kMostSinglePrecisionElements = uint64_t{1} << 22;

template <typename Real>
Taps TapsIn(const TapAxis& axis, uint64_t sample) {
  const Real place = (static_cast<Real>(sample) - static_cast<Real>(axis.output_pixel_offset)) /
                         static_cast<Real>(axis.scale) -
                     static_cast<Real>(axis.input_pixel_offset);
  const auto last = static_cast<Real>(axis.pixel_count - 1);
  if (axis.sampling != Sampling::kLinear) {
    const Real whole = axis.sampling == Sampling::kCeil ? std::ceil(place) : std::floor(place);
    return {static_cast<uint32_t>(std::clamp<Real>(whole, 0, last)), 1.0f, 0.0f};
  }
  // Clamped before it is split, so that the weight of an edge is exactly 1 (B12).
  const Real inside = std::clamp<Real>(place, 0, last);
  const Real whole = std::floor(inside);
  const Real fraction = inside - whole;
  return {static_cast<uint32_t>(whole), static_cast<float>(1 - fraction),
          static_cast<float>(fraction)};
}

// `pixel` never decreases with `sample`: each of the three operations is
// monotone under rounding.
inline Taps TapsOf(const TapAxis& axis, uint64_t sample) {
  const bool single = std::max(axis.pixel_count, axis.sample_count) <= kMostSinglePrecisionElements;
  return single ? TapsIn<float>(axis, sample) : TapsIn<double>(axis, sample);
}

// The least sample whose `pixel` is at least this one; sample_count if none is.
uint64_t FirstSampleAt(const TapAxis& axis, uint64_t pixel);

// As many samples as pixels, and every sample has the single tap (sample, 1):
// B13 skips such an axis. Ends at the first sample that has not.
bool EverySampleIsItsPixel(const TapAxis& axis);

}  // namespace anydml
