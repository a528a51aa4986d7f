// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The CPU strategies that fill a file of their own.
#pragma once

#include "operators/max_pooling_grad/plan.h"

namespace anydml::max_pooling_grad {

Refusal AcceptsSeparateChannels(const Plan& plan);
void RunSeparateChannels(const Plan& plan, const NoTables&, const Bindings& bindings,
                         const cpu::Executor& executor);

Refusal AcceptsColumnPairs(const Plan& plan);
void RunColumnPairs(const Plan& plan, const NoTables&, const Bindings& bindings,
                    const cpu::Executor& executor);

Refusal AcceptsOneWindow(const Plan& plan);
void RunOneWindow(const Plan& plan, const NoTables&, const Bindings& bindings,
                  const cpu::Executor& executor);

Refusal AcceptsSeparateRows(const Plan& plan);
void RunSeparateRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                     const cpu::Executor& executor);

Refusal AcceptsDenseChannels(const Plan& plan);
void RunDenseChannels(const Plan& plan, const NoTables&, const Bindings& bindings,
                      const cpu::Executor& executor);

Refusal AcceptsSharedChannels(const Plan& plan);
void RunSharedChannels(const Plan& plan, const NoTables&, const Bindings& bindings,
                       const cpu::Executor& executor);

Refusal AcceptsSharedColumns(const Plan& plan);
void RunSharedColumns(const Plan& plan, const NoTables&, const Bindings& bindings,
                      const cpu::Executor& executor);

Refusal AcceptsSharedRows(const Plan& plan);
void RunSharedRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                   const cpu::Executor& executor);

}  // namespace anydml::max_pooling_grad
