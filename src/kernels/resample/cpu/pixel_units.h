// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How sums pixel by pixel (axis_sums_pixels.cpp) are cut into units of work:
// pieces of the inner axis, for every index of the outer one and every plane.
#pragma once

#include <algorithm>
#include <cstdint>

#include "backends/cpu/rows.h"
#include "tensor/row_nest.h"

namespace anydml::cpu {

struct PixelUnits {
  uint64_t targets;  // of the inner axis, at most
  uint64_t pieces;   // of the inner axis
  uint64_t count;
};

inline PixelUnits PixelUnitsOf(const RowNest& nest) {
  const uint64_t size = nest.levels[0].target_size;
  const uint64_t some = std::max<uint64_t>(1, kElementsPerUnit / nest.target_lanes);
  PixelUnits units;
  units.targets = std::min(size, some);
  units.pieces = CeilDivide(size, units.targets);
  const uint64_t outer = nest.level_count == 2 ? nest.levels[1].target_size : 1;
  units.count = units.pieces * outer * nest.PlaneCount();
  return units;
}

// Whether no line of the target holds parts of two pixels.
inline bool PixelsAreLines(const RowNest& nest, const void* target, uint64_t element_bytes) {
  constexpr uint64_t kLine = 64;
  const auto whole = [&](uint64_t elements) { return elements * element_bytes % kLine == 0; };
  bool all = reinterpret_cast<uintptr_t>(target) % kLine == 0 && whole(nest.target_lanes);
  for (uint32_t j = 0; j < nest.level_count; ++j) {
    all = all && whole(static_cast<uint64_t>(nest.levels[j].target_stride));
  }
  for (uint32_t i = 0; i < nest.plane_axes; ++i) {
    all = all && whole(static_cast<uint64_t>(nest.planes[i].target_stride));
  }
  return all;
}

}  // namespace anydml::cpu
