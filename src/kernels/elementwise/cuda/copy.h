// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Copies elements, bit for bit, between layouts on the current device.
#pragma once

#include "backends/cuda/interface.h"
#include "tensor/strided_loop.h"

namespace anydml::cuda {

// The loop's tensors are the source and the target.
void CopyElements(const StridedLoop<2>& loop, uint32_t element_size, const void* from, void* to,
                  Stream stream);

}  // namespace anydml::cuda
