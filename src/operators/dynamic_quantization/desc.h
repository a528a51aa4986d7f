// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a validated description of DYNAMIC_QUANTIZE_LINEAR says.
#pragma once

#include "operators/operator.h"

namespace anydml::dynamic_quantization {

struct Desc {
  TensorDesc input;
  TensorDesc output;
  TensorDesc scale;  // of one element, like the zero point
  TensorDesc zero_point;
};

void Reference(const Desc& desc, const Bindings& bindings);

extern const Definition kDynamicQuantizeLinear;

}  // namespace anydml::dynamic_quantization
