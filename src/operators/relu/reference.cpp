// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ACTIVATION_RELU by the page: f(x) = max(0, x). A NaN is neither greater nor
// less than 0 and is passed on (B1).
#include "operators/reference.h"

#include "operators/relu/desc.h"

namespace anydml::relu {

void Reference(const Desc& desc, const Bindings& bindings) {
  DispatchType(reference::AllTypes(), desc.input.data_type, [&]<typename T>() {
    reference::ForEachCoordinate(desc.output, [&](const reference::Coordinate& c) {
      const auto x = reference::Value(reference::Get<T>(desc.input, bindings.inputs[0], c));
      if (x > 0 || x != x) {  // or NaN. NOLINT(misc-redundant-expression)
        reference::Copy(desc.input, bindings.inputs[0], c, desc.output, bindings.outputs[0], c);
      } else {
        reference::PutZero(desc.output, bindings.outputs[0], c);
      }
    });
  });
}

}  // namespace anydml::relu
