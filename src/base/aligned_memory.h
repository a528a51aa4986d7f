// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Memory of the host at multiples of an alignment, for std::free.
#pragma once

#include <cstdlib>
#include <optional>

#include "base/checked_math.h"

namespace anydml {

// As many bytes as the next multiple of the alignment, which is a power of two;
// null when there is no room for them.
inline void* AllocateAligned(uint64_t bytes, uint64_t alignment) {
  const std::optional<uint64_t> rounded = CheckedRoundUp(bytes, alignment);
  return rounded ? std::aligned_alloc(alignment, *rounded) : nullptr;
}

}  // namespace anydml
