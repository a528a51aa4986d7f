// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The axes of RESAMPLE and of its gradient: what a description says about each,
// and the taps that follow from it.
#pragma once

#include <directml.h>

#include <array>
#include <cstddef>
#include <span>

#include "schema/arguments.h"
#include "schema/field_lists.h"
#include "tensor/axis_sums.h"

namespace anydml {

inline constexpr uint32_t kMaxResampledAxes = kMaxSumAxes;

struct ResampledAxis {
  float scale;
  float input_pixel_offset;
  float output_pixel_offset;
};

// The arrays of a struct, of which DimensionCount is field `kCount`. The fallbacks of the
// offsets are the centres of pixels, which RESAMPLE always means.
template <class Struct, int kCount>
inline constexpr schema::Field kScaleArrays[] = {
    schema::DimensionCount("DimensionCount", offsetof(Struct, DimensionCount), 0),
    schema::Array(schema::FieldType::kFloatArray, "Scales", offsetof(Struct, Scales), kCount),
    schema::Array(schema::FieldType::kFloatArray, "InputPixelOffsets",
                  offsetof(Struct, InputPixelOffsets), kCount, 0.5),
    schema::Array(schema::FieldType::kFloatArray, "OutputPixelOffsets",
                  offsetof(Struct, OutputPixelOffsets), kCount, -0.5),
};
template <class Struct>
inline constexpr schema::Field kRoundingField = schema::Enum("RoundingDirection",
                                                             offsetof(Struct, RoundingDirection),
                                                             schema::kAxisDirection);

// RESAMPLE has the first three.
template <int kScales>
inline constexpr schema::Constraint kScaleConstraints[] = {
    schema::SameDataType({0, 1}),
    schema::SameDimensionCount({0, 1}),
    schema::Positive({kScales}),
    schema::Finite({kScales + 1, kScales + 2}),
};

// Axis i of a description whose fields Scales, InputPixelOffsets and
// OutputPixelOffsets follow one another from number `scales` on.
inline ResampledAxis ResampledAxisAt(const schema::Arguments& arguments, uint32_t scales,
                                     uint32_t i) {
  return {arguments.FloatAt(scales, i), arguments.FloatAt(scales + 1, i),
          arguments.FloatAt(scales + 2, i)};
}

// Without a RoundingDirection NEAREST takes the pixel at floor(x + 0.5): 0.5 less
// on the input offset in float, then DECREASING (B8).
inline void RoundHalvesUp(DML_INTERPOLATION_MODE mode, std::span<ResampledAxis> axes) {
  if (mode != DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR) return;
  for (ResampledAxis& axis : axes) axis.input_pixel_offset -= 0.5f;
}

inline Sampling SamplingOf(DML_INTERPOLATION_MODE mode, DML_AXIS_DIRECTION rounding_direction) {
  if (mode == DML_INTERPOLATION_MODE_LINEAR) return Sampling::kLinear;
  const bool increasing = rounding_direction == DML_AXIS_DIRECTION_INCREASING;
  return increasing ? Sampling::kCeil : Sampling::kFloor;
}

// Pixels are elements of the forward operator's input, samples those of its
// output. Axes beyond the dimension count stay unread.
inline std::array<TapAxis, kMaxSumAxes> TapAxesOf(
    Sampling sampling, const TensorDesc& pixels, const TensorDesc& samples,
    const std::array<ResampledAxis, kMaxResampledAxes>& axes) {
  std::array<TapAxis, kMaxSumAxes> taps = {};
  for (uint32_t i = 0; i < kMaxResampledAxes; ++i) {
    taps[i] = {.sampling = sampling,
               .pixel_count = pixels.sizes[i],
               .sample_count = samples.sizes[i],
               .scale = axes[i].scale,
               .input_pixel_offset = axes[i].input_pixel_offset,
               .output_pixel_offset = axes[i].output_pixel_offset};
  }
  return taps;
}

}  // namespace anydml
