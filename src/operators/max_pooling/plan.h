// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/window/plan.h"
#include "operators/max_pooling/desc.h"
#include "operators/max_pooling/formula.h"

namespace anydml::max_pooling {

Plan MakePlan(const Desc& desc);
std::string Explain(const Plan& plan);

}  // namespace anydml::max_pooling
