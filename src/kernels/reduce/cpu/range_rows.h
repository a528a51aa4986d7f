// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "tensor/data_type.h"

namespace anydml::reduce {

// `count` elements that lie side by side in both tensors.
using QuantizeRow = void (*)(const void* x, uint64_t count, float scale, int zero_point, void* y);

// From FLOAT32 or FLOAT16 to INT8 or UINT8, for this processor.
QuantizeRow FindQuantizeRow(DataType from, DataType to);

}  // namespace anydml::reduce
