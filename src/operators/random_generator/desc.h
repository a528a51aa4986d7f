// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a validated description of RANDOM_GENERATOR says.
#pragma once

#include "operators/operator.h"

namespace anydml::random_generator {

struct Desc {
  TensorDesc input_state;
  TensorDesc output;
  TensorDesc output_state;  // optional
};

void Reference(const Desc& desc, const Bindings& bindings);

extern const Definition kRandomGenerator;

}  // namespace anydml::random_generator
