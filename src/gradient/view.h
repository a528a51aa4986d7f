// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The gradient of a view: an operator reads a value's bytes by sizes and strides of its
// own, and knows the gradient of what it reads; this is the gradient of the value.
#pragma once

#include "operators/gradient_writer.h"

namespace anydml::gradient {

// `gradient` has the sizes of `view`, which sees the bytes that `whole` describes. Elements
// that the view repeats (stride 0) are summed; a view that is a rearrangement of all elements
// costs nothing where strides can say it; one of a part is a SLICE_GRAD. A view whose elements
// overlap otherwise is refused.
GraphValue GradientOfView(GradientWriter& write, const GraphValue& gradient, const TensorDesc& view,
                          const TensorDesc& whole);

}  // namespace anydml::gradient
