// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Places blocks of memory that are needed for a while into one range, so that
// blocks whose times do not meet share bytes. Knows nothing of tensors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace anydml::graph {

// Needed from step `first` to step `last`, both included.
struct Lifetime {
  uint64_t bytes;
  uint32_t first;
  uint32_t last;
};

struct MemoryPlan {
  std::vector<uint64_t> offsets;  // as the lifetimes were given
  uint64_t bytes = 0;             // of the whole range
};

// Largest blocks first, each at the lowest offset that is free all its life.
// Fails only when the range would not fit 64 bits.
Result<MemoryPlan> PlanMemory(std::span<const Lifetime> lifetimes, uint64_t alignment);

}  // namespace anydml::graph
