// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the pages say of pooling's windows, for references.
#pragma once

#include <vector>

#include "operators/reference.h"
#include "tensor/window.h"

namespace anydml::reference {

// The positions on one spatial axis of the input that window `o` sees: those whose
// distance from the window's start is a multiple of the dilation, fewer than
// WindowSize of them.
inline std::vector<int64_t> WindowPositions(const WindowArrays& window, const TensorDesc& input,
                                            uint32_t axis, int64_t o) {
  std::vector<int64_t> positions;
  for (int64_t p = 0; p < int64_t{input.sizes[2 + axis]}; ++p) {
    const int64_t distance = p + window.start_padding[axis] - o * int64_t{window.strides[axis]};
    const int64_t dilation = window.dilations[axis];
    if (distance >= 0 && distance % dilation == 0 &&
        distance / dilation < int64_t{window.window_size[axis]}) {
      positions.push_back(p);
    }
  }
  return positions;
}

}  // namespace anydml::reference
