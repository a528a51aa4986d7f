// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Normalizations: sums of blocks, parameters of sets, and a pass over all
// elements. Packed sets of one block stay in registers between the passes.
#include "kernels/reduce/cuda/normalization.cuh"

namespace anydml::reduce {
namespace {

// One input of a description where the plan says it is, or what stands for one that is absent.
template <typename T>
struct Bound {
  const T* data = nullptr;
  float absent;

  Bound(const Bindings& bindings, int binding, float absent) : absent(absent) {
    if (binding != kAbsent) data = bindings.Input<T>(static_cast<size_t>(binding));
  }
  __device__ float At(int64_t offset) const {
    return data == nullptr ? absent : cuda::Widen(data[offset]);
  }
};

// ---- Mean and variance (B32).

// Sum and squared deviations of a block, from values that one thread has of each slot.
// get(i, k, r) is the value of element r, in row k of slot i; it is asked for in ascending r.
template <class T, int kRows, class Get>
__device__ Moments StatisticsOf(const T& team, uint32_t count, bool use_mean, const Get& get) {
  float sums[T::kSlotsEach], means[T::kSlotsEach], squares[T::kSlotsEach];
  const auto each_slot = [&](unsigned i) {
    const unsigned slot = team.SlotAt(i);
    float values[kRows];
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const uint32_t r = slot + k * kSlots;
      if (r < count) values[k] = get(i, k, r);
    }
    sums[i] = means[i] = squares[i] = 0;
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      if (slot + k * kSlots < count) sums[i] = sums[i] + values[k];
    }
    if (slot >= count) return;
    if (use_mean) {
      const auto n = static_cast<float>((count - slot + kSlots - 1) / kSlots);
      means[i] = __fdiv_rn(sums[i], n);
    }
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      if (slot + k * kSlots >= count) continue;
      const float away = use_mean ? values[k] - means[i] : values[k];
      squares[i] = squares[i] + away * away;
    }
  };
  if constexpr (T::kColumns > 1) {
#pragma unroll 1
    for (unsigned i = 0; i < T::kSlotsEach; ++i) each_slot(i);
  } else {
#pragma unroll
    for (unsigned i = 0; i < T::kSlotsEach; ++i) each_slot(i);
  }
  const float sum = team.Fold(sums, Add());
  if (use_mean) {
    const float mean = __fdiv_rn(sum, static_cast<float>(count));
    for (unsigned i = 0; i < T::kSlotsEach; ++i) {
      const unsigned slot = team.SlotAt(i);
      if (slot >= count) continue;
      const auto n = static_cast<float>((count - slot + kSlots - 1) / kSlots);
      const float away = means[i] - mean;
      squares[i] = squares[i] + n * (away * away);
    }
  }
  return {sum, team.Fold(squares, Add())};
}

template <class T, int kRows, typename E>
__global__ void __launch_bounds__(T::kBlockThreads)
    SumBlocks(Work<2> work, bool use_mean, const E* x, float* sums, float* squares) {
  const T team;
  ForUnits(work, team, [&](const Share<2>& share) {
    // Slots are visited one after the other, and so are their elements.
    SlotWalk<2> walk(work.inside, share.first + team.SlotAt(0));
    const auto get = [&](unsigned i, int k, uint32_t) {
      if (k == 0) {
        walk = SlotWalk<2>(work.inside, share.first + team.SlotAt(i));
      } else {
        walk.Next();
      }
      return cuda::Widen(x[share.at[0] + walk.offsets()[0]]);
    };
    const Moments found = StatisticsOf<T, kRows>(team, share.count, use_mean, get);
    if (team.thread != 0 || share.count == 0) return;
    const uint64_t to = static_cast<uint64_t>(share.at[1]) * work.blocks.divisor() + share.block;
    sums[to] = found.sum;
    squares[to] = found.squares;
  });
}

// Of a set, from those of its blocks, which `squares` are used up for.
__device__ Moments Merge(const BlockTeam& team, uint64_t size, uint64_t blocks, bool use_mean,
                         const float* sums, float* squares, float* scratch) {
  const auto n = static_cast<float>(size);
  float mean = 0;
  if (use_mean) {
    mean = __fdiv_rn(FoldArray(team, sums, blocks, 0.0f, Add(), scratch), n);
    for (uint64_t b = team.thread; b < blocks; b += kSlots) {
      const uint64_t left = size - b * kBlock;
      const auto count = static_cast<float>(left < kBlock ? left : kBlock);
      const float away = __fdiv_rn(sums[b], count) - mean;
      squares[b] = squares[b] + count * (away * away);
    }
    __syncthreads();
  }
  return {mean, __fdiv_rn(FoldArray(team, squares, blocks, 0.0f, Add(), squares), n)};
}

