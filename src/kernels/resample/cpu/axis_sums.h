// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The weighted sums of tensor/axis_sums.h on the CPU, from input 0 to output 0;
// FLOAT32, FLOAT16, INT8, UINT8. Every way gives the same bits and needs no temporary
// memory. An Accepts function says whether its Sum function takes the sums.
#pragma once

#include <cstdint>

#include "backends/bindings.h"
#include "backends/cpu/executor.h"
#include "kernels/resample/cpu/row_functions.h"
#include "kernels/strategy.h"
#include "tensor/axis_sums.h"

namespace anydml::cpu {

// One or two axes outside channels, few terms: pixel by pixel.
Refusal AcceptsChannelsLast(const AxisSums& sums);
void SumChannelsLast(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                     const Executor& executor);

// Three axes outside channels, each half as long afterwards.
Refusal AcceptsPairedVolumes(const AxisSums& sums);
void SumPairedVolumes(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                      const Executor& executor);

// Rows whose lanes are of this kind, and any axes outside them. Some 150 KiB of each
// thread's stack.
Refusal AcceptsRows(const AxisSums& sums, RowKind kind);
void SumRows(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
             const Executor& executor, RowKind kind);

using SumTypes = TypeList<float, Float16, int8_t, uint8_t>;

inline uint64_t ElementCount(const std::array<uint64_t, kMaxSumAxes>& sizes, uint32_t rank) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < rank; ++i) count *= sizes[i];
  return count;
}

// How many of so many units are worth a thread.
uint64_t GrainOf(const AxisSums& sums, uint64_t units);

// Element offsets of a plane's begin.
struct PlaneOffsets {
  int64_t source = 0;
  int64_t target = 0;
};
PlaneOffsets OffsetsOf(const RowNest& nest, uint64_t plane);

// With channels last: rows of pixels, whose axis is then the one in the lanes. As it is
// where that is not so, or nothing else changes.
RowNest JoinPixels(const RowNest& nest);

// Whether all changing axes have tables of terms.
Refusal AcceptsLongAxes(const AxisSums& sums);

}  // namespace anydml::cpu
