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
ResampledAxis MakeAxis(const schema::Arguments& arguments, uint32_t scales, uint32_t i,
                       const DeviceOptions& options) {
  ResampledAxis axis = ResampledAxisAt(arguments, scales, i);
  if (options.exchange_pixel_offsets) std::swap(axis.input_pixel_offset, axis.output_pixel_offset);
  return axis;
}

}  // namespace

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions& options) {
  Desc desc = MakeCommon(arguments, DML_AXIS_DIRECTION_DECREASING);
  for (uint32_t i = 0; i < desc.input_gradient.dimension_count; ++i) {
    desc.axes[i] = MakeAxis(arguments, version0::kScales, i, options);
  }
  // Of the forward operator's offset, hence after an exchange.
  RoundHalvesUp(desc.interpolation_mode, desc.axes);
  return desc;
}

Desc MakeDesc1(const schema::Arguments& arguments, const DeviceOptions& options) {
  Desc desc = MakeCommon(
      arguments, static_cast<DML_AXIS_DIRECTION>(arguments.Uint(version1::kRoundingDirection)));
  for (uint32_t i = 0; i < desc.input_gradient.dimension_count; ++i) {
    desc.axes[i] = MakeAxis(arguments, version1::kScales, i, options);
  }
  return desc;
}

constinit const Definition kResampleGrad = {
    &version0::kSchema, EraseDesc<Desc, MakeDesc>, &kKernel, kCases, {}, Gradient};
constinit const Definition kResampleGrad1 = {
    &version1::kSchema, EraseDesc<Desc, MakeDesc1>, &kKernel, kCases, kBenchCases, Gradient1};

}  // namespace anydml::resample_grad
