// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is made of one block of at most 4096 elements of a set (B61): a partial
// result. Kernels for a data type and a function, chosen from a table.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/reduce/extreme_keys.h"
#include "kernels/reduce/sets.h"

namespace anydml::reduce {

inline constexpr uint64_t kStrip = 256;  // columns that are worked on together

// How far ahead of the loads lines are asked for: without it, reading alone took 1.5 times as long.
inline constexpr uintptr_t kAhead = 2048;

// Rows of a strip, of which the slots of a blocked sum consist.
struct StripBuffer {
  alignas(64) float slots[kSlots * kStrip];
};

// What a partial result is made of.
enum class Partial : uint8_t { kSum, kSumOfAbsolutes, kSumOfSquares, kProduct, kExtreme };

struct BlockKernel {
  uint32_t partial_bytes;
  // Elements that lie side by side.
  void (*block)(ExtremeSettings, const void* x, uint64_t count, void* partial);
  // `lanes` sets side by side, at most kStrip: element r of each at x + offsets[r] elements.
  void (*columns)(ExtremeSettings, const void* x, const int64_t* offsets, uint64_t count,
                  uint64_t lanes, void* partials, StripBuffer& buffer);
  // The same of partial results, of which there are as many as blocks.
  void (*combine)(void* partials, uint64_t count);  // into the first
  void (*combine_columns)(void* partials, const int64_t* offsets, uint64_t count, uint64_t lanes,
                          void* results, StripBuffer& buffer);
};

// For this processor. The types are those of the operator's table.
const BlockKernel& FindBlockKernel(Partial partial, DataType type);

}  // namespace anydml::reduce
