// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/resample_grad/desc.h"

#include <utility>

#include "operators/resample_grad/cases.h"
#include "operators/resample_grad/schema.h"

namespace anydml::resample_grad {
namespace {

// All but the axes.
Desc MakeCommon(const schema::Arguments& arguments, DML_AXIS_DIRECTION rounding_direction) {
  return {
      .input_gradient = arguments.tensor(kInputGradientTensor),
      .output_gradient = arguments.tensor(kOutputGradientTensor),
      .interpolation_mode = static_cast<DML_INTERPOLATION_MODE>(arguments.Uint(kInterpolationMode)),
      .rounding_direction = rounding_direction,
      .axes = {}};
}

// By default the arrays mean what they mean in the forward operator. Exchanged,
// "input" belongs to InputGradientTensor, which has the forward output's sizes
// (B10).
Axis MakeAxis(float scale, float input_pixel_offset, float output_pixel_offset,
              const DeviceOptions& options) {
  if (options.exchange_pixel_offsets) std::swap(input_pixel_offset, output_pixel_offset);
  return {scale, input_pixel_offset, output_pixel_offset};
}

// Without a RoundingDirection NEAREST takes the pixel at floor(x + 0.5): 0.5 less
// on the input offset in float, then DECREASING (B8). That offset is the forward
// operator's, hence after an exchange.
void RoundHalvesUp(Desc& desc) {
  if (desc.interpolation_mode != DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR) return;
  for (Axis& axis : desc.axes) axis.input_pixel_offset -= 0.5f;
}

}  // namespace

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions& options) {
  Desc desc = MakeCommon(arguments, DML_AXIS_DIRECTION_DECREASING);
  for (uint32_t i = 0; i < desc.input_gradient.dimension_count; ++i) {
    desc.axes[i] = MakeAxis(arguments.FloatAt(version0::kScales, i),
                            arguments.FloatAt(version0::kInputPixelOffsets, i),
                            arguments.FloatAt(version0::kOutputPixelOffsets, i), options);
  }
  RoundHalvesUp(desc);
  return desc;
}

Desc MakeDesc1(const schema::Arguments& arguments, const DeviceOptions& options) {
  Desc desc = MakeCommon(
      arguments, static_cast<DML_AXIS_DIRECTION>(arguments.Uint(version1::kRoundingDirection)));
  for (uint32_t i = 0; i < desc.input_gradient.dimension_count; ++i) {
    desc.axes[i] = MakeAxis(arguments.FloatAt(version1::kScales, i),
                            arguments.FloatAt(version1::kInputPixelOffsets, i),
                            arguments.FloatAt(version1::kOutputPixelOffsets, i), options);
  }
  return desc;
}

constinit const Definition kResampleGrad = {&version0::kSchema, EraseDesc<Desc, MakeDesc>, &kKernel,
                                            kCases};
constinit const Definition kResampleGrad1 = {&version1::kSchema, EraseDesc<Desc, MakeDesc1>,
                                             &kKernel, kCases, kBenchCases};

}  // namespace anydml::resample_grad
