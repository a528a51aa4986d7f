// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// When OutputGradientTensor goes past the caches.
#pragma once

#include <initializer_list>

#include "backends/cpu/streaming.h"
#include "operators/max_pooling_grad/plan.h"

namespace anydml::max_pooling_grad {

// For strategies that write vectors of so many bytes from `dx` on, at multiples
// of the given strides and of the vectors: whether each is a whole aligned line,
// and the tensors are large enough.
inline bool ShouldStreamLines(const Plan& plan, const void* dx, size_t vector_bytes,
                              std::initializer_list<int64_t> strides) {
  constexpr int64_t kLine = 64;
  const auto size = static_cast<int64_t>(ElementSize(plan.data_type));
  if (vector_bytes != kLine || reinterpret_cast<uintptr_t>(dx) % kLine != 0) return false;
  for (int64_t stride : strides) {
    if (stride * size % kLine != 0) return false;
  }
  const WindowLoop& loop = plan.loop;
  const int64_t elements = loop.PlaneCount() * (2 * loop.InputPlaneSize() + loop.OutputPlaneSize());
  return cpu::ShouldStream(static_cast<uint64_t>(elements * size));
}

}  // namespace anydml::max_pooling_grad
