// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Scans with the order of B33: chains of 32 from the neutral element, and the same over their
// totals. One pass: level l has the chain of the totals of level l - 1 and what stands before it.
// Several lines at a time, because each is a chain of additions.
#include "kernels/reduce/scan_plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduce/cpu/scan.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>

#include "backends/cpu/float16-inl.h"

#ifndef ANYDML_KERNELS_REDUCE_CPU_SCAN_ONCE
#define ANYDML_KERNELS_REDUCE_CPU_SCAN_ONCE
namespace anydml::reduce {

inline constexpr uint64_t kScanLanes = 64;  // lines side by side
inline constexpr uint64_t kScattered = 8;   // lines anywhere
inline constexpr uint64_t kRadix = 32;
inline constexpr int kScanLevels = 7;  // 32^7 elements are more than a tensor has

// Lines with their first elements at x and y, and at lane steps from there.
struct ScanLines {
  const ScanPlan* plan;
  const void* x;
  void* y;
  uint64_t lanes;
};
using ScanKernel = void (*)(const ScanLines&);

}  // namespace anydml::reduce
#endif

HWY_BEFORE_NAMESPACE();
namespace anydml::reduce {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

template <typename T>
using Accumulator = std::conditional_t<std::is_same_v<T, Float16>, float, T>;

template <typename A, bool kProduct>
HWY_INLINE A Join(A a, A b) {
  return kProduct ? static_cast<A>(a * b) : static_cast<A>(a + b);
}

// Of one row of lanes.
template <typename T, typename A>
HWY_INLINE void LoadLanes(const T* x, int64_t step, uint64_t lanes, A* to) {
  if constexpr (std::is_same_v<T, Float16>) {
    const hn::ScalableTag<float> d;
    uint64_t i = 0;
    for (; step == 1 && i + hn::Lanes(d) <= lanes; i += hn::Lanes(d)) {
      hn::StoreU(vectors::LoadFloats(d, x + i), d, to + i);
    }
    for (; i < lanes; ++i) to[i] = ToFloat(x[static_cast<int64_t>(i) * step]);
  } else if (step == 1) {
    std::copy_n(x, lanes, to);
  } else {
    for (uint64_t i = 0; i < lanes; ++i) to[i] = x[static_cast<int64_t>(i) * step];
  }
}
template <typename T, typename A>
HWY_INLINE void StoreLanes(const A* from, int64_t step, uint64_t lanes, T* y) {
  if constexpr (std::is_same_v<T, Float16>) {
    const hn::ScalableTag<float> d;
    uint64_t i = 0;
    for (; step == 1 && i + hn::Lanes(d) <= lanes; i += hn::Lanes(d)) {
      vectors::StoreFloats(d, hn::LoadU(d, from + i), y + i);
    }
    for (; i < lanes; ++i) y[static_cast<int64_t>(i) * step] = ToFloat16(from[i]);
  } else if (step == 1) {
    std::copy_n(from, lanes, y);
  } else {
    for (uint64_t i = 0; i < lanes; ++i) y[static_cast<int64_t>(i) * step] = from[i];
  }
}

template <typename T, bool kProduct>
struct Scan {
  using A = Accumulator<T>;
  static constexpr A kStart = kProduct ? 1 : 0;

  struct Level {
    alignas(64) A chain[kScanLanes];
    alignas(64) A before[kScanLanes];  // the scan of what lies before the chain
    uint64_t length = 0;
    bool is_first = true;
  };

  // Takes one value of each lane; result[i] is the scan up to it. There are levels for all counts.
  static void Take(Level* level, Level* last, const A* values, uint64_t lanes, A* result) {
    if (level->length == 0) std::fill_n(level->chain, lanes, kStart);
    for (uint64_t i = 0; i < lanes; ++i) {
      level->chain[i] = Join<A, kProduct>(level->chain[i], values[i]);
    }
    if (level->is_first) {
      std::copy_n(level->chain, lanes, result);
    } else {
      for (uint64_t i = 0; i < lanes; ++i) {
        result[i] = Join<A, kProduct>(level->before[i], level->chain[i]);
      }
    }
    if (++level->length < kRadix || level == last) return;
    Take(level + 1, last, level->chain, lanes, level->before);
    level->length = 0;
    level->is_first = false;
  }

