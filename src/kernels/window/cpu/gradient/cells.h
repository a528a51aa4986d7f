// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Windows that do not overlap along an axis cut it into cells, one per window:
// what belongs to no other window, seen by this one or not.
#pragma once

#include "kernels/window/cpu/window_tiles.h"
#include "tensor/window_maximum.h"

namespace anydml::window::gradient {

// The input coordinates that belong to window o alone.
inline IndexRange CellOf(const WindowAxis& axis, int64_t o) {
  const auto clamp = [&](int64_t p) { return std::clamp<int64_t>(p, 0, axis.input_size); };
  return {clamp(o * axis.stride - axis.start_padding),
          o + 1 == axis.output_size ? axis.input_size
                                    : clamp((o + 1) * axis.stride - axis.start_padding)};
}

// Whether every input is seen by a window.
inline bool CoversCells(const WindowAxis& axis) {
  return axis.dilation == 1 && axis.stride == axis.window_size &&
         axis.output_size * axis.stride - axis.start_padding >= axis.input_size;
}

// The number of tap p among `taps`, or -1.
inline int64_t TapNumber(const Progression& taps, int64_t p) {
  const int64_t past = p - taps.first;
  if (past < 0 || past % taps.step != 0 || past / taps.step >= taps.count) return -1;
  return past / taps.step;
}

}  // namespace anydml::window::gradient
