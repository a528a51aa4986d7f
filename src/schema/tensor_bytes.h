// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The size of a tensor's buffer as a public question, with a sentence for every
// tensor that cannot exist.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "tensor/data_type.h"

namespace anydml {

// `strides` may be null: packed.
Status TensorBytes(DataType type, uint32_t dimension_count, const uint32_t* sizes,
                   const uint32_t* strides, uint64_t& bytes);

}  // namespace anydml
