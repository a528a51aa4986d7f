// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ELEMENT_WISE_CLIP and ELEMENT_WISE_CLIP1 by the pages:
// f(x) = max(Min, min(g(x), Max)), g(x) = x * Scale + Bias or x.
#include "operators/reference.h"

#include "operators/clip/desc.h"

namespace anydml::clip {

void Reference(const Desc& desc, const Bindings& bindings) {
  DispatchType(reference::AllTypes(), desc.input.data_type, [&]<typename T>() {
    const T min = desc.min.As<T>();
    const T max = desc.max.As<T>();
    reference::ForEachCoordinate(desc.output, [&](const reference::Coordinate& c) {
      T result = reference::Get<T>(desc.input, bindings.inputs[0], c);
      if (desc.scale_bias.present) {
        result = reference::Scaled(result, desc.scale_bias.scale, desc.scale_bias.bias);
      }
      if (reference::Value(result) > reference::Value(max)) result = max;
      if (reference::Value(result) < reference::Value(min)) result = min;
      reference::Put(desc.output, bindings.outputs[0], c, result);
    });
  });
}

}  // namespace anydml::clip
