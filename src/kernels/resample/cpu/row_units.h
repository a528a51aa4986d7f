// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How sums of rows (row_sums.cpp) are cut into units of work, and where in a thread's
// scratch memory rows and items wait: an item is what the levels before one make of one
// place along its axis.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/resample/cpu/row_functions.h"
#include "tensor/axis_sums.h"

namespace anydml::cpu {

// On the stack of each thread.
inline constexpr uint64_t kScratchFloats = 28672;

struct RowUnits {
  bool possible = false;
  uint64_t lanes = 0;   // of a piece of a row, a multiple of 16; the last one may be longer
  uint64_t pieces = 1;  // of a row
  std::array<uint64_t, kMaxSumAxes> targets = {};   // of each level, at most
  std::array<uint64_t, kMaxSumAxes> slots = {};     // of what each level adds, a power of two
  std::array<uint64_t, kMaxSumAxes> slots_at = {};  // in floats
  uint64_t count = 0;

  // More than `lanes`, where the last piece is.
  uint64_t MaxLanes(uint64_t target_lanes) const { return target_lanes - (pieces - 1) * lanes; }
};

struct RowUnit {
  uint64_t plane = 0;
  std::array<IndexSpan, kMaxSumAxes> targets = {};  // of each level
  IndexSpan lanes;
};

// `max_terms` of each axis.
RowUnits MakeRowUnits(const RowNest& nest, const std::array<uint32_t, kMaxSumAxes>& max_terms,
                      uint64_t threads);
RowUnit UnitOf(const RowNest& nest, const RowUnits& units, uint64_t unit);

}  // namespace anydml::cpu
