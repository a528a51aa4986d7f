// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Strips of aligned rows: neighbouring lanes hold neighbouring columns, and tell
// each other what they would otherwise both find out.
#pragma once

#include "kernels/window/cuda/gradient/strips.h"

namespace anydml::window::gradient {

// A lane owns 16 bytes of columns. A row takes the lanes of one unit; a warp
// takes as many units as have room in it, all with the same rows. Rows that do
// not fit a warp are cut into several units, which then begin and end with a lane
// that only finds out what its neighbour has to know.
struct LaneGrid {
  StripGrid strip;
  cuda::Divider lanes;  // of a unit
  cuda::Divider units;  // of a plane
  uint32_t all_units;
  uint32_t units_per_warp;
  uint32_t warps;
  int packs;  // of a row
  int own;    // packs that a unit stores
  int lead;   // lanes of a unit before those, 0 or 1
};

// False where there is no such kernel; nothing is launched then.
template <typename T>
bool LaunchLaneStrips(const StripGrid& grid, const StripWindow& window, int64_t planes,
                      const Bindings& bindings, cuda::Stream stream);
extern template bool LaunchLaneStrips<float>(const StripGrid&, const StripWindow&, int64_t,
                                             const Bindings&, cuda::Stream);
extern template bool LaunchLaneStrips<Float16>(const StripGrid&, const StripWindow&, int64_t,
                                               const Bindings&, cuda::Stream);

}  // namespace anydml::window::gradient