// ---- Parameters.

// The temporary memory, in floats.
struct Arrays {
  float *m, *s, *b, *scales, *biases, *sums, *squares, *scratch;
  uint64_t blocks;

  Arrays(const NormalizationPlan& plan, float* memory)
      : blocks((plan.sets.size() + kBlock - 1) / kBlock) {
    const uint64_t sets = plan.parameter_count, group = plan.group_count;
    const uint64_t partials = plan.calculates ? sets * blocks : 0;
    m = memory;
    s = m + sets;
    b = s + sets;
    scales = b + sets;
    biases = scales + group;
    sums = biases + group;
    squares = sums + partials;
    scratch = squares + partials;
  }
  static uint64_t Bytes(const NormalizationPlan& plan) {
    const uint64_t sets = plan.calculates ? plan.parameter_count : 0;
    const Arrays arrays(plan, nullptr);
    const uint64_t floats = 3 * plan.parameter_count + 2 * plan.group_count +
                            sets * (2 * arrays.blocks + ScratchOf(arrays.blocks));
    return floats * sizeof(float);
  }
  // Sums of blocks of sums.
  __host__ __device__ static uint64_t ScratchOf(uint64_t blocks) {
    return blocks <= kBlock ? 0 : (blocks + kBlock - 1) / kBlock;
  }
};

template <typename E>
struct ParameterRun {
  cuda::Walk<7> walk;
  Arrays arrays;
  uint64_t size;
  bool calculates, use_mean, use_variance, by_layers, writes_statistics;
  float epsilon;
  Bound<E> mean, variance, scale, bias;
  E *output_mean, *output_variance;

  ParameterRun(const NormalizationPlan& plan, const Bindings& bindings)
      : walk(plan.parameters, plan.parameters.rank),
        arrays(plan, bindings.Temporary<float>()),
        size(plan.sets.size()),
        calculates(plan.calculates),
        use_mean(plan.use_mean),
        use_variance(plan.use_variance),
        by_layers(plan.by_layers),
        writes_statistics(plan.writes_statistics),
        epsilon(plan.epsilon),
        mean(bindings, plan.mean, 0),
        variance(bindings, plan.variance, 0),
        scale(bindings, plan.scale, 1.0f),
        bias(bindings, plan.bias, -0.0f),
        output_mean(bindings.Output<E>(1)),
        output_variance(bindings.Output<E>(2)) {}

  __device__ void Offsets(uint64_t number, int64_t (&at)[7]) const {
    walk.Offsets(static_cast<uint32_t>(number), at);
  }
  __device__ void Put(const int64_t (&at)[7], const Moments& found) const {
    if (writes_statistics) {
      output_mean[at[5]] = cuda::Narrow<E>(found.sum);
      output_variance[at[6]] = cuda::Narrow<E>(found.squares);
    }
    const float root = use_variance ? __fsqrt_rn(found.squares + epsilon) : 1.0f;
    arrays.m[at[0]] = found.sum;
    arrays.s[at[0]] = by_layers ? root : __fdiv_rn(scale.At(at[3]), root);
    arrays.b[at[0]] = by_layers ? -0.0f : bias.At(at[4]);
  }
};

template <typename E>
__global__ void ReadParameters(ParameterRun<E> run, uint64_t count) {
  const uint64_t number = cuda::ThreadNumber();
  if (number >= count) return;
  int64_t at[7];
  run.Offsets(number, at);
  run.Put(at, {run.mean.At(at[1]), run.variance.At(at[2])});
}

template <typename E>
__global__ void MergeParameters(ParameterRun<E> run, uint64_t count) {
  const BlockTeam team;
  for (uint64_t number = blockIdx.x; number < count; number += gridDim.x) {
    int64_t at[7];
    run.Offsets(number, at);
    const Arrays& a = run.arrays;
    const uint64_t first = static_cast<uint64_t>(at[0]) * a.blocks;
    const Moments found =
        Merge(team, run.size, a.blocks, run.use_mean, a.sums + first, a.squares + first,
              a.scratch + static_cast<uint64_t>(at[0]) * Arrays::ScratchOf(a.blocks));
    if (team.thread == 0) run.Put(at, found);
  }
}

