// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The first elements of lines in an order. Elements that may be among them are collected with
// their indices; when twice as many as wanted have come together, half of them leave, and the last
// of the others is the bound that later elements must be below.
#include <algorithm>

#include "backends/cpu/executor.h"
#include "base/checked_math.h"
#include "kernels/move/cpu/strategies.h"
#include "kernels/move/search_plan.h"
#include "kernels/reduce/sets.h"

namespace anydml::move {
namespace {

constexpr uint64_t kBlock = 32;  // elements that are compared with the bound at once
constexpr uint64_t kWork = 16384;

// A rank and an index, in the order of the result.
template <typename R>
struct Candidate {
  R rank;
  uint32_t index;
  bool operator<(const Candidate& o) const {
    return rank != o.rank ? rank < o.rank : index < o.index;
  }
};
template <>
struct Candidate<int32_t> {
  uint64_t bits;
  Candidate() = default;
  Candidate(int32_t rank, uint32_t index)
      : bits(uint64_t{static_cast<uint32_t>(rank) ^ 0x80000000u} << 32 | index) {}
  bool operator<(const Candidate& o) const { return bits < o.bits; }
};
template <typename R>
R RankIn(const Candidate<R>& c) {
  if constexpr (sizeof(R) == 4) {
    return static_cast<R>(static_cast<uint32_t>(c.bits >> 32) ^ 0x80000000u);
  } else {
    return c.rank;
  }
}
template <typename R>
uint32_t IndexIn(const Candidate<R>& c) {
  if constexpr (sizeof(R) == 4) {
    return static_cast<uint32_t>(c.bits);
  } else {
    return c.index;
  }
}

// Lines are shared among units, which have room for candidates each.
struct Units {
  uint64_t capacity;  // candidates
  uint64_t lines;     // of each unit
  uint64_t count;

  explicit Units(const TopK& plan) {
    constexpr uint64_t kMostCandidates = uint64_t{1} << 21, kMost = 256;
    capacity = std::min(2 * plan.k, plan.count) + kBlock;
    const uint64_t all = plan.lines.ElementCount();
    lines = CeilDivide(all, std::clamp<uint64_t>(kMostCandidates / capacity, 1, kMost));
    count = CeilDivide(all, lines);
  }
};

uint64_t CandidateBytes(const TopK& plan) {
  const Units units(plan);
  const uint64_t size =
      ElementSize(plan.type) == 8 ? sizeof(Candidate<int64_t>) : sizeof(Candidate<int32_t>);
  return units.count * units.capacity * size;
}

template <typename T>
class Line {
 public:
  using R = Rank<T>;

  Line(const TopK& plan, Candidate<R>* candidates)
      : plan_(plan), most_(2 * plan.k), candidates_(candidates) {}

  // Leaves the wanted ones at the front, sorted.
  const Candidate<R>* Find(const T* x) {
    const int64_t step = plan_.steps[0];
    found_ = 0;
    bound_ = std::numeric_limits<R>::max();
    is_full_ = false;
    for (uint64_t first = 0; first < plan_.count && !is_full_; first += kBlock) {
      R ranks[kBlock];
      const T* from = x + static_cast<int64_t>(first) * step;
      const bool is_whole = plan_.count - first >= kBlock;
      if (step == 1 && is_whole) {
        for (uint64_t i = 0; i < kBlock; ++i) ranks[i] = RankOf(from[i], plan_.increasing);
      } else {
        const uint64_t n = std::min(kBlock, plan_.count - first);
        for (uint64_t i = 0; i < n; ++i) {
          ranks[i] = RankOf(from[static_cast<int64_t>(i) * step], plan_.increasing);
        }
      }
      TakeBlock(ranks, first, is_whole);
    }
    const auto k = static_cast<int64_t>(plan_.k);
    if (found_ > plan_.k) std::nth_element(candidates_, candidates_ + k, candidates_ + found_);
    std::sort(candidates_, candidates_ + k);
    return candidates_;
  }

 private:
  void TakeBlock(const R (&ranks)[kBlock], uint64_t first, bool is_whole) {
    if (is_whole) {
      R any = 0;
      for (uint64_t i = 0; i < kBlock; ++i) any |= ranks[i] <= bound_ ? R{1} : R{0};
      if (any == 0) return;
    }
    const uint64_t n = is_whole ? kBlock : plan_.count - first;
    for (uint64_t i = 0; i < n; ++i) {
      candidates_[found_] = {ranks[i], static_cast<uint32_t>(first + i)};
      found_ += ranks[i] <= bound_;
    }
    if (found_ < most_) return;
    const auto k = static_cast<int64_t>(plan_.k);
    std::nth_element(candidates_, candidates_ + k - 1, candidates_ + found_);
    found_ = plan_.k;
    // Equal ones come later.
    const R last = RankIn(candidates_[k - 1]);
    is_full_ = last == std::numeric_limits<R>::min();
    bound_ = is_full_ ? last : last - 1;
  }

  const TopK& plan_;
  const uint64_t most_;
  Candidate<R>* candidates_;
  uint64_t found_ = 0;
  R bound_ = 0;
  bool is_full_ = false;  // of the very least
};

template <typename T, typename I>
void FindLines(const TopK& plan, const Bindings& bindings, const cpu::Executor& executor) {
  using R = Rank<T>;
  const Units units(plan);
  const uint64_t all = plan.lines.ElementCount();
  const auto& steps = plan.steps;
  const uint64_t grain = std::max<uint64_t>(1, kWork / (units.lines * plan.count));
  executor.ParallelFor(units.count, grain, [&](uint64_t begin, uint64_t end) {
    Line<T> line(plan, bindings.Temporary<Candidate<R>>() + begin * units.capacity);
    const uint64_t last = std::min(all, end * units.lines);
    reduce::ElementWalk<3> walk(plan.lines, begin * units.lines);
    for (uint64_t number = begin * units.lines; number < last; ++number, walk.Next()) {
      const T* x = bindings.Input<T>(0) + walk.offsets()[0];
      const Candidate<R>* found = line.Find(x);
      T* values = bindings.Output<T>(0) + walk.offsets()[1];
      I* indices = bindings.Output<I>(1) + walk.offsets()[2];
      for (int64_t i = 0; i < static_cast<int64_t>(plan.k); ++i) {
        const uint32_t index = IndexIn(found[i]);
        values[i * steps[1]] = x[index * steps[0]];
        indices[i * steps[2]] = index;
      }
    }
  });
}

void RunTopK(const TopK& plan, const NoTables&, const Bindings& bindings,
             const cpu::Executor& executor) {
  DispatchType(reduce::ExtremeTypes(), plan.type, [&]<typename T>() {
    DispatchType(TypeList<uint32_t, uint64_t>(), plan.index_type,
                 [&]<typename I>() { FindLines<T, I>(plan, bindings, executor); });
  });
}

using Strategy = StrategyOf<TopK, NoTables>;

}  // namespace

constinit const std::array<CpuStrategy, 1> kTopKStrategies = {
    Strategy::Named<AcceptsAll<TopK>, RunTopK, CandidateBytes>("strided"),
};

}  // namespace anydml::move
