// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Asks for one line of memory that will be read or written soon.
#pragma once

#include <cstdint>

namespace anydml::cpu {

// The line `ahead` bytes further, an address that need not be one of the tensor's, into
// the second-level cache. Inline by force: a call that only asks is one without effects,
// and dropped.
__attribute__((always_inline)) inline void AskForLine(const void* from, uintptr_t ahead) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(from) + ahead;
  __builtin_prefetch(reinterpret_cast<const void*>(address), 0, 2);
}

}  // namespace anydml::cpu
