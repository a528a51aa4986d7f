// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a validated description of MAX_UNPOOLING says.
#pragma once

#include "operators/operator.h"

namespace anydml::max_unpooling {

struct Desc {
  TensorDesc input, indices, output;
};

void Reference(const Desc& desc, const Bindings& bindings);

extern const Definition kMaxUnpooling;

}  // namespace anydml::max_unpooling
