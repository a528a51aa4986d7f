// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The CPU strategies that fill a file of their own.
#pragma once

#include "operators/max_pooling/plan.h"

namespace anydml::max_pooling {

Refusal AcceptsOneWindow(const Plan& plan);
void RunOneWindow(const Plan& plan, const NoTables&, const Bindings& bindings,
                  const cpu::Executor& executor);

Refusal AcceptsChannelWindows(const Plan& plan);
void RunChannelWindows(const Plan& plan, const NoTables&, const Bindings& bindings,
                       const cpu::Executor& executor);

Refusal AcceptsRowMaxima(const Plan& plan);
void RunRowMaxima(const Plan& plan, const NoTables&, const Bindings& bindings,
                  const cpu::Executor& executor);

}  // namespace anydml::max_pooling
