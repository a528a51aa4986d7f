// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Desc of CUMULATIVE_SUMMATION and CUMULATIVE_PRODUCT.
#pragma once

#include "operators/operator.h"

namespace anydml::reduce {

struct Scan {
  bool product;
  TensorDesc input;
  TensorDesc output;
  uint32_t axis;
  bool downwards;
  bool exclusive;
};

void ReferenceScan(const Scan& desc, const Bindings& bindings);

}  // namespace anydml::reduce
