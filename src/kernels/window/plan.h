// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the kernels of this family are given: the geometry of a window and the
// strides of the tensors. Knows nothing of threads or vectors.
#pragma once

#include "tensor/window.h"

namespace anydml::window {

// The gradient of a maximum: the input decides which element of a window takes the
// window's element of the input gradient.
struct GradientPlan {
  DataType data_type;
  WindowLoop loop;
  PlaneStrides input;
  PlaneStrides input_gradient;
  PlaneStrides output_gradient;
};

}  // namespace anydml::window
