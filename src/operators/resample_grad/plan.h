// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of RESAMPLE_GRAD and RESAMPLE_GRAD1: the forward operator's weighted sums
// transposed, from samples back to pixels. Knows nothing of threads or vectors.
#pragma once

#include "operators/resample_grad/desc.h"
#include "tensor/axis_sums.h"

namespace anydml::resample_grad {

struct Plan {
  AxisSums sums;
};

Plan MakePlan(const Desc& desc);
std::string Explain(const Plan& plan);
Result<AxisSumsTables> MakeTables(const Plan& plan);

}  // namespace anydml::resample_grad
