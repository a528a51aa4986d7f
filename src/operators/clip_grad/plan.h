// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of ELEMENT_WISE_CLIP_GRAD and ELEMENT_WISE_CLIP_GRAD1: one walk over
// three tensors, and the bounds. Knows nothing of threads or vectors.
#pragma once

#include "operators/clip_grad/desc.h"
#include "tensor/strided_loop.h"

namespace anydml::clip_grad {

struct Plan {
  DataType data_type;
  StridedLoop<3> loop;  // input, input gradient, output gradient
  Scalar min;
  Scalar max;
};

Plan MakePlan(const Desc& desc);
std::string Explain(const Plan& plan);

}  // namespace anydml::clip_grad
