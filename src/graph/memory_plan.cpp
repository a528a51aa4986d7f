// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "graph/memory_plan.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/checked_math.h"

namespace anydml::graph {
namespace {

// Bytes in use: intervals in order that neither meet nor touch, so that blocks
// side by side are one interval.
class OccupiedBytes {
 public:
  void Add(uint64_t begin, uint64_t end) {
    const auto first = std::ranges::lower_bound(intervals_, begin, {}, &Interval::end);
    const auto last = std::ranges::upper_bound(intervals_, end, {}, &Interval::begin);
    if (first == last) {
      intervals_.insert(first, {begin, end});
      return;
    }
    first->begin = std::min(first->begin, begin);
    first->end = std::max(std::prev(last)->end, end);
    intervals_.erase(std::next(first), last);
  }

  // The lowest offset, from `offset` on, that starts `bytes` free bytes.
  uint64_t Skip(uint64_t offset, uint64_t bytes) const {
    auto interval = std::ranges::upper_bound(intervals_, offset, {}, &Interval::end);
    for (; interval != intervals_.end(); ++interval) {
      if (interval->begin > offset && interval->begin - offset >= bytes) break;
      offset = interval->end;
    }
    return offset;
  }

 private:
  struct Interval {
    uint64_t begin;
    uint64_t end;
  };
  std::vector<Interval> intervals_;
};

// Which bytes are in use at which steps. A tree over the steps, node 1 at the
// top and node i above nodes 2i and 2i + 1: a block is entered at the few nodes
// that make up its life, so that a question looks at a few nodes as well.
class Timeline {
 public:
  explicit Timeline(uint32_t steps) : leaves_(std::bit_ceil(steps)), nodes_(2 * leaves_) {}

  void Add(const Lifetime& life, uint64_t begin, uint64_t end) {
    ForEachAbove(life, [&](Node& node) { node.at_some_step.Add(begin, end); });
    ForEachWithin(life, [&](Node& node) {
      node.at_some_step.Add(begin, end);
      node.at_every_step.Add(begin, end);
    });
  }

  // The lowest offset where `bytes` are free at all steps of a life.
  uint64_t LowestGap(const Lifetime& life, uint64_t bytes) {
    uint64_t offset = 0;
    for (uint64_t before = 1; before != offset;) {
      before = offset;
      const auto skip = [&](const OccupiedBytes& used) { offset = used.Skip(offset, bytes); };
      ForEachAbove(life, [&](const Node& node) { skip(node.at_every_step); });
      ForEachWithin(life, [&](const Node& node) { skip(node.at_some_step); });
    }
    return offset;
  }

 private:
  struct Node {
    OccupiedBytes at_every_step;  // by blocks that live through all of the node's steps
    OccupiedBytes at_some_step;   // by blocks that were entered here or below
  };

  // The largest nodes all of whose steps belong to the life.
  template <typename Visit>
  void ForEachWithin(const Lifetime& life, const Visit& visit) {
    uint64_t begin = leaves_ + life.first;
    uint64_t end = leaves_ + life.last + 1;
    for (; begin < end; begin /= 2, end /= 2) {
      if (begin % 2 != 0) visit(nodes_[begin++]);
      if (end % 2 != 0) visit(nodes_[--end]);
    }
  }

  // All nodes with the first or the last step: among them all that have steps of
  // the life and others.
  template <typename Visit>
  void ForEachAbove(const Lifetime& life, const Visit& visit) {
    uint64_t first = leaves_ + life.first;
    uint64_t last = leaves_ + life.last;
    for (; first != 0; first /= 2, last /= 2) {
      visit(nodes_[first]);
      if (last != first) visit(nodes_[last]);
    }
  }

  uint64_t leaves_;
  std::vector<Node> nodes_;
};

}  // namespace

Result<MemoryPlan> PlanMemory(std::span<const Lifetime> lifetimes, uint64_t alignment) {
  std::vector<uint32_t> order(lifetimes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](uint32_t index) { return lifetimes[index].bytes; });
  uint32_t last = 0;
  for (const Lifetime& life : lifetimes) last = std::max(last, life.last);
  Timeline timeline(last + 1);
  MemoryPlan plan;
  plan.offsets.resize(lifetimes.size());
  for (uint32_t index : order) {
    const auto bytes = CheckedRoundUp(lifetimes[index].bytes, alignment);
    const uint64_t begin = bytes ? timeline.LowestGap(lifetimes[index], *bytes) : 0;
    const auto end = CheckedAdd(begin, bytes);
    if (!end) return OutOfMemory("graph: the temporary memory would exceed 2^64 bytes");
    if (*end != begin) timeline.Add(lifetimes[index], begin, *end);
    plan.offsets[index] = begin;
    plan.bytes = std::max(plan.bytes, *end);
  }
  return plan;
}

}  // namespace anydml::graph
