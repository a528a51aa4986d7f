// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The weighted sums of tensor/axis_sums.h on the CPU. Two ways with the same
// bits: nested sums per target element for any strides, and sums of whole rows
// where one axis lies side by side in both tensors.
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

// What SumAxesStrided does where a single axis changes and has no table.
void SumLongAxis(const AxisSums& sums, const Bindings& bindings, const Executor& executor);
// What SumAxesOfRows does where a single axis changes, in the lanes, and its terms
// repeat, with or without a table; false, and nothing done, elsewhere.
bool SumRepeatedRows(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                     const Executor& executor);

// Why SumAxesOfRows does not take these sums; empty if it does.
std::string_view RefuseSumAxesOfRows(const AxisSums& sums);
// Needs no temporary memory either, but some 130 KiB of each thread's stack.
void SumAxesOfRows(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                   const Executor& executor);

// What SumAxesOfRows does where a target has few terms along one or two axes and
// the lanes change nothing.
bool TakesPixels(const AxisSums& sums, const AxisSumsTables& tables);
void SumAxesOfPixels(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                     const Executor& executor);

// The same for one to three axes outside lanes that change first, or outside rows of
// pixels; false, and nothing done, where look-ups are too many or too much waits.
bool SumAxesOfOrderedRows(const AxisSums& sums, const AxisSumsTables& tables,
                          const Bindings& bindings, const Executor& executor);

// The same for three axes outside channels, each half as long afterwards.
bool SumAxesOfVolumes(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                      const Executor& executor);

using SumTypes = TypeList<float, Float16, int8_t, uint8_t>;

inline uint64_t ElementCount(const std::array<uint64_t, kMaxSumAxes>& sizes, uint32_t rank) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < rank; ++i) count *= sizes[i];
  return count;
}

}  // namespace anydml::cpu
