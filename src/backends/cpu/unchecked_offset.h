// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// An address that need not be one of the tensor's: of a prefetch, or of a vector of which
// only some lanes are read or written.
#pragma once

#include <cstdint>

namespace anydml::cpu {

template <typename T>
__attribute__((always_inline)) inline T* UncheckedOffset(T* base, int64_t offset) {
  return reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(base) +
                              static_cast<uintptr_t>(offset * static_cast<int64_t>(sizeof(T))));
}

}  // namespace anydml::cpu
