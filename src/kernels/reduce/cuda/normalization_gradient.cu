// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Gradients of normalizations: two sums of every set, its parameters, and a pass over all elements.
#include "kernels/reduce/cuda/normalization.cuh"

namespace anydml::reduce {
namespace {

using GradientPlan = NormalizationGradientPlan;

struct AddBoth {
  __device__ Moments operator()(const Moments& a, const Moments& b) const {
    return {a.sum + b.sum, a.squares + b.squares};
  }
};

enum Inputs { kX, kDy, kMean, kVariance, kScale };

struct Arrays {
  float *m, *a, *k, *s;
  Moments* sums;  // of dy and of dy * (x - m), per block
  uint64_t blocks;

  Arrays(const GradientPlan& plan, float* memory)
      : blocks((plan.sets.size() + kBlock - 1) / kBlock) {
    m = memory;
    a = m + plan.parameter_count;
    k = a + plan.parameter_count;
    s = k + plan.parameter_count;
    sums = reinterpret_cast<Moments*>(s + plan.parameter_count);
  }
  static uint64_t Bytes(const GradientPlan& plan) {
    return plan.parameter_count * (4 + 2 * Arrays(plan, nullptr).blocks) * sizeof(float);
  }
};

template <typename E>
__global__ void ReadMeans(cuda::Walk<6> walk, const E* mean, float* m, uint64_t count) {
  const uint64_t number = cuda::ThreadNumber();
  if (number >= count) return;
  int64_t at[6];
  walk.Offsets(static_cast<uint32_t>(number), at);
  m[at[0]] = cuda::Widen(mean[at[1]]);
}

template <class T, typename E>
__global__ void __launch_bounds__(T::kBlockThreads)
    SumGradients(Work<3> work, Arrays arrays, const E* x, const E* dy) {
  const T team;
  ForUnits(work, team, [&](const Share<3>& share) {
    const float mean = arrays.m[share.at[2]];
    Moments slots[T::kSlotsEach];
    for (unsigned i = 0; i < T::kSlotsEach; ++i) {
      const unsigned slot = team.SlotAt(i);
      slots[i] = {0, 0};
      SlotWalk<3> walk(work.inside, share.first + slot);
      constexpr int kAtOnce = 4;
#pragma unroll 1
      for (uint32_t r = slot; r < share.count; r += kAtOnce * kSlots) {
        E in[kAtOnce], g[kAtOnce];
#pragma unroll
        for (uint32_t k = 0; k < kAtOnce; ++k, walk.Next()) {
          if (r + k * kSlots >= share.count) continue;
          in[k] = x[share.at[0] + walk.offsets()[0]];
          g[k] = dy[share.at[1] + walk.offsets()[1]];
        }
#pragma unroll
        for (uint32_t k = 0; k < kAtOnce; ++k) {
          if (r + k * kSlots >= share.count) break;
          const float gradient = cuda::Widen(g[k]);
          const float away = cuda::Widen(in[k]) - mean;
          slots[i] = AddBoth()(slots[i], {gradient, gradient * away});
        }
      }
    }
    const Moments sums = team.Fold(slots, AddBoth());
    if (team.thread != 0 || share.count == 0) return;
    arrays.sums[static_cast<uint64_t>(share.at[2]) * arrays.blocks + share.block] = sums;
  });
}

template <typename E>
__global__ void FillGradientParameters(cuda::Walk<6> walk, Arrays arrays, const E* variance,
                                       const E* scale, float epsilon, float n, E* scale_gradient,
                                       E* bias_gradient, uint64_t count) {
  const BlockTeam team;
  for (uint64_t number = blockIdx.x; number < count; number += gridDim.x) {
    int64_t at[6];
    walk.Offsets(static_cast<uint32_t>(number), at);
    Moments* const of_set = arrays.sums + static_cast<uint64_t>(at[0]) * arrays.blocks;
    const Moments sums = FoldArray(team, of_set, arrays.blocks, Moments{0, 0}, AddBoth(), of_set);
    if (team.thread != 0) continue;
    const float total = cuda::Widen(variance[at[2]]) + epsilon;
    const float root = __fsqrt_rn(total);
    arrays.a[at[0]] = __fdiv_rn(sums.sum, n);
    arrays.k[at[0]] = __fdiv_rn(__fdiv_rn(sums.squares, n), total);
    arrays.s[at[0]] = __fdiv_rn(cuda::Widen(scale[at[3]]), root);
    scale_gradient[at[4]] = cuda::Narrow<E>(__fdiv_rn(sums.squares, root));
    bias_gradient[at[5]] = cuda::Narrow<E>(sums.sum);
  }
}

// The input, the gradients, the parameters, the output.
template <typename E>
struct GradientOf {
  const E* x;
  const E* dy;
  Arrays arrays;
  bool of_training;
  E* dx;

