// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// "Performs an element-wise scale-and-bias function": Scale * x + Bias[c], two roundings (B26).
#include "operators/reference.h"

#include "operators/value_scale_2d/desc.h"

namespace anydml::value_scale_2d {

void Reference(const Desc& desc, const Bindings& bindings) {
  reference::ForEachCoordinate(desc.output, [&](const reference::Coordinate& c) {
    const float product = desc.scale * reference::GetFloat(desc.input, bindings.inputs[0], c);
    const float sum = product + desc.biases[c[1]];
    reference::PutFloat(desc.output, bindings.outputs[0], c, sum);
  });
}

}  // namespace anydml::value_scale_2d
