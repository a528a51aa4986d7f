// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The weighted sums of tensor/axis_sums.h on the CPU. Two ways with the same
// bits: nested sums per target element for any strides, and one pass per axis
// with vectors over whole rows for packed data.
#pragma once

#include <cstdint>
#include <string_view>

#include "backends/bindings.h"
#include "backends/cpu/executor.h"
#include "tensor/axis_sums.h"

namespace anydml::cpu {

// From input 0 to output 0; FLOAT32, FLOAT16, INT8, UINT8. Takes everything and
// needs no temporary memory.
void SumAxesStrided(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                    const Executor& executor);

// Why SumAxesPacked does not take these sums; empty if it does.
std::string_view RefuseSumAxesPacked(const AxisSums& sums);
// What lies between two passes, as float.
uint64_t SumAxesPackedTemporaryBytes(const AxisSums& sums);
void SumAxesPacked(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                   const Executor& executor);

}  // namespace anydml::cpu
