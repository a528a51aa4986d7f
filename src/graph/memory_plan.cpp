// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "graph/memory_plan.h"

#include <algorithm>
#include <numeric>

#include "base/checked_math.h"

namespace anydml::graph {
namespace {

bool Meet(const Lifetime& a, const Lifetime& b) { return a.first <= b.last && b.first <= a.last; }

struct Placed {
  uint64_t begin;
  uint64_t end;
  uint32_t index;
};

// The lowest gap of `bytes` between the placed blocks, which are in order of
// their beginnings, that are alive together with the block.
uint64_t LowestGap(const std::vector<Placed>& placed, std::span<const Lifetime> lifetimes,
                   const Lifetime& block, uint64_t bytes) {
  uint64_t offset = 0;
  for (const Placed& other : placed) {
    if (!Meet(lifetimes[other.index], block)) continue;
    if (other.begin >= offset && other.begin - offset >= bytes) break;
    offset = std::max(offset, other.end);
  }
  return offset;
}

}  // namespace

Result<MemoryPlan> PlanMemory(std::span<const Lifetime> lifetimes, uint64_t alignment) {
  std::vector<uint32_t> order(lifetimes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return lifetimes[a].bytes > lifetimes[b].bytes; });
  MemoryPlan plan;
  plan.offsets.resize(lifetimes.size());
  std::vector<Placed> placed;
  for (uint32_t index : order) {
    const auto bytes = CheckedRoundUp(lifetimes[index].bytes, alignment);
    const uint64_t begin = bytes ? LowestGap(placed, lifetimes, lifetimes[index], *bytes) : 0;
    const auto end = CheckedAdd(begin, bytes);
    if (!end) return OutOfMemory("graph: the temporary memory would exceed 2^64 bytes");
    const Placed block = {begin, *end, index};
    placed.insert(
        std::upper_bound(placed.begin(), placed.end(), block,
                         [](const Placed& a, const Placed& b) { return a.begin < b.begin; }),
        block);
    plan.offsets[index] = begin;
    plan.bytes = std::max(plan.bytes, *end);
  }
  return plan;
}

}  // namespace anydml::graph
