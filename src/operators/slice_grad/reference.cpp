// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// SLICE_GRAD by the page: "the sliced elements are propagated to the output, and
// all other elements are set to 0".
#include "operators/reference.h"

#include "operators/slice_grad/desc.h"

namespace anydml::slice_grad {

void Reference(const Desc& desc, const Bindings& bindings) {
  const TensorDesc& output = desc.output_gradient;
  const TensorDesc& input = desc.input_gradient;
  reference::ForEachCoordinate(output, [&](const reference::Coordinate& c) {
    reference::PutZero(output, bindings.outputs[0], c);
  });
  reference::ForEachCoordinate(input, [&](const reference::Coordinate& c) {
    reference::Coordinate target = {};
    for (uint32_t i = 0; i < input.dimension_count; ++i) {
      const int64_t window_end = desc.window_offsets[i] + desc.window_sizes[i] - 1;
      target[i] = desc.window_strides[i] > 0 ? desc.window_offsets[i] : window_end;
      target[i] += c[i] * desc.window_strides[i];
    }
    reference::Copy(input, bindings.inputs[0], c, output, bindings.outputs[0], target);
  });
}

}  // namespace anydml::slice_grad