  __device__ int64_t Lead(const int64_t (&offsets)[4]) const {
    return cuda::LeadOf(dx + offsets[3]);
  }
  template <int kCount>
  __device__ void operator()(const cuda::Place<4, kCount>& place) const {
    const auto g = place.Load(dy, 1);
    const auto s = place.Load(arrays.s, 2);
    cuda::Pack<E, kCount> out;
    if (of_training) {
      const auto in = place.Load(x, 0);
      const auto m = place.Load(arrays.m, 2), a = place.Load(arrays.a, 2),
                 k = place.Load(arrays.k, 2);
      for (int i = 0; i < kCount; ++i) {
        const float away = cuda::Widen(in.values[i]) - m.values[i];
        const float left = cuda::Widen(g.values[i]) - a.values[i];
        out.values[i] = cuda::Narrow<E>((left - away * k.values[i]) * s.values[i]);
      }
    } else {
      for (int i = 0; i < kCount; ++i) {
        out.values[i] = cuda::Narrow<E>(cuda::Widen(g.values[i]) * s.values[i]);
      }
    }
    place.Store(out, dx, 3);
  }
};

template <class T, typename E>
void LaunchGradientSums(const GradientPlan& plan, const Bindings& bindings, cuda::Stream stream) {
  const Columns<3>* columns = T::kColumns > 1 ? &plan.columns : nullptr;
  const Work<3> work = MakeWork(plan.sets, columns, /*by_blocks=*/true);
  SumGradients<T, E><<<BlocksForTeams<T>(work.units), T::Threads(), 0, stream>>>(
      work, Arrays(plan, bindings.Temporary<float>()), bindings.Input<E>(kX),
      bindings.Input<E>(kDy));
}

template <bool kColumns>
void Run(const GradientPlan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  DispatchType(Floats(), plan.type, [&]<typename E>() {
    const Arrays arrays(plan, bindings.Temporary<float>());
    const cuda::Walk<6> walk(plan.parameters, plan.parameters.rank);
    const uint64_t count = plan.parameter_count;
    ReadMeans<E><<<cuda::BlocksFor(count), cuda::kThreadsPerBlock, 0, stream>>>(
        walk, bindings.Input<E>(kMean), arrays.m, count);
    if (kColumns) {
      LaunchGradientSums<ColumnTeam, E>(plan, bindings, stream);
    } else if (plan.sets.size() <= kWarpElements) {
      LaunchGradientSums<WarpTeam, E>(plan, bindings, stream);
    } else {
      LaunchGradientSums<BlockTeam, E>(plan, bindings, stream);
    }
    FillGradientParameters<E>
        <<<BlocksForTeams<BlockTeam>(count), BlockTeam::Threads(), 0, stream>>>(
            walk, arrays, bindings.Input<E>(kVariance), bindings.Input<E>(kScale), plan.epsilon,
            static_cast<float>(plan.sets.size()), bindings.Output<E>(1), bindings.Output<E>(2),
            count);
    const GradientOf<E> body = {bindings.Input<E>(kX), bindings.Input<E>(kDy), arrays,
                                plan.of_training, bindings.Output<E>(0)};
    RunElements<E>(plan.elements, AcceptsPackedElements(plan).accepted(), body, stream);
  });
}

Refusal AcceptsColumns(const GradientPlan& plan) { return AcceptsLanes(plan.columns.lanes); }

using Strategy = CudaStrategyOf<GradientPlan, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaNormalizationGradients[] = {
    Strategy::Named<AcceptsColumns, Run<true>, Arrays::Bytes>("columns"),
    Strategy::Named<AcceptsAll<GradientPlan>, Run<false>, Arrays::Bytes>("strided"),
};

}  // namespace anydml::reduce
