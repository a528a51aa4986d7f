// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of ACTIVATION_RELU_GRAD: one walk over three tensors. Knows nothing of
// threads or vectors.
#pragma once

#include "operators/relu_grad/desc.h"
#include "tensor/strided_loop.h"

namespace anydml::relu_grad {

struct Plan {
  DataType data_type;
  StridedLoop<3> loop;  // input, input gradient, output gradient
};

Plan MakePlan(const Desc& desc);
std::string Explain(const Plan& plan);

}  // namespace anydml::relu_grad
