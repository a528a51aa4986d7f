// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Elements of tensors by their place in logical order, whatever their type.
#pragma once

#include <cstdint>

#include "tensor/tensor_desc.h"

namespace anydml::tool {

// Where the element at logical position `index` lies, in elements.
uint64_t OffsetOf(const TensorDesc& tensor, uint64_t index);

// `data` is the start of the tensor. A 64-bit integer is rounded to double.
double ValueAt(const TensorDesc& tensor, const uint8_t* data, uint64_t index);
// Rounded to nearest in floating point; truncated and saturated in integers.
void SetValue(const TensorDesc& tensor, uint8_t* data, uint64_t index, double value);

}  // namespace anydml::tool
