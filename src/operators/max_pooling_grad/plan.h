// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/window/plan.h"
#include "operators/max_pooling_grad/desc.h"
#include "operators/max_pooling_grad/formula.h"

namespace anydml::max_pooling_grad {

Plan MakePlan(const Desc& desc);
std::string Explain(const Plan& plan);

}  // namespace anydml::max_pooling_grad
