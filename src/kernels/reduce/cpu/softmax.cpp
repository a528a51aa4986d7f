// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Strategies of softmax and its kin. With the maximum m of a set, d = x - m, e = exp(d) and the
// blocked sum s of e: e / s, or d - log(s). By a norm: m = 0, e = d, s the norm.
#include <hwy/base.h>

#include <cmath>

#include "kernels/reduce/softmax_plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduce/cpu/softmax.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/math/vectors-inl.h"
#include "kernels/reduce/cpu/sums-inl.h"

#ifndef ANYDML_KERNELS_REDUCE_CPU_SOFTMAX_ONCE
#define ANYDML_KERNELS_REDUCE_CPU_SOFTMAX_ONCE
namespace anydml::reduce {

// Steps on rows of elements. What is subtracted or divided by is one value, or one `each`.
struct SoftmaxRows {
  void (*subtract)(const void* x, const float* m, bool each, uint64_t count, float* d);
  void (*divide)(const float* e, const float* s, bool each, uint64_t count, void* y);
  void (*subtract_twice)(const void* x, const float* m, const float* log_s, bool each,
                         uint64_t count, void* y);
};

}  // namespace anydml::reduce
#endif

HWY_BEFORE_NAMESPACE();
namespace anydml::reduce {
namespace HWY_NAMESPACE {

template <typename T>
struct SoftmaxSteps {
  static void Subtract(const void* x, const float* m, bool each, uint64_t count, float* d) {
    const T* const from = static_cast<const T*>(x);
    ForEachVector(count, [&](auto v, size_t i) HWY_ATTR {
      const auto minus = each ? hn::LoadU(v, m + i) : hn::Set(v, m[0]);
      hn::StoreU(hn::Sub(vectors::LoadFloats(v, from + i), minus), v, d + i);
    });
  }
  static void Divide(const float* e, const float* s, bool each, uint64_t count, void* y) {
    T* const to = static_cast<T*>(y);
    ForEachVector(count, [&](auto v, size_t i) HWY_ATTR {
      const auto by = each ? hn::LoadU(v, s + i) : hn::Set(v, s[0]);
      vectors::StoreFloats(v, hn::Div(hn::LoadU(v, e + i), by), to + i);
    });
  }
  static void SubtractTwice(const void* x, const float* m, const float* log_s, bool each,
                            uint64_t count, void* y) {
    const T* const from = static_cast<const T*>(x);
    T* const to = static_cast<T*>(y);
    ForEachVector(count, [&](auto v, size_t i) HWY_ATTR {
      const auto first = each ? hn::LoadU(v, m + i) : hn::Set(v, m[0]);
      const auto second = each ? hn::LoadU(v, log_s + i) : hn::Set(v, log_s[0]);
      const auto d = hn::Sub(vectors::LoadFloats(v, from + i), first);
      vectors::StoreFloats(v, hn::Sub(d, second), to + i);
    });
  }
  static constexpr SoftmaxRows kRows = {Subtract, Divide, SubtractTwice};
};

// The last elements go through a whole vector, too: a function has much code.
void ExponentialsOf(float* x, uint64_t count) {
  const hn::ScalableTag<float> d;
  const size_t n = hn::Lanes(d);
  const auto calculate = [&](float* at) HWY_ATTR {
    const auto v = hn::LoadU(d, at);
    hn::StoreU(math::HWY_NAMESPACE::RoundedVector<math::HWY_NAMESPACE::ExpOf>(d, v), d, at);
  };
  uint64_t i = 0;
  for (; i + n <= count; i += n) calculate(x + i);
  if (i == count) return;
  HWY_ALIGN float rest[hn::MaxLanes(d)] = {};
  std::copy_n(x + i, count - i, rest);
  calculate(rest);
  std::copy_n(rest, count - i, x + i);
}

const SoftmaxRows* FindSoftmaxRows(DataType type) {
  return type == DataType::kFloat16 ? &SoftmaxSteps<Float16>::kRows : &SoftmaxSteps<float>::kRows;
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::reduce
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "backends/cpu/rows.h"
#include "kernels/reduce/cpu/best_index.h"
#include "kernels/reduce/cpu/functions.h"
#include "kernels/reduce/cpu/gather.h"
#include "kernels/reduce/cpu/strategies.h"

namespace anydml::reduce {
namespace {

HWY_EXPORT(ExponentialsOf);
HWY_EXPORT(FindSoftmaxRows);

// An exponential costs as much as moving so many elements.
constexpr uint64_t kCost = 8;
// Terms that are kept between the passes over a set; the terms of longer sets are calculated
// twice, to the same bits.
constexpr uint64_t kKept = 16384;

Partial SumOf(SoftmaxKind kind) {
  return kind == SoftmaxKind::kOfNorm1   ? Partial::kSumOfAbsolutes
         : kind == SoftmaxKind::kOfNorm2 ? Partial::kSumOfSquares
                                         : Partial::kSum;
}

// What terms are divided by, or what is taken from them.
float FromSum(const SoftmaxPlan& plan, float s) {
  if (plan.kind == SoftmaxKind::kLogSoftmax) return Logarithm(s);
  if (!IsOfNorm(plan.kind)) return s;
  if (plan.kind == SoftmaxKind::kOfNorm2) s = std::sqrt(s);
  return s < plan.epsilon ? plan.epsilon : s;
}

template <typename T>
struct SetRun {
  const SoftmaxPlan& plan;
  const Bindings& bindings;
  const SoftmaxRows& rows;
  const BlockKernel& extremes;
  const BlockKernel& sums;
  const uint64_t size;
  const uint64_t blocks;

  struct Buffers {
    alignas(64) T x[kBlock];
    alignas(64) T y[kBlock];
    alignas(64) float terms[kKept];
  };

  SetRun(const SoftmaxPlan& plan, const Bindings& bindings)
      : plan(plan),
        bindings(bindings),
        rows(*HWY_DYNAMIC_DISPATCH(FindSoftmaxRows)(plan.type)),
        extremes(FindBlockKernel(Partial::kExtreme, plan.type)),
        sums(FindBlockKernel(SumOf(plan.kind), DataType::kFloat32)),
        size(plan.sets.size()),
        blocks(CeilDivide(size, kBlock)) {}

  // Calls body(elements, count, first) for the blocks of a set.
  template <typename Body>
  void ForEachBlock(const T* x, Buffers& buffers, const Body& body) const {
    for (uint64_t first = 0; first < size; first += kBlock) {
      const uint64_t count = std::min(kBlock, size - first);
      body(Gather<0>(plan.sets.reduced, x, first, count, buffers.x), count, first);
    }
  }

  float Greatest(const T* x, Buffers& buffers) const {
    KeyOf<T> most = std::numeric_limits<KeyOf<T>>::min();
    ForEachBlock(x, buffers, [&](const T* from, uint64_t count, uint64_t) {
      KeyOf<T> found;
      extremes.block({}, from, count, &found);
      most = std::max(most, found);
    });
    return AsFloat(ElementOfKey<T>(most, {}));
  }

  // Calls fill(to) with where `count` elements go, from number `first` of the set on.
  template <typename Fill>
  void Put(T* y, uint64_t first, uint64_t count, Buffers& buffers, const Fill& fill) const {
    const StridedLoop<2>& loop = plan.sets.reduced;
    const int64_t stride = loop.inner_stride(1);
    if (stride == 1 && loop.rank == 1) return fill(y + first);
    fill(buffers.y);
    ForEachRun(loop, first, count, [&](const auto& offsets, uint64_t at, uint64_t length) {
      for (uint64_t i = 0; i < length; ++i) {
        y[offsets[1] + static_cast<int64_t>(i) * stride] = buffers.y[at + i];
      }
    });
  }

  void RunSet(const T* x, T* y, float* partials, Buffers& buffers) const {
    const float m = IsOfNorm(plan.kind) ? 0.0f : Greatest(x, buffers);
    const bool kept = size <= kKept;
    const auto exponentials = [&](const T* from, uint64_t count, float* terms) {
      rows.subtract(from, &m, false, count, terms);
      if (!IsOfNorm(plan.kind)) Exponentials(terms, count);
    };
    ForEachBlock(x, buffers, [&](const T* from, uint64_t count, uint64_t first) {
      float* const terms = buffers.terms + (kept ? first : 0);
      exponentials(from, count, terms);
      sums.block({}, terms, count, partials + first / kBlock);
    });
    sums.combine(partials, blocks);
    const float s = FromSum(plan, partials[0]);
    const bool log = plan.kind == SoftmaxKind::kLogSoftmax;
    if (kept && !log) {
      for (uint64_t first = 0; first < size; first += kBlock) {
        const uint64_t count = std::min(kBlock, size - first);
        Put(y, first, count, buffers,
            [&](T* to) { rows.divide(buffers.terms + first, &s, false, count, to); });
      }
      return;
    }
    ForEachBlock(x, buffers, [&](const T* from, uint64_t count, uint64_t first) {
      if (!log) exponentials(from, count, buffers.terms);
      Put(y, first, count, buffers, [&](T* to) {
        if (log) return rows.subtract_twice(from, &m, &s, false, count, to);
        rows.divide(buffers.terms, &s, false, count, to);
      });
    });
  }

  void RunHardmax(const T* x, T* y, Buffers& buffers) const {
    constexpr ExtremeSettings kSettings = {.least = false, .ties_zeros = true};
    Best best;
    ForEachBlock(x, buffers, [&](const T* from, uint64_t count, uint64_t first) {
      LookForBest(extremes, kSettings, /*last=*/false, from, first, count, first == 0, best);
    });
    for (uint64_t first = 0; first < size; first += kBlock) {
      const uint64_t count = std::min(kBlock, size - first);
      Put(y, first, count, buffers, [&](T* to) {
        std::fill_n(to, count, T{});
        if (best.index - first < count) PutFloat(1.0f, to + (best.index - first));
      });
    }
  }

  void Run(const cpu::Executor& executor) const {
    const uint64_t grain = std::max<uint64_t>(1, cpu::kElementsPerUnit / (kCost * size));
    executor.ParallelFor(plan.sets.count(), grain, [&](uint64_t begin, uint64_t end) {
      Buffers buffers;
      float few[kKept / kBlock];
      ElementWalk<2> walk(plan.sets.kept, begin);
      for (uint64_t set = begin; set < end; ++set, walk.Next()) {
        const T* const x = bindings.Input<T>(0) + walk.offsets()[0];
        T* const y = bindings.Output<T>(0) + walk.offsets()[1];
        if (plan.kind == SoftmaxKind::kHardmax) {
          RunHardmax(x, y, buffers);
        } else {
          RunSet(x, y, size <= kKept ? few : bindings.Temporary<float>() + set * blocks, buffers);
        }
      }
    });
  }
};

uint64_t SetBytes(const SoftmaxPlan& plan) {
  if (plan.sets.size() <= kKept) return 0;
  return plan.sets.count() * CeilDivide(plan.sets.size(), kBlock) * sizeof(float);
}

void RunSets(const SoftmaxPlan& plan, const NoTables&, const Bindings& bindings,
             const cpu::Executor& executor) {
  DispatchType(TypeList<float, Float16>(), plan.type,
               [&]<typename T>() { SetRun<T>(plan, bindings).Run(executor); });
}

// ---- Sets side by side: vectors of them, whose terms are kept.

uint64_t LanesOfStrip(const SoftmaxPlan& plan) {
  return plan.sets.size() * kStrip <= kKept ? kStrip : 16;
}

template <typename T>
struct ColumnRun {
  const SetRun<T> set;
  const SoftmaxPlan& plan = set.plan;
  const uint64_t strip = LanesOfStrip(plan);

  struct Buffers {
    StripBuffer slots;
    alignas(64) float terms[kKept];
    int64_t x[kKept / 16];
    int64_t y[kKept / 16];
    int64_t term_rows[kKept / 16];
  };

  void RunStrip(const T* x, T* y, uint64_t lanes, Buffers& buffers) const {
    const uint64_t size = set.size;
    alignas(64) float m[kStrip] = {}, s[kStrip];
    if (!IsOfNorm(plan.kind)) {
      KeyOf<T> keys[kStrip];
      set.extremes.columns({}, x, buffers.x, size, lanes, keys, buffers.slots);
      for (uint64_t i = 0; i < lanes; ++i) m[i] = AsFloat(ElementOfKey<T>(keys[i], {}));
    }
    for (uint64_t r = 0; r < size; ++r) {
      set.rows.subtract(x + buffers.x[r], m, true, lanes, buffers.terms + r * strip);
    }
    for (uint64_t i = lanes; i < strip; ++i) {  // what the row functions see behind the lanes
      for (uint64_t r = 0; r < size; ++r) buffers.terms[r * strip + i] = 0;
    }
    if (!IsOfNorm(plan.kind)) Exponentials(buffers.terms, size * strip);
    set.sums.columns({}, buffers.terms, buffers.term_rows, size, lanes, s, buffers.slots);
    const bool log = plan.kind == SoftmaxKind::kLogSoftmax;
    for (uint64_t i = 0; i < lanes; ++i) s[i] = FromSum(plan, s[i]);
    for (uint64_t r = 0; r < size; ++r) {
      if (log) {
        set.rows.subtract_twice(x + buffers.x[r], m, s, true, lanes, y + buffers.y[r]);
      } else {
        set.rows.divide(buffers.terms + r * strip, s, true, lanes, y + buffers.y[r]);
      }
    }
  }

  void Run(const cpu::Executor& executor) const {
    const uint64_t strips = CeilDivide(plan.columns.lanes, strip);
    const uint64_t grain =
        std::max<uint64_t>(1, cpu::kElementsPerUnit / (kCost * set.size * strip));
    const uint64_t units = plan.columns.outer.ElementCount() * strips;
    executor.ParallelFor(units, grain, [&](uint64_t begin, uint64_t end) {
      Buffers buffers;
      ForEachRun(plan.sets.reduced, 0, set.size,
                 [&](const auto& offsets, uint64_t at, uint64_t length) {
                   for (uint64_t i = 0; i < length; ++i) {
                     const auto step = static_cast<int64_t>(i);
                     buffers.x[at + i] = offsets[0] + step * plan.sets.reduced.inner_stride(0);
                     buffers.y[at + i] = offsets[1] + step * plan.sets.reduced.inner_stride(1);
                     buffers.term_rows[at + i] = static_cast<int64_t>((at + i) * strip);
                   }
                 });
      ElementWalk<2> walk(plan.columns.outer, begin / strips);
      uint64_t piece = begin % strips;
      for (uint64_t unit = begin; unit < end; ++unit) {
        const uint64_t first = piece * strip;
        RunStrip(set.bindings.template Input<T>(0) + walk.offsets()[0] + first,
                 set.bindings.template Output<T>(0) + walk.offsets()[1] + first,
                 std::min(strip, plan.columns.lanes - first), buffers);
        if (++piece < strips) continue;
        piece = 0;
        walk.Next();
      }
    });
  }
};

void RunColumns(const SoftmaxPlan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  DispatchType(TypeList<float, Float16>(), plan.type, [&]<typename T>() {
    ColumnRun<T>{{plan, bindings}}.Run(executor);
  });
}

Refusal AcceptsRows(const SoftmaxPlan& plan) {
  const StridedLoop<2>& set = plan.sets.reduced;
  if (!set.HasUnitInnerStrides() || set.rank > 1) return {"the sets are not packed"};
  return kAccepted;
}

Refusal AcceptsColumns(const SoftmaxPlan& plan) {
  if (plan.kind == SoftmaxKind::kHardmax) return {"indices are found set by set"};
  if (plan.columns.lanes < 4 || plan.columns.lane_strides[1] != 1) {
    return {"less than four sets lie side by side in both tensors"};
  }
  if (plan.sets.size() > kKept / 16) return {"a set has more than 1024 elements"};
  return kAccepted;
}

using Strategy = StrategyOf<SoftmaxPlan, NoTables>;

}  // namespace

void Exponentials(float* x, uint64_t count) { HWY_DYNAMIC_DISPATCH(ExponentialsOf)(x, count); }

constinit const CpuStrategy kSoftmaxStrategies[] = {
    Strategy::Named<AcceptsRows, RunSets, SetBytes>("rows"),
    Strategy::Named<AcceptsColumns, RunColumns>("columns"),
    Strategy::Named<AcceptsAll<SoftmaxPlan>, RunSets, SetBytes>("strided"),
};

}  // namespace anydml::reduce
#endif  // HWY_ONCE
