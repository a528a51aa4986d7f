// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of ELEMENT_WISE_IDENTITY: one walk over two tensors. Knows nothing of
// threads or vectors.
#pragma once

#include "operators/identity/desc.h"
#include "tensor/strided_loop.h"

namespace anydml::identity {

struct Plan {
  DataType data_type;
  StridedLoop<2> loop;  // input, output
  ScaleBias scale_bias;
};

Plan MakePlan(const Desc& desc);
std::string Explain(const Plan& plan);

}  // namespace anydml::identity
