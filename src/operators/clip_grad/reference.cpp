// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ELEMENT_WISE_CLIP_GRAD and ELEMENT_WISE_CLIP_GRAD1 by the pages:
// f(x, gradient) = if x <= Min then 0
//                  if x >= Max then 0
//                  else        then gradient
#include "operators/reference.h"

#include "operators/clip_grad/desc.h"

namespace anydml::clip_grad {

void Reference(const Desc& desc, const Bindings& bindings) {
  DispatchType(reference::AllTypes(), desc.input.data_type, [&]<typename T>() {
    const auto min = reference::Value(desc.min.As<T>());
    const auto max = reference::Value(desc.max.As<T>());
    reference::ForEachCoordinate(desc.output_gradient, [&](const reference::Coordinate& c) {
      const auto x = reference::Value(reference::Get<T>(desc.input, bindings.inputs[0], c));
      // The page's three cases. NOLINTNEXTLINE(bugprone-branch-clone)
      if (x <= min) {
        reference::PutZero(desc.output_gradient, bindings.outputs[0], c);
      } else if (x >= max) {
        reference::PutZero(desc.output_gradient, bindings.outputs[0], c);
      } else {
        reference::Copy(desc.input_gradient, bindings.inputs[1], c, desc.output_gradient,
                        bindings.outputs[0], c);
      }
    });
  });
}

}  // namespace anydml::clip_grad
