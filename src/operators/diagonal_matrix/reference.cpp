// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The page's "t = x - y", where x and y are the last two coordinates.
#include "operators/reference.h"

#include "operators/diagonal_matrix/desc.h"

namespace anydml::diagonal_matrix {

void Reference(const Desc& desc, const Bindings& bindings) {
  const TensorDesc& output = desc.output;
  const int64_t begin = desc.band.begin, end = desc.band.end;
  reference::ForEachCoordinate(output, [&](const reference::Coordinate& c) {
    const int64_t t = c[output.dimension_count - 1] - c[output.dimension_count - 2];
    bool fills = begin <= t && t < end;
    if (begin > end) fills = t < end || t >= begin;
    if (fills) {
      DispatchWidth(ElementSize(output.data_type), [&]<typename T>() {
        reference::Put(output, bindings.outputs[0], c, desc.value.As<T>());
      });
    } else if (desc.input.present()) {
      reference::Copy(desc.input, bindings.inputs[0], c, output, bindings.outputs[0], c);
    } else {
      reference::PutZero(output, bindings.outputs[0], c);
    }
  });
}

}  // namespace anydml::diagonal_matrix
