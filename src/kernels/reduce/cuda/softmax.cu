// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Softmax and its kin, and the logarithm of a sum of exponentials. A set is a team's. With its
// maximum m, d = x - m, e = exp(d) and the blocked sum s of e: e / s, or d - log(s), or
// m + log(s). By a norm: m = 0, e = d, s the norm. What fits stays in registers; longer sets are
// read again.
#include "kernels/math/scalar.h"
#include "kernels/reduce/cuda/strategies.h"
#include "kernels/reduce/cuda/teams.cuh"
#include "kernels/reduce/extreme_keys.h"

namespace anydml::reduce {
namespace {

enum class Kind : uint8_t { kSoftmax, kLogSoftmax, kHardmax, kOfNorm1, kOfNorm2, kLogSumExp };

Kind KindOf(SoftmaxKind kind) {
  switch (kind) {
    case SoftmaxKind::kSoftmax:
      return Kind::kSoftmax;
    case SoftmaxKind::kLogSoftmax:
      return Kind::kLogSoftmax;
    case SoftmaxKind::kHardmax:
      return Kind::kHardmax;
    case SoftmaxKind::kOfNorm1:
      return Kind::kOfNorm1;
    case SoftmaxKind::kOfNorm2:
      return Kind::kOfNorm2;
  }
  return Kind::kSoftmax;
}

// The greatest element (B66), by its key, and its first index.
struct Greatest {
  int32_t key;
  uint32_t index;
};
struct TakeGreater {
  __device__ Greatest operator()(const Greatest& a, const Greatest& b) const {
    return b.key > a.key || (b.key == a.key && b.index < a.index) ? b : a;
  }
};
__device__ Greatest None() { return {std::numeric_limits<int32_t>::min(), 0xFFFFFFFFu}; }

__device__ float Exponential(float x) { return math::Rounded<math::Exp>(x); }
__device__ float Logarithm(float x) { return math::Rounded<math::Log>(x); }

struct Settings {
  Kind kind;
  float epsilon = 0;

  __device__ bool is_of_norm() const { return kind == Kind::kOfNorm1 || kind == Kind::kOfNorm2; }

