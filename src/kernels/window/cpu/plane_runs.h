// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A plane as runs of elements that lie side by side, in logical order: the
// whole plane where it is packed, its rows otherwise.
#pragma once

#include "backends/cpu/rows.h"
#include "tensor/window.h"

namespace anydml::cpu {

struct PlaneRuns {
  int64_t length;
  int64_t heights;  // runs per depth
  int64_t depths;
  int64_t height_stride;
  int64_t depth_stride;

  // The innermost stride must be 1.
  PlaneRuns(const WindowLoop& loop, const PlaneStrides& strides) {
    const auto& [depth, height, width] = loop.axes;
    length = width.input_size;
    heights = height.input_size;
    depths = depth.input_size;
    height_stride = strides.spatial[WindowLoop::kHeight];
    depth_stride = strides.spatial[WindowLoop::kDepth];
    const bool rows_packed = heights == 1 || height_stride == length;
    if (rows_packed && (depths == 1 || depth_stride == heights * length)) {
      length *= heights * depths;
      heights = depths = 1;
    }
  }

  int64_t count() const { return heights * depths; }
  int64_t Offset(int64_t run) const {
    if (run == 0) return 0;
    return run / heights * depth_stride + run % heights * height_stride;
  }
};

// An element of a plane, by its run.
struct RunElement {
  int64_t run;
  int64_t position;
};

// Whether there is one window and it sees every element.
inline bool SeesWholePlane(const WindowLoop& loop) {
  for (const WindowAxis& axis : loop.axes) {
    if (axis.output_size != 1 || TapsOf(axis, 0).count != axis.input_size) return false;
  }
  return true;
}

}  // namespace anydml::cpu
