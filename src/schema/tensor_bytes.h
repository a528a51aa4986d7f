// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The size of a tensor's buffer as a public question, with a sentence for every
// tensor that cannot exist; and which inputs an output may lie over.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "schema/arguments.h"
#include "tensor/data_type.h"

namespace anydml {

// `strides` may be null: packed.
Status TensorBytes(DataType type, uint32_t dimension_count, const uint32_t* sizes,
                   const uint32_t* strides, uint64_t& bytes);

// Whether the schema lets an output lie over this tensor, an input, whose elements must have the
// size of its own (B127).
bool MayBeOverwritten(const schema::Arguments& arguments, size_t number);

}  // namespace anydml
