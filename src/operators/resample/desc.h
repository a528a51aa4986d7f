// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What validated descriptions of resampling and of its gradient say, in the words of the newest
// versions.
#pragma once

#include <directml.h>

#include <array>

#include "operators/operator.h"
#include "tensor/axis_sums.h"

namespace anydml::resample {

struct ResampledAxis {
  float scale;
  float input_pixel_offset;
  float output_pixel_offset;
};

// Of the gradient the input has the sizes of the forward operator's output; the axes mean what they
// mean there.
struct Desc {
  TensorDesc input;
  TensorDesc output;
  DML_INTERPOLATION_MODE interpolation_mode;
  DML_AXIS_DIRECTION rounding_direction;
  std::array<ResampledAxis, kMaxSumAxes> axes;
};

void Reference(const Desc& desc, const Bindings& bindings);
void GradientReference(const Desc& desc, const Bindings& bindings);

Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> Gradient2(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> UpsampleGradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> GradientOfGradient(const ForwardNode& node,
                                                   GradientBuilder& builder);
Result<std::vector<GraphValue>> GradientOfGradient1(const ForwardNode& node,
                                                    GradientBuilder& builder);

extern const Definition kResample;
extern const Definition kResample1;
extern const Definition kResample2;
extern const Definition kResample3;
extern const Definition kUpsample2D;
extern const Definition kResampleGrad;
extern const Definition kResampleGrad1;

}  // namespace anydml::resample
