// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The windows for which there are strips of lanes. One data type per source file,
// so that they compile side by side.
#pragma once

#include "kernels/window/cuda/gradient/lane_strips.cuh"
#include "kernels/window/cuda/gradient/strip_rows.h"

namespace anydml::window::gradient {

inline LaneGrid LaneGridOf(const StripGrid& strip, int64_t planes, const StripCosts& costs) {
  constexpr int kLanes = 32;
  LaneGrid grid = {};
  grid.strip = strip;
  grid.packs = strip.width / costs.columns;
  int units = 1;
  if (grid.packs > kLanes) units = (grid.packs + kLanes - 3) / (kLanes - 2);
  grid.lead = units > 1 ? 1 : 0;
  grid.own = (grid.packs + units - 1) / units;
  const int lanes = grid.own + 2 * grid.lead;
  grid.lanes = cuda::Divider(static_cast<uint64_t>(lanes));
  grid.units = cuda::Divider(static_cast<uint64_t>(units));
  grid.all_units = static_cast<uint32_t>(planes * units);
  grid.units_per_warp = static_cast<uint32_t>(kLanes / lanes);
  const int64_t groups = CeilDivideSigned(grid.all_units, grid.units_per_warp);
  const int64_t chunks = SetRows(grid.strip, groups, costs);
  grid.warps = static_cast<uint32_t>(groups * chunks);
  return grid;
}

template <typename T, int kSize, int kStride, int kDilation, int kPad>
bool TryLaneStrips(const StripGrid& strip, const StripWindow& window, int64_t planes,
                   const Bindings& bindings, cuda::Stream stream) {
  if (window != StripWindow{kSize, kStride, kDilation} || strip.pad_width != kPad) return false;
  using Shape = LaneShape<T, kSize, kStride, kDilation, kPad>;
  constexpr auto kKernel = WalkLanes<T, kSize, kStride, kDilation, kPad>;
  const StripCosts costs = {.columns = Shape::kColumns,
                            .stride = kStride,
                            .warm_up = Shape::kWarmUp,
                            .warps_at_once = WarpsAtOnce<kKernel>(Shape::kThreads)};
  const LaneGrid grid = LaneGridOf(strip, planes, costs);
  kKernel<<<cuda::BlocksFor(uint64_t{grid.warps} * 32, Shape::kThreads), Shape::kThreads, 0,
            stream>>>(grid, bindings.Input<T>(0), bindings.Input<T>(1), bindings.Output<T>(0));
  return true;
}

template <typename T>
bool LaunchLaneStrips(const StripGrid& grid, const StripWindow& window, int64_t planes,
                      const Bindings& bindings, cuda::Stream stream) {
  return TryLaneStrips<T, 3, 2, 1, 1>(grid, window, planes, bindings, stream) ||
         TryLaneStrips<T, 3, 2, 1, 0>(grid, window, planes, bindings, stream) ||
         TryLaneStrips<T, 3, 1, 1, 1>(grid, window, planes, bindings, stream) ||
         TryLaneStrips<T, 5, 1, 1, 2>(grid, window, planes, bindings, stream) ||
         TryLaneStrips<T, 3, 1, 2, 2>(grid, window, planes, bindings, stream);
}

}  // namespace anydml::window::gradient
