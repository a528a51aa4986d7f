// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ELEMENT_WISE_IDENTITY by the page: f(x) = g(x), g(x) = x * Scale + Bias or x.
#include "operators/reference.h"

#include "operators/identity/desc.h"

namespace anydml::identity {

void Reference(const Desc& desc, const Bindings& bindings) {
  DispatchType(reference::AllTypes(), desc.input.data_type, [&]<typename T>() {
    reference::ForEachCoordinate(desc.output, [&](const reference::Coordinate& c) {
      if (desc.scale_bias.present) {
        const T x = reference::Get<T>(desc.input, bindings.inputs[0], c);
        reference::Put(desc.output, bindings.outputs[0], c,
                       reference::Scaled(x, desc.scale_bias.scale, desc.scale_bias.bias));
      } else {
        reference::Copy(desc.input, bindings.inputs[0], c, desc.output, bindings.outputs[0], c);
      }
    });
  });
}

}  // namespace anydml::identity
