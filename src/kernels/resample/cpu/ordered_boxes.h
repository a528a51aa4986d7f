// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How sums of rows in the order of memory (ordered_rows-inl.h) are cut into units of
// work, and where in a thread's scratch memory things wait.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/resample/cpu/row_boxes.h"

namespace anydml::cpu {

// Rows that are summed along their lanes in one call, at most.
inline constexpr uint64_t kRowsAtOnce = 4;
// On the stack of each thread.
inline constexpr uint64_t kOrderedFloats = 28672;
// Of volumes (paired_volumes-inl.h): rows of that memory beside one for each target row.
inline constexpr uint64_t kOtherVolumeRows = 6;

struct OrderedBoxes {
  bool possible = false;
  uint64_t rows_at_once = kRowsAtOnce;
  std::array<uint64_t, kMaxSumAxes> targets = {};   // of each level, at most
  std::array<uint64_t, kMaxSumAxes> slots = {};     // of what each level adds, a power of two
  std::array<uint64_t, kMaxSumAxes> slots_at = {};  // in floats
  uint64_t units = 0;
};

struct OrderedUnit {
  uint64_t plane = 0;
  std::array<IndexSpan, kMaxSumAxes> targets = {};
};

// With channels last: rows of pixels, whose axis is then the one in the lanes. As it is
// where that is not so, or nothing else changes.
RowNest JoinPixels(const RowNest& nest);

OrderedBoxes MakeOrderedBoxes(const RowNest& nest, const AxisSumsTables& tables, uint64_t threads);
OrderedUnit OrderedUnitOf(const RowNest& nest, const OrderedBoxes& boxes, uint64_t unit);

// How many of so many units are worth a thread.
uint64_t GrainOf(const AxisSums& sums, uint64_t units);

}  // namespace anydml::cpu
