// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Whether two tensors share memory, told by their elements and not by their first
// and last bytes: x[::2] and x[1::2], or the left and the right columns of a
// matrix, share none.
#pragma once

#include <cstdint>

#include "tensor/tensor_desc.h"

namespace anydml::c_api {

// Exact, but for layouts that would take long to tell: those are said to share.
bool MayShareBytes(const TensorDesc& a, uintptr_t address_a, const TensorDesc& b,
                   uintptr_t address_b);

}  // namespace anydml::c_api
