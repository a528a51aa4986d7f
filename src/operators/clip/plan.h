// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of ELEMENT_WISE_CLIP and ELEMENT_WISE_CLIP1: one walk over two tensors,
// and the numbers of the formula. Knows nothing of threads or vectors.
#pragma once

#include "operators/clip/desc.h"
#include "tensor/strided_loop.h"

namespace anydml::clip {

struct Plan {
  DataType data_type;
  StridedLoop<2> loop;  // input, output
  ScaleBias scale_bias;
  Scalar min;
  Scalar max;
};

Plan MakePlan(const Desc& desc);
std::string Explain(const Plan& plan);

}  // namespace anydml::clip
