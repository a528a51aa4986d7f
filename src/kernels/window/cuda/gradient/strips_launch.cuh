// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The windows for which there are strips. One data type per source file, so that
// they compile side by side.
#pragma once

#include "kernels/window/cuda/gradient/strip_rows.h"
#include "kernels/window/cuda/gradient/strips.cuh"

namespace anydml::window::gradient {

template <typename T, int kSize, int kStride, int kDilation, Access kAccess, int kPad>
void LaunchStripsOf(const StripGrid& strip, const Bindings& bindings, cuda::Stream stream) {
  using Shape = StripShape<T, kSize, kStride, kDilation, kAccess, kPad>;
  constexpr auto kKernel = WalkStrips<T, kSize, kStride, kDilation, kAccess, kPad>;
  StripGrid grid = strip;
  const int64_t chunks = SetRows(grid, CeilDivideSigned(grid.strips_per_chunk, 32),
                                 {.columns = Shape::kColumns,
                                  .stride = kStride,
                                  .warm_up = Shape::kWarmUp,
                                  .warps_at_once = WarpsAtOnce<kKernel>(Shape::kThreads)});
  grid.strips = static_cast<uint32_t>(grid.strips_per_chunk * chunks);
  kKernel<<<cuda::BlocksFor(grid.strips, Shape::kThreads), Shape::kThreads, 0, stream>>>(
      grid, bindings.Input<T>(0), bindings.Input<T>(1), bindings.Output<T>(0));
}

// kPads: the paddings along the width that have an aligned kernel here. Strips of
// lanes (lane_strips.cuh) come first, and take aligned rows of larger windows.
template <typename T, int kSize, int kStride, int kDilation, int... kPads>
bool TryStrips(const StripGrid& grid, const StripWindow& window, Access access,
               const Bindings& bindings, cuda::Stream stream) {
  if (window != StripWindow{kSize, kStride, kDilation}) return false;
  if (access == Access::kApart) {
    LaunchStripsOf<T, kSize, kStride, kDilation, Access::kApart, 0>(grid, bindings, stream);
    return true;
  }
  const bool aligned = access == Access::kAligned &&
                       ((grid.pad_width == kPads &&
                         (LaunchStripsOf<T, kSize, kStride, kDilation, Access::kAligned, kPads>(
                              grid, bindings, stream),
                          true)) ||
                        ...);
  if (!aligned) {
    LaunchStripsOf<T, kSize, kStride, kDilation, Access::kAnywhere, 0>(grid, bindings, stream);
  }
  return true;
}

template <typename T>
void LaunchStrips(const StripGrid& grid, const StripWindow& window, Access access,
                  const Bindings& bindings, cuda::Stream stream) {
  static_cast<void>(TryStrips<T, 2, 2, 1, 0>(grid, window, access, bindings, stream) ||
                    TryStrips<T, 3, 2, 1>(grid, window, access, bindings, stream) ||
                    TryStrips<T, 3, 1, 1>(grid, window, access, bindings, stream) ||
                    TryStrips<T, 2, 1, 1, 0>(grid, window, access, bindings, stream) ||
                    TryStrips<T, 5, 1, 1>(grid, window, access, bindings, stream) ||
                    TryStrips<T, 3, 1, 2>(grid, window, access, bindings, stream));
}

}  // namespace anydml::window::gradient
