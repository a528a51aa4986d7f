// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the kernels of this family are given: the geometry of a window and the
// strides of the tensors. Knows nothing of threads or vectors.
#pragma once

#include "tensor/window.h"

namespace anydml::window {

namespace maxima {

// The maximum of every window, and where it is.
struct Plan {
  DataType data_type;
  DataType index_type;  // unknown without indices
  WindowLoop loop;
  PlaneStrides input;
  PlaneStrides output;
  PlaneStrides indices;
};

}  // namespace maxima

namespace gradient {

// The gradient of a maximum: the input decides which element of a window takes the
// window's element of the input gradient.
struct Plan {
  DataType data_type;
  WindowLoop loop;
  PlaneStrides input;
  PlaneStrides input_gradient;
  PlaneStrides output_gradient;
};

// Whether every window sees the one slice of the input that has its own number.
inline bool SeesOneSlice(const WindowAxis& depth) {
  return depth.window_size == 1 && depth.stride == 1 && depth.start_padding == 0;
}

}  // namespace gradient

}  // namespace anydml::window
