// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Desc of the RESAMPLE family, in the words of its newest version: what a
// validated description of any version, or of UPSAMPLE_2D, says.
#pragma once

#include <directml.h>

#include <array>

#include "operators/operator.h"
#include "operators/resampled_axes.h"

namespace anydml::resample {

struct Desc {
  TensorDesc input;
  TensorDesc output;
  DML_INTERPOLATION_MODE interpolation_mode;
  DML_AXIS_DIRECTION rounding_direction;
  std::array<ResampledAxis, kMaxResampledAxes> axes;
};

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions& options);
Desc MakeDesc1(const schema::Arguments& arguments, const DeviceOptions& options);
Desc MakeDesc2(const schema::Arguments& arguments, const DeviceOptions& options);
Desc MakeUpsample(const schema::Arguments& arguments, const DeviceOptions& options);

void Reference(const Desc& desc, const Bindings& bindings);

Result<std::vector<GraphValue>> Gradient(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> Gradient2(const ForwardNode& node, GradientBuilder& builder);
Result<std::vector<GraphValue>> UpsampleGradient(const ForwardNode& node, GradientBuilder& builder);

extern const Kernel kKernel;
extern const CudaKernel kCudaKernel;  // in a build with CUDA
extern const Definition kResample;
extern const Definition kResample1;
extern const Definition kResample2;
extern const Definition kResample3;
extern const Definition kUpsample2D;

}  // namespace anydml::resample
