// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Desc of LP_NORMALIZATION, and of LOCAL_RESPONSE_NORMALIZATION and its gradient.
#pragma once

#include "operators/operator.h"

namespace anydml::normalization {

struct LpNormalization {
  TensorDesc input, output;
  uint32_t axis;
  float epsilon;
  uint32_t p;
};

struct LocalResponse {
  TensorDesc input, input_gradient, output;  // the second of the gradient only
  bool cross_channel;
  uint32_t local_size;
  float alpha, beta, bias;
};

void ReferenceLp(const LpNormalization& desc, const Bindings& bindings);
void ReferenceResponse(const LocalResponse& desc, const Bindings& bindings);

}  // namespace anydml::normalization
