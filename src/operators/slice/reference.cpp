// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// SLICE1 by the page: copying starts at the window's offset, or at its end where
// the stride is negative, and steps by the stride.
#include "operators/reference.h"

#include "operators/slice/desc.h"

namespace anydml::slice {

void Reference(const Desc& desc, const Bindings& bindings) {
  reference::ForEachCoordinate(desc.output, [&](const reference::Coordinate& c) {
    reference::Coordinate source = {};
    for (uint32_t i = 0; i < desc.output.dimension_count; ++i) {
      const int64_t window_end = desc.window_offsets[i] + desc.window_sizes[i] - 1;
      source[i] = desc.window_strides[i] > 0 ? desc.window_offsets[i] : window_end;
      source[i] += c[i] * desc.window_strides[i];
    }
    reference::Copy(desc.input, bindings.inputs[0], source, desc.output, bindings.outputs[0], c);
  });
}

}  // namespace anydml::slice
