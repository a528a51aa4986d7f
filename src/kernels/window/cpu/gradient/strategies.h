// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies for the gradient of a maximum.
#pragma once

#include "kernels/strategy.h"
#include "kernels/window/plan.h"

namespace anydml::window::gradient {

extern const std::array<CpuStrategy, 6> kStrategies;  // best first; the last accepts everything

Refusal AcceptsSeparateChannels(const Plan& plan);
void RunSeparateChannels(const Plan& plan, const NoTables&, const Bindings& bindings,
                         const cpu::Executor& executor);

Refusal AcceptsOneWindow(const Plan& plan);
void RunOneWindow(const Plan& plan, const NoTables&, const Bindings& bindings,
                  const cpu::Executor& executor);

Refusal AcceptsColumnPairs(const Plan& plan);
void RunColumnPairs(const Plan& plan, const NoTables&, const Bindings& bindings,
                    const cpu::Executor& executor);

Refusal AcceptsSharedColumns(const Plan& plan);
void RunSharedColumns(const Plan& plan, const NoTables&, const Bindings& bindings,
                      const cpu::Executor& executor);

Refusal AcceptsAnyRows(const Plan& plan);
void RunAnyRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor);

}  // namespace anydml::window::gradient
