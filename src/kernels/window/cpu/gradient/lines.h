// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// When OutputGradientTensor is written by non-temporal stores.
#pragma once

#include <initializer_list>

#include "backends/cpu/streaming.h"
#include "kernels/window/plan.h"

namespace anydml::window::gradient {

inline constexpr int64_t kLine = 64;

// Whether the tensors are large enough, and `dx` and all the given strides of it are
// multiples of so many bytes.
inline bool ShouldStreamFrom(const Plan& plan, const void* dx, int64_t bytes,
                             std::initializer_list<int64_t> strides) {
  const auto size = static_cast<int64_t>(ElementSize(plan.data_type));
  if (reinterpret_cast<uintptr_t>(dx) % static_cast<uintptr_t>(bytes) != 0) return false;
  for (int64_t stride : strides) {
    if (stride * size % bytes != 0) return false;
  }
  const WindowLoop& loop = plan.loop;
  const int64_t elements = loop.PlaneCount() * (2 * loop.InputPlaneSize() + loop.OutputPlaneSize());
  return cpu::ShouldStream(static_cast<uint64_t>(elements * size));
}

// For strategies that write vectors of so many bytes from `dx` on, at multiples
// of the given strides and of the vectors: whether each is a whole aligned line,
// and the tensors are large enough.
inline bool ShouldStreamLines(const Plan& plan, const void* dx, size_t vector_bytes,
                              std::initializer_list<int64_t> strides) {
  return vector_bytes == kLine && ShouldStreamFrom(plan, dx, kLine, strides);
}

}  // namespace anydml::window::gradient