// Scale and bias of layers. An absent bias is -0, which changes nothing, an absent scale 1.
template <typename E>
__global__ void ReadGroup(cuda::Walk<3> walk, Arrays arrays, Bound<E> scale, Bound<E> bias,
                          uint64_t count) {
  const uint64_t number = cuda::ThreadNumber();
  if (number >= count) return;
  int64_t at[3];
  walk.Offsets(static_cast<uint32_t>(number), at);
  arrays.scales[at[0]] = scale.At(at[1]);
  arrays.biases[at[0]] = bias.At(at[2]);
}

// ---- The pass over all elements.

// The input, what is added, the parameters, the group, the output.
template <typename E>
struct Normalized {
  const E* x;
  const E* add;  // null: nothing
  Arrays arrays;
  bool by_layers;
  E* y;

  __device__ int64_t Lead(const int64_t (&offsets)[5]) const {
    return cuda::LeadOf(y + offsets[4]);
  }
  template <int kCount>
  __device__ void operator()(const cuda::Place<5, kCount>& place) const {
    const auto in = place.Load(x, 0);
    const auto m = place.Load(arrays.m, 2), s = place.Load(arrays.s, 2);
    const auto b = by_layers ? place.Load(arrays.biases, 3) : place.Load(arrays.b, 2);
    cuda::Pack<float, kCount> scales;
    if (by_layers) scales = place.Load(arrays.scales, 3);
    cuda::Pack<E, kCount> more;
    if (add != nullptr) more = place.Load(add, 1);
    cuda::Pack<E, kCount> out;
    for (int i = 0; i < kCount; ++i) {
      const float factor = by_layers ? __fdiv_rn(scales.values[i], s.values[i]) : s.values[i];
      float result = (cuda::Widen(in.values[i]) - m.values[i]) * factor + b.values[i];
      if (add != nullptr) result = result + cuda::Widen(more.values[i]);
      out.values[i] = cuda::Narrow<E>(result);
    }
    place.Store(out, y, 4);
  }
};

template <typename E>
void FillGroup(const NormalizationPlan& plan, const Bindings& bindings, cuda::Stream stream) {
  ReadGroup<E><<<cuda::BlocksFor(plan.group_count), cuda::kThreadsPerBlock, 0, stream>>>(
      cuda::Walk<3>(plan.group, plan.group.rank), Arrays(plan, bindings.Temporary<float>()),
      Bound<E>(bindings, plan.scale, 1.0f), Bound<E>(bindings, plan.bias, -0.0f), plan.group_count);
}

template <class T, int kRows, typename E>
void LaunchSums(const NormalizationPlan& plan, const Bindings& bindings, cuda::Stream stream) {
  const Arrays arrays(plan, bindings.Temporary<float>());
  const Columns<2>* columns = T::kColumns > 1 ? &plan.columns : nullptr;
  const Work<2> work = MakeWork(plan.sets, columns, /*by_blocks=*/true);
  SumBlocks<T, kRows, E><<<BlocksForTeams<T>(work.units), T::Threads(), 0, stream>>>(
      work, plan.use_mean, bindings.Input<E>(0), arrays.sums, arrays.squares);
}

template <typename E, bool kColumns>
void FillParameters(const NormalizationPlan& plan, const Bindings& bindings, cuda::Stream stream) {
  const ParameterRun<E> run(plan, bindings);
  const uint64_t count = plan.parameter_count;
  if (!plan.calculates) {
    ReadParameters<E><<<cuda::BlocksFor(count), cuda::kThreadsPerBlock, 0, stream>>>(run, count);
    return;
  }
  if (kColumns) {
    LaunchSums<ColumnTeam, 32, E>(plan, bindings, stream);
  } else if (plan.sets.size() <= kWarpElements) {
    LaunchSums<WarpTeam, 8, E>(plan, bindings, stream);
  } else {
    LaunchSums<BlockTeam, 32, E>(plan, bindings, stream);
  }
  MergeParameters<E>
      <<<BlocksForTeams<BlockTeam>(count), BlockTeam::Threads(), 0, stream>>>(run, count);
}

template <bool kColumns, bool kMayPack>
void RunPasses(const NormalizationPlan& plan, const NoTables&, const Bindings& bindings,
               cuda::Stream stream) {
  DispatchType(Floats(), plan.type, [&]<typename E>() {
    if (plan.by_layers) FillGroup<E>(plan, bindings, stream);
    FillParameters<E, kColumns>(plan, bindings, stream);
    const E* const add =
        plan.add == kAbsent ? nullptr : bindings.Input<E>(static_cast<size_t>(plan.add));
    const Normalized<E> body = {bindings.Input<E>(0), add,
                                Arrays(plan, bindings.Temporary<float>()), plan.by_layers,
                                bindings.Output<E>(0)};
    RunElements<E>(plan.elements, kMayPack && AcceptsPackedElements(plan).accepted(), body, stream);
  });
}