  static void Lines(const ScanLines& lines) {
    const ScanPlan& plan = *lines.plan;
    const auto* x = static_cast<const T*>(lines.x);
    auto* y = static_cast<T*>(lines.y);
    Level levels[kScanLevels];
    alignas(64) A values[kScanLanes], result[kScanLanes];
    std::fill_n(result, lines.lanes, kStart);
    for (uint64_t i = 0; i < plan.count; ++i, x += plan.steps[0], y += plan.steps[1]) {
      // The output may lie over the input.
      LoadLanes(x, plan.lane_steps[0], lines.lanes, values);
      if (plan.exclusive) StoreLanes(result, plan.lane_steps[1], lines.lanes, y);
      Take(levels, levels + kScanLevels - 1, values, lines.lanes, result);
      if (!plan.exclusive) StoreLanes(result, plan.lane_steps[1], lines.lanes, y);
    }
  }
};

// Signed integers would overflow.
ScanKernel FindScan(DataType type, bool product) {
  const auto of = [&]<typename T>() -> ScanKernel {
    return product ? Scan<T, true>::Lines : Scan<T, false>::Lines;
  };
  switch (type) {
    case DataType::kFloat32:
      return of.template operator()<float>();
    case DataType::kFloat16:
      return of.template operator()<Float16>();
    default:
      return ElementSize(type) == 4 ? of.template operator()<uint32_t>()
                                    : of.template operator()<uint64_t>();
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::reduce
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "backends/cpu/rows.h"
#include "kernels/reduce/cpu/strategies.h"

namespace anydml::reduce {
namespace {

HWY_EXPORT(FindScan);

void RunLines(const ScanPlan& plan, const NoTables&, const Bindings& bindings,
              const cpu::Executor& executor) {
  const ScanKernel scan = HWY_DYNAMIC_DISPATCH(FindScan)(plan.type, plan.product);
  const bool together = plan.lane_steps[0] == 1 && plan.lane_steps[1] == 1;
  const uint64_t width = together ? kScanLanes : kScattered;
  const uint64_t strips = CeilDivide(plan.lanes, width);
  const uint64_t grain = std::max<uint64_t>(1, cpu::kElementsPerUnit / (plan.count * width));
  const int64_t size = ElementSize(plan.type);
  executor.ParallelFor(
      plan.outer.ElementCount() * strips, grain, [&](uint64_t begin, uint64_t end) {
        ElementWalk<2> walk(plan.outer, begin / strips);
        uint64_t strip = begin % strips;
        for (uint64_t unit = begin; unit < end; ++unit) {
          const auto lane = static_cast<int64_t>(strip * width);
          const int64_t x = plan.first[0] + walk.offsets()[0] + lane * plan.lane_steps[0];
          const int64_t y = plan.first[1] + walk.offsets()[1] + lane * plan.lane_steps[1];
          scan({&plan, bindings.Input<std::byte>(0) + x * size,
                bindings.Output<std::byte>(0) + y * size,
                std::min(width, plan.lanes - strip * width)});
          if (++strip < strips) continue;
          strip = 0;
          walk.Next();
        }
      });
}

Refusal AcceptsColumns(const ScanPlan& plan) {
  if (plan.lanes < 4 || plan.lane_steps[0] != 1 || plan.lane_steps[1] != 1) {
    return {"less than four lines lie side by side in both tensors"};
  }
  return kAccepted;
}

using Strategy = StrategyOf<ScanPlan, NoTables>;

}  // namespace

constinit const CpuStrategy kScanStrategies[] = {
    Strategy::Named<AcceptsColumns, RunLines>("columns"),
    Strategy::Named<AcceptsAll<ScanPlan>, RunLines>("strided"),
};

}  // namespace anydml::reduce
#endif  // HWY_ONCE
