// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a validated description of VALUE_SCALE_2D says.
#pragma once

#include "operators/operator.h"

namespace anydml::value_scale_2d {

struct Desc {
  TensorDesc input;
  TensorDesc output;
  float scale;
  std::array<float, 3> biases;  // one per channel
};

void Reference(const Desc& desc, const Bindings& bindings);

extern const Definition kValueScale2D;

}  // namespace anydml::value_scale_2d
