// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of MAX_POOLING: the window's geometry and the strides of the tensors.
// Knows nothing of threads or vectors.
#pragma once

#include "operators/max_pooling/desc.h"

namespace anydml::max_pooling {

struct Plan {
  DataType data_type;
  DataType index_type;  // unknown without indices
  WindowLoop loop;
  PlaneStrides input;
  PlaneStrides output;
  PlaneStrides indices;
};

Plan MakePlan(const Desc& desc);
std::string Explain(const Plan& plan);

}  // namespace anydml::max_pooling
