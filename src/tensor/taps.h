// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Taps of one axis: which pixels a sample reads, and with which weights. An
// axis of pixels is sampled at evenly spaced places that need not be whole;
// sample o lies at x(o) = (o - OutputPixelOffset) / Scale - InputPixelOffset.
// Everything here is IEEE arithmetic in a defined order (B7, B12, B13), so that
// a table and an evaluation on the fly give the same taps on every machine.
// Constexpr, so that kernels of other devices can call it too.
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
  float scale = 1;                // greater than 0; may be infinite
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
inline constexpr uint64_t kMaxSinglePrecisionElements = uint64_t{1} << 22;

template <typename Real>
constexpr Taps TapsIn(const TapAxis& axis, uint64_t sample) {
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
constexpr Taps TapsOf(const TapAxis& axis, uint64_t sample) {
  const bool single = std::max(axis.pixel_count, axis.sample_count) <= kMaxSinglePrecisionElements;
  return single ? TapsIn<float>(axis, sample) : TapsIn<double>(axis, sample);
}

// Where the coordinate's equation, solved for the sample, puts it. Only a place
// to start the search: rounding may have moved the true one.
constexpr uint64_t GuessSample(const TapAxis& axis, uint64_t pixel) {
  const double guess = (static_cast<double>(pixel) + axis.input_pixel_offset) * axis.scale +
                       axis.output_pixel_offset;
  if (!(guess > 0)) return 0;  // NaN too: 0 times infinity
  return static_cast<uint64_t>(std::min(guess, static_cast<double>(axis.sample_count - 1)));
}

// The least sample whose `pixel` is at least this one; sample_count if none is.
constexpr uint64_t FirstSampleAt(const TapAxis& axis, uint64_t pixel) {
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

// As many samples as pixels, and every sample has the single tap (sample, 1):
// B13 skips such an axis. Ends at the first sample that has not.
bool EverySampleIsItsPixel(const TapAxis& axis);

}  // namespace anydml