  __device__ ExtremeSettings extremes() const {
    return {.least = false, .ties_zeros = kind == Kind::kHardmax};
  }
  // What is taken from every element.
  __device__ float ShiftOf(const Greatest& greatest) const {
    if (is_of_norm()) return 0;
    const float m = ElementOfKey<float>(greatest.key, {});
    return kind == Kind::kLogSumExp && !(fabsf(m) < INFINITY) ? 0.0f : m;
  }
  // Of d: what is summed, and what is kept for the result.
  __device__ float Summed(float d) const {
    if (kind == Kind::kOfNorm1) return fabsf(d);
    return kind == Kind::kOfNorm2 ? d * d : Exponential(d);
  }
  __device__ float Term(float d, float summed) const {
    return is_of_norm() || kind == Kind::kLogSoftmax ? d : summed;
  }
  __device__ float FromSum(float s) const {
    if (kind == Kind::kSoftmax) return s;
    if (!is_of_norm()) return Logarithm(s);
    if (kind == Kind::kOfNorm2) s = __fsqrt_rn(s);
    return s < epsilon ? epsilon : s;
  }
  // Of a term, which is e, or d where the logarithm is wanted.
  __device__ float Result(float term, float s) const {
    return kind == Kind::kLogSoftmax ? term - s : __fdiv_rn(term, s);
  }
};

// At most kRows elements per slot, which stay in registers.
template <class T, int kRows, typename E>
__global__ void __launch_bounds__(T::kBlockThreads)
    RunShortSets(Settings settings, Work<2> work, const E* x, E* y) {
  const T team;
  ForUnits(work, team, [&](const Share<2>& share) {
    float terms[T::kSlotsEach][kRows];
    Greatest best[T::kSlotsEach];
#pragma unroll
    for (unsigned i = 0; i < T::kSlotsEach; ++i) {
      best[i] = None();
      if (team.SlotAt(i) >= share.count) continue;
      SlotWalk<2> walk(work.inside, team.SlotAt(i));
#pragma unroll
      for (int k = 0; k < kRows; ++k) {
        const uint32_t r = team.SlotAt(i) + k * kSlots;
        if (r >= share.count) continue;
        terms[i][k] = cuda::Widen(x[share.at[0] + walk.offsets()[0]]);
        best[i] = TakeGreater()(best[i], {ExtremeKey(terms[i][k], settings.extremes()), r});
        if constexpr (kRows > 1) walk.Next();
      }
    }
    const Greatest greatest = team.Fold(best, TakeGreater());
    const float m = settings.ShiftOf(greatest);
    float s = 0;
    if (settings.kind != Kind::kHardmax) {
      float sums[T::kSlotsEach];
#pragma unroll
      for (unsigned i = 0; i < T::kSlotsEach; ++i) {
        sums[i] = 0;
#pragma unroll
        for (int k = 0; k < kRows; ++k) {
          if (team.SlotAt(i) + k * kSlots >= share.count) continue;
          const float d = terms[i][k] - m;
          const float e = settings.Summed(d);
          terms[i][k] = settings.Term(d, e);
          sums[i] = sums[i] + e;
        }
      }
      s = settings.FromSum(team.Fold(sums, Add()));
    }
    if (share.count == 0) return;
    if (settings.kind == Kind::kLogSumExp) {
      if (team.thread == 0) y[share.at[1]] = cuda::Narrow<E>(m + s);
      return;
    }
#pragma unroll
    for (unsigned i = 0; i < T::kSlotsEach; ++i) {
      if (team.SlotAt(i) >= share.count) continue;
      SlotWalk<2> walk(work.inside, team.SlotAt(i));
#pragma unroll
      for (int k = 0; k < kRows; ++k) {
        const uint32_t r = team.SlotAt(i) + k * kSlots;
        if (r >= share.count) continue;
        const float result = settings.kind == Kind::kHardmax ? (r == greatest.index ? 1.0f : 0.0f)
                                                             : settings.Result(terms[i][k], s);
        y[share.at[1] + walk.offsets()[1]] = cuda::Narrow<E>(result);
        if constexpr (kRows > 1) walk.Next();
      }
    }
  });
}

// Any length; sums of blocks go through memory.
template <typename E>
__global__ void RunLongSets(Settings settings, Work<2> work, const E* x, E* y, float* partials) {
  const BlockTeam team;
  ForUnits(work, team, [&](const Share<2>& share) {
    const auto each = [&](uint64_t first, uint64_t end, const auto& body) {
      SlotWalk<2> walk(work.inside, first + team.thread);
      for (uint64_t r = first + team.thread; r < end; r += kSlots, walk.Next()) {
        body(cuda::Widen(x[share.at[0] + walk.offsets()[0]]), r, walk.offsets()[1]);
      }
    };
    Greatest best[1] = {None()};
    each(0, work.size, [&](float value, uint64_t r, int64_t) {
      best[0] = TakeGreater()(best[0],
                              {ExtremeKey(value, settings.extremes()), static_cast<uint32_t>(r)});
    });
    const Greatest greatest = team.Fold(best, TakeGreater());
    const float m = settings.ShiftOf(greatest);
    float s = 0;
    if (settings.kind != Kind::kHardmax) {
      const uint64_t blocks = (work.size + kBlock - 1) / kBlock;
      float* const sums = partials + share.set * blocks;
      for (uint64_t b = 0; b < blocks; ++b) {
        float sum[1] = {0};
        const uint64_t end = (b + 1) * kBlock;
        each(b * kBlock, end < work.size ? end : work.size,
             [&](float value, uint64_t, int64_t) { sum[0] = sum[0] + settings.Summed(value - m); });
        const float of_block = team.Fold(sum, Add());
        if (team.thread == 0) sums[b] = of_block;
      }
      __syncthreads();
      s = settings.FromSum(FoldArray(team, sums, blocks, 0.0f, Add(), sums));
    }
    if (settings.kind == Kind::kLogSumExp) {
      if (team.thread == 0) y[share.at[1]] = cuda::Narrow<E>(m + s);
      return;
    }
    each(0, work.size, [&](float value, uint64_t r, int64_t to) {
      float result = r == greatest.index ? 1.0f : 0.0f;
      if (settings.kind != Kind::kHardmax) {
        const float d = value - m;
        result = settings.Result(settings.kind == Kind::kSoftmax ? Exponential(d) : d, s);
      }
      y[share.at[1] + to] = cuda::Narrow<E>(result);
    });
  });
}

template <class T, int kRows, typename E>
void LaunchShort(Settings settings, const Work<2>& work, const Bindings& bindings,
                 cuda::Stream stream) {
  RunShortSets<T, kRows, E><<<BlocksForTeams<T>(work.units), T::Threads(), 0, stream>>>(
      settings, work, bindings.Input<E>(0), bindings.Output<E>(0));
}

// Of one block each.
void RunShort(Settings settings, const Sets<2>& sets, DataType type, const Bindings& bindings,
              cuda::Stream stream) {
  const Work<2> work = MakeWork<2>(sets, nullptr, /*by_blocks=*/false);
  DispatchType(TypeList<float, Float16>(), type, [&]<typename E>() {
    if (work.size <= kSlots) {
      LaunchShort<WarpTeam, 1, E>(settings, work, bindings, stream);
    } else if (work.size <= kWarpElements) {
      LaunchShort<WarpTeam, 8, E>(settings, work, bindings, stream);
    } else {
      LaunchShort<BlockTeam, 32, E>(settings, work, bindings, stream);
    }
  });
}

void RunLong(Settings settings, const Sets<2>& sets, DataType type, const Bindings& bindings,
             cuda::Stream stream) {
  const Work<2> work = MakeWork<2>(sets, nullptr, /*by_blocks=*/false);
  DispatchType(TypeList<float, Float16>(), type, [&]<typename E>() {
    RunLongSets<E><<<BlocksForTeams<BlockTeam>(work.units), BlockTeam::Threads(), 0, stream>>>(
        settings, work, bindings.Input<E>(0), bindings.Output<E>(0), bindings.Temporary<float>());
  });
}

Settings SettingsOf(const SoftmaxPlan& plan) { return {KindOf(plan.kind), plan.epsilon}; }

void RunRows(const SoftmaxPlan& plan, const NoTables&, const Bindings& bindings,
             cuda::Stream stream) {
  RunShort(SettingsOf(plan), plan.sets, plan.type, bindings, stream);
}

void RunStrided(const SoftmaxPlan& plan, const NoTables&, const Bindings& bindings,
                cuda::Stream stream) {
  RunLong(SettingsOf(plan), plan.sets, plan.type, bindings, stream);
}

void RunColumns(const SoftmaxPlan& plan, const NoTables&, const Bindings& bindings,
                cuda::Stream stream) {
  const Work<2> work = MakeWork<2>(plan.sets, &plan.columns, /*by_blocks=*/false);
  DispatchType(TypeList<float, Float16>(), plan.type, [&]<typename E>() {
    if (work.size <= kSlots) {
      LaunchShort<ColumnTeam, 1, E>(SettingsOf(plan), work, bindings, stream);
    } else {
      LaunchShort<ColumnTeam, 4, E>(SettingsOf(plan), work, bindings, stream);
    }
  });
}

Refusal AcceptsColumns(const SoftmaxPlan& plan) {
  if (plan.sets.size() > 4 * kSlots) return {"a set has more than 512 elements"};
  return AcceptsLanes(plan.columns.lanes);
}

Refusal AcceptsRows(const SoftmaxPlan& plan) {
  if (plan.sets.size() > kBlock) return {"a set has more than 4096 elements"};
  return kAccepted;
}

uint64_t TemporaryBytes(const SoftmaxPlan& plan) {
  return plan.sets.count() * ((plan.sets.size() + kBlock - 1) / kBlock) * sizeof(float);
}

using Strategy = CudaStrategyOf<SoftmaxPlan, NoTables>;

}  // namespace

void RunLogSumExp(const Plan& plan, const Bindings& bindings, cuda::Stream stream) {
  const auto run = plan.sets.size() <= kBlock ? RunShort : RunLong;
  run({Kind::kLogSumExp}, plan.sets, plan.type, bindings, stream);
}

constinit const CudaStrategy kCudaSoftmaxes[] = {
    Strategy::Named<AcceptsColumns, RunColumns>("columns"),
    Strategy::Named<AcceptsRows, RunRows>("rows"),
    Strategy::Named<AcceptsAll<SoftmaxPlan>, RunStrided, TemporaryBytes>("strided"),
};

}  // namespace anydml::reduce
