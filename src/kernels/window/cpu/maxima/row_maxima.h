// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How the strategy row_maxima cuts its work. Knows nothing of vectors.
#pragma once

#include "kernels/window/cpu/window_tiles.h"
#include "kernels/window/plan.h"

namespace anydml::window::maxima {

inline constexpr int64_t kMaxRowTaps = 32;         // input rows of one row of windows
inline constexpr int64_t kMaxMaximaLanes = 49152;  // in all buffers

struct RowMaxima {
  std::array<WindowAxis, 3> axes;
  int64_t lanes;
  int64_t planes;
  cpu::Parts channel_parts;
  cpu::Parts window_parts;
  cpu::Parts row_parts;  // of the rows of windows along the height
  // Input rows whose maxima are kept. Neighbouring rows of windows share them
  // where the window has no depth; `shares` says so.
  int64_t slots;
  bool shares;

  RowMaxima(const Plan& plan, int threads);

  cpu::LaneRow Inputs(int64_t lane_count, IndexRange windows) const;
  cpu::LaneRow Windows(int64_t lane_count, IndexRange windows) const;
  int64_t BufferLanes() const;
  int64_t Units() const {
    return planes * axes[WindowLoop::kDepth].output_size * row_parts.count * window_parts.count *
           channel_parts.count;
  }
};

}  // namespace anydml::window::maxima
