// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of ACTIVATION_RELU: one walk over two tensors. Knows nothing of threads
// or vectors.
#pragma once

#include "operators/relu/desc.h"
#include "tensor/strided_loop.h"

namespace anydml::relu {

struct Plan {
  DataType data_type;
  StridedLoop<2> loop;  // input, output
};

Plan MakePlan(const Desc& desc);
std::string Explain(const Plan& plan);

}  // namespace anydml::relu
