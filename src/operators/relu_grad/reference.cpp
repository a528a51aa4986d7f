// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// ACTIVATION_RELU_GRAD by the page: OutputGradientTensor = (X > 0 ? dY : 0).
#include "operators/reference.h"

#include "operators/relu_grad/desc.h"

namespace anydml::relu_grad {
namespace {

bool IsGreaterThanZero(const TensorDesc& x, const void* data, const reference::Coordinate& c) {
  switch (x.data_type) {
    case DataType::kInt32:
      return reference::Get<int32_t>(x, data, c) > 0;
    case DataType::kInt16:
      return reference::Get<int16_t>(x, data, c) > 0;
    case DataType::kInt8:
      return reference::Get<int8_t>(x, data, c) > 0;
    default:
      return reference::GetFloat(x, data, c) > 0;  // false for NaN
  }
}

}  // namespace

void Reference(const Desc& desc, const Bindings& bindings) {
  reference::ForEachCoordinate(desc.output_gradient, [&](const reference::Coordinate& c) {
    if (IsGreaterThanZero(desc.input, bindings.inputs[0], c)) {
      reference::Copy(desc.input_gradient, bindings.inputs[1], c, desc.output_gradient,
                      bindings.outputs[0], c);
    } else {
      reference::PutZero(desc.output_gradient, bindings.outputs[0], c);
    }
  });
}

}  // namespace anydml::relu_grad
