// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of the RESAMPLE family: weighted sums along the axes, from pixels to
// samples. Knows nothing of threads or vectors.
#pragma once

#include "operators/resample/desc.h"
#include "tensor/axis_sums.h"

namespace anydml::resample {

struct Plan {
  AxisSums sums;
};

Plan MakePlan(const Desc& desc);
std::string Explain(const Plan& plan);
Result<AxisSumsTables> MakeTables(const Plan& plan);

}  // namespace anydml::resample
