// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// SLICE1 by the page: copying starts at the window's offset, or at its end where
// the stride is negative, and steps by the stride. SLICE_GRAD: "the sliced elements are
// propagated to the output, and all other elements are set to 0".
#include "operators/reference.h"

#include "operators/slice/desc.h"

namespace anydml::slice {
namespace {

// Where element `c` of the part lies in the whole.
reference::Coordinate InWindow(const Desc& desc, const reference::Coordinate& c) {
  reference::Coordinate whole = {};
  for (uint32_t i = 0; i < desc.input.dimension_count; ++i) {
    const int64_t window_end = desc.window_offsets[i] + desc.window_sizes[i] - 1;
    whole[i] = desc.window_strides[i] > 0 ? desc.window_offsets[i] : window_end;
    whole[i] += c[i] * desc.window_strides[i];
  }
  return whole;
}

}  // namespace

void Reference(const Desc& desc, const Bindings& bindings) {
  reference::ForEachCoordinate(desc.output, [&](const reference::Coordinate& c) {
    reference::Copy(desc.input, bindings.inputs[0], InWindow(desc, c), desc.output,
                    bindings.outputs[0], c);
  });
}

void GradientReference(const Desc& desc, const Bindings& bindings) {
  reference::ForEachCoordinate(desc.output, [&](const reference::Coordinate& c) {
    reference::PutZero(desc.output, bindings.outputs[0], c);
  });
  reference::ForEachCoordinate(desc.input, [&](const reference::Coordinate& c) {
    reference::Copy(desc.input, bindings.inputs[0], c, desc.output, bindings.outputs[0],
                    InWindow(desc, c));
  });
}

}  // namespace anydml::slice