// ---- Packed sets of one block: one pass.

template <class T, int kRows, typename E>
__global__ void __launch_bounds__(T::kBlockThreads)
    NormalizeSets(Work<4> work, ParameterRun<E> run, const E* x, E* y) {
  const T team;
  ForUnits(work, team, [&](const Share<4>& share) {
    const E* const from = x + share.at[0];
    float values[T::kSlotsEach][kRows];
    const auto each = [&](const auto& body) {
#pragma unroll
      for (unsigned i = 0; i < T::kSlotsEach; ++i) {
#pragma unroll
        for (int k = 0; k < kRows; ++k) {
          const uint32_t r = team.SlotAt(i) + k * kSlots;
          if (r < share.count) body(values[i][k], r);
        }
      }
    };
    each([&](float& value, uint32_t r) { value = cuda::Widen(from[r]); });
    Moments found = StatisticsOf<T, kRows>(
        team, share.count, run.use_mean, [&](unsigned i, int k, uint32_t) { return values[i][k]; });
    // The merge of one block (B32).
    const auto n = static_cast<float>(share.count);
    float mean = 0;
    if (run.use_mean) {
      mean = __fdiv_rn(found.sum, n);
      const float away = mean - mean;  // of the block: NaN, where the mean is not finite
      found.squares = found.squares + n * (away * away);
    }
    const float variance = __fdiv_rn(found.squares, n);
    const float root = run.use_variance ? __fsqrt_rn(variance + run.epsilon) : 1.0f;
    const int64_t group_step = run.by_layers ? 1 : 0;
    const float* const scales = run.arrays.scales + share.at[2];
    const float* const biases = run.arrays.biases + share.at[2];
    const float factor = __fdiv_rn(scales[0], root);
    each([&](float& value, uint32_t r) {
      const float own = run.by_layers ? __fdiv_rn(scales[r], root) : factor;
      const float result = (value - mean) * own + biases[group_step * r];
      y[share.at[3] + r] = cuda::Narrow<E>(result);
    });
  });
}

void RunRows(const NormalizationPlan& plan, const NoTables&, const Bindings& bindings,
             cuda::Stream stream) {
  DispatchType(Floats(), plan.type, [&]<typename E>() {
    FillGroup<E>(plan, bindings, stream);
    const Work<4> work = MakeWork<4>(plan.rows, nullptr, /*by_blocks=*/true);
    const auto launch = [&]<class T, int kRows>() {
      NormalizeSets<T, kRows, E><<<BlocksForTeams<T>(work.units), T::Threads(), 0, stream>>>(
          work, ParameterRun<E>(plan, bindings), bindings.Input<E>(0), bindings.Output<E>(0));
    };
    if (plan.rows.size() <= kWarpElements) {
      launch.template operator()<WarpTeam, 8>();
    } else {
      launch.template operator()<BlockTeam, 32>();
    }
  });
}

Refusal AcceptsRows(const NormalizationPlan& plan) {
  if (!plan.calculates) return {"mean and variance are bound"};
  if (plan.writes_statistics) return {"mean and variance are outputs"};
  const StridedLoop<4>& set = plan.rows.reduced;
  if (set.rank > 1 || set.inner_stride(0) != 1 || set.inner_stride(3) != 1) {
    return {"the sets are not packed"};
  }
  if (plan.by_layers && set.inner_stride(2) != 1) return {"scale and bias are not packed"};
  if (set.inner_size() > kBlock) return {"a set has more than 4096 elements"};
  return kAccepted;
}

Refusal AcceptsColumns(const NormalizationPlan& plan) {
  if (!plan.calculates) return {"mean and variance are bound"};
  return AcceptsLanes(plan.columns.lanes);
}

using Strategy = CudaStrategyOf<NormalizationPlan, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaNormalizations[] = {
    Strategy::Named<AcceptsRows, RunRows, Arrays::Bytes>("rows"),
    Strategy::Named<AcceptsColumns, RunPasses<true, true>, Arrays::Bytes>("columns"),
    Strategy::Named<AcceptsPackedElements<NormalizationPlan>, RunPasses<false, true>,
                    Arrays::Bytes>("packed_rows"),
    Strategy::Named<AcceptsAll<NormalizationPlan>, RunPasses<false, false>, Arrays::Bytes>(
        "strided"),
};

}  // namespace anydml::reduce
