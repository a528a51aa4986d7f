// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies for the maximum of every window.
#pragma once

#include "kernels/strategy.h"
#include "kernels/window/plan.h"

namespace anydml::window::maxima {

extern const std::array<CpuStrategy, 4> kStrategies;  // best first; the last accepts everything

Refusal AcceptsOneWindow(const Plan& plan);
void RunOneWindow(const Plan& plan, const NoTables&, const Bindings& bindings,
                  const cpu::Executor& executor);

Refusal AcceptsChannelWindows(const Plan& plan);
void RunChannelWindows(const Plan& plan, const NoTables&, const Bindings& bindings,
                       const cpu::Executor& executor);

Refusal AcceptsRowMaxima(const Plan& plan);
void RunRowMaxima(const Plan& plan, const NoTables&, const Bindings& bindings,
                  const cpu::Executor& executor);

}  // namespace anydml::window::maxima
