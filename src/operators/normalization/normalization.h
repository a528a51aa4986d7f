// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Desc of the normalizations of this folder, and of their gradients.
#pragma once

#include "operators/axis_sets.h"
#include "operators/operator.h"

namespace anydml::normalization {

// Tensors that an operator does not have, or that are absent, are not present().
struct Normalization {
  bool calculates;  // mean and variance, over the reduced dimensions
  bool use_mean;
  bool use_variance;
  float epsilon;
  AxisSet reduced;
  TensorDesc input, mean, variance, scale, bias, add, output, output_mean, output_variance;
  // Bindings of those inputs.
  int mean_binding, variance_binding, scale_binding, bias_binding, add_binding;
};

struct Gradient {
  bool of_training;
  float epsilon;
  AxisSet reduced;
  TensorDesc input, input_gradient, mean, variance, scale;
  TensorDesc output, scale_gradient, bias_gradient;
};

void ReferenceNormalization(const Normalization& desc, const Bindings& bindings);
void ReferenceGradient(const Gradient& desc, const Bindings& bindings);

}  // namespace anydml::normalization
