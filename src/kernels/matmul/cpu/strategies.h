// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CPU strategies of sums of products.
#pragma once

#include "kernels/matmul/integers.h"
#include "kernels/matmul/products.h"
#include "kernels/strategy.h"

namespace anydml::cpu {

// Panels of both operands are packed for a kernel that holds a block of sums in registers.
Refusal AcceptsPackedPanels(const ProductPlan& plan);
uint64_t PackedPanelsBytes(const ProductPlan& plan);
void RunPackedPanels(const ProductPlan& plan, const NoTables&, const Bindings& bindings,
                     const Executor& executor);

// One row of sums per batch, line after line of the image as it lies.
Refusal AcceptsSingleRows(const ProductPlan& plan);
void RunSingleRows(const ProductPlan& plan, const NoTables&, const Bindings& bindings,
                   const Executor& executor);

// The same of groups that are neighbours in memory, a vector of groups at a time.
Refusal AcceptsGroupLanes(const ProductPlan& plan);
uint64_t GroupLanesBytes(const ProductPlan& plan);
void RunGroupLanes(const ProductPlan& plan, const NoTables&, const Bindings& bindings,
                   const Executor& executor);

// Element after element.
void RunStridedProducts(const ProductPlan& plan, const NoTables&, const Bindings& bindings,
                        const Executor& executor);

// Output elements in the output padding of a convolution: they have no terms (B72).
void FillOutputPadding(const ProductPlan& plan, const Bindings& bindings, const Executor& executor);

}  // namespace anydml::cpu

namespace anydml::matmul {

extern const std::array<CpuStrategy, 1> kIntegerStrategies;

}  // namespace anydml::matmul
