// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The kernels behind strategies.h, a file each.
#pragma once

#include "kernels/strategy.h"
#include "kernels/window/average.h"

namespace anydml::window::average {

Refusal AcceptsOneWindow(const Plan& plan);
void RunOneWindow(const Plan& plan, const NoTables&, const Bindings& bindings,
                  const cpu::Executor& executor);

Refusal AcceptsChannelPlanes(const Plan& plan);
void RunChannelPlanes(const Plan& plan, const NoTables&, const Bindings& bindings,
                      const cpu::Executor& executor);

void RunOneWindowGradient(const Plan& plan, const NoTables&, const Bindings& bindings,
                          const cpu::Executor& executor);

Refusal AcceptsRowSums(const Plan& plan);
void RunRowSums(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor);
Refusal AcceptsRowGradients(const Plan& plan);
void RunRowGradients(const Plan& plan, const NoTables&, const Bindings& bindings,
                     const cpu::Executor& executor);

}  // namespace anydml::window::average
