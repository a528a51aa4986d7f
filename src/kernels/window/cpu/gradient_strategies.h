// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies for the gradient of a maximum.
#pragma once

#include "kernels/strategy.h"
#include "kernels/window/plan.h"

namespace anydml::window {

Refusal AcceptsRows(const GradientPlan& plan);
void RunRows(const GradientPlan& plan, const NoTables&, const Bindings& bindings,
             const cpu::Executor& executor);

}  // namespace anydml::window
