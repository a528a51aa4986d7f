// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Strategies of normalizations: partial statistics of blocks, parameters of sets, and a pass over
// all elements. Sets that stay in the cache between the passes are taken one by one.
#include <cmath>

#include "backends/cpu/rows.h"
#include "kernels/reduce/cpu/gather.h"
#include "kernels/reduce/cpu/normalization_rows.h"
#include "kernels/reduce/cpu/parameter_rows.h"
#include "kernels/reduce/cpu/strategies.h"

namespace anydml::reduce {
namespace {

// The longest set that is read again while it is in the cache.
constexpr uint64_t kCached = 65536;

uint64_t BlocksOf(const NormalizationPlan& plan) { return CeilDivide(plan.sets.size(), kBlock); }

// The temporary memory, in floats.
struct Layout {
  uint64_t parameters, group, partials;

  explicit Layout(const NormalizationPlan& plan)
      : parameters(plan.parameter_count),
        group(plan.group_count),
        partials(plan.calculates ? plan.parameter_count * BlocksOf(plan) : 0) {}
  uint64_t bytes() const { return (3 * parameters + 2 * group + 3 * partials) * sizeof(float); }
};

uint64_t TemporaryBytes(const NormalizationPlan& plan) { return Layout(plan).bytes(); }

struct MeanAndVariance {
  float mean;
  float variance;
};

// Of a set, from the sums of its blocks (B32). `work` has as many entries as they.
struct Merge {
  const BlockKernel& sums = FindBlockKernel(Partial::kSum, DataType::kFloat32);
  uint64_t size;

  float SumOf(const float* values, uint64_t blocks, float* work) const {
    std::copy_n(values, blocks, work);
    sums.combine(work, blocks);
    return work[0];
  }
  MeanAndVariance operator()(const float* of_blocks, float* squares, float* work,
                             uint64_t blocks) const {
    const auto n = static_cast<float>(size);
    const float mean = SumOf(of_blocks, blocks, work) / n;
    for (uint64_t b = 0; b < blocks; ++b) {
      const auto count = static_cast<float>(std::min(kBlock, size - b * kBlock));
      const float away = of_blocks[b] / count - mean;
      squares[b] = squares[b] + count * (away * away);
    }
    return {mean, SumOf(squares, blocks, work) / n};
  }
};

template <typename T>
struct Run {
  const NormalizationPlan& plan;
  const Bindings& bindings;
  const NormalizationRows& rows = FindNormalizationRows(plan.type);
  const BlockKernel& square_sums = FindBlockKernel(Partial::kSumOfSquares, plan.type);
  const Layout layout = Layout(plan);
  const uint64_t size = plan.sets.size();
  const uint64_t blocks = BlocksOf(plan);
  float* const m = bindings.Temporary<float>();
  float* const s = m + layout.parameters;  // by layers: roots
  float* const b = s + layout.parameters;
  float* const scales = b + layout.parameters;
  float* const biases = scales + layout.group;
  float* const sums = biases + layout.group;
  float* const squares = sums + layout.partials;
  float* const work = squares + layout.partials;
  const Merge merge = {.size = size};
  const Streaming streaming = {plan.type, plan.elements.inner_stride(4) == 1,
                               2 * plan.elements.ElementCount()};

  float Bound(int binding, int64_t at, float absent) const {
    return binding == kAbsent ? absent
                              : AsFloat(bindings.Input<T>(static_cast<size_t>(binding))[at]);
  }
  float RootOf(float variance) const {
    return plan.use_variance ? std::sqrt(variance + plan.epsilon) : 1.0f;
  }

  // An absent bias is -0, which changes nothing, an absent scale 1.
  void FillGroup() const {
    ElementWalk<3> walk(plan.group, 0);
    for (uint64_t i = 0; i < layout.group; ++i, walk.Next()) {
      const auto& at = walk.offsets();
      scales[at[0]] = Bound(plan.scale, at[1], 1.0f);
      biases[at[0]] = Bound(plan.bias, at[2], -0.0f);
    }
  }

  // Of a block.
  void Statistics(const T* x, uint64_t count, float* sum, float* square_sum) const {
    if (plan.use_mean) return rows.statistics(x, count, sum, square_sum);
    square_sums.block({}, x, count, square_sum);
  }
  MeanAndVariance Merged(float* of_blocks, float* square_sums_of_blocks, float* scratch) const {
    if (plan.use_mean) return merge(of_blocks, square_sums_of_blocks, scratch, blocks);
    const auto n = static_cast<float>(size);
    return {0, merge.SumOf(square_sums_of_blocks, blocks, scratch) / n};
  }

  void SumSets(const cpu::Executor& executor) const {
    const uint64_t grain = std::max<uint64_t>(1, cpu::kElementsPerUnit / std::min(size, kBlock));
    executor.ParallelFor(plan.sets.count() * blocks, grain, [&](uint64_t begin, uint64_t end) {
      alignas(64) T buffer[kBlock];
      ElementWalk<2> walk(plan.sets.kept, begin / blocks);
      uint64_t block = begin % blocks;
      for (uint64_t unit = begin; unit < end; ++unit) {
        const uint64_t first = block * kBlock, count = std::min(kBlock, size - first);
        const T* const x = Gather<0>(plan.sets.reduced, bindings.Input<T>(0) + walk.offsets()[0],
                                     first, count, buffer);
        const uint64_t at = static_cast<uint64_t>(walk.offsets()[1]) * blocks + block;
        Statistics(x, count, sums + at, squares + at);
        if (++block < blocks) continue;
        block = 0;
        walk.Next();
      }
    });
  }

  struct ColumnBuffers {
    StatisticsBuffer slots;
    int64_t offsets[kBlock];
    float sums[kStrip];
    float squares[kStrip];
  };

  void SumColumns(const cpu::Executor& executor) const {
    const uint64_t strips = CeilDivide(plan.columns.lanes, kStrip);
    const uint64_t strip_lanes = std::min(kStrip, plan.columns.lanes);
    const uint64_t grain =
        std::max<uint64_t>(1, cpu::kElementsPerUnit / (std::min(size, kBlock) * strip_lanes));
    const uint64_t units = plan.columns.outer.ElementCount() * blocks * strips;
    executor.ParallelFor(units, grain, [&](uint64_t begin, uint64_t end) {
      ColumnBuffers buffers;
      for (uint64_t unit = begin; unit < end; ++unit) {
        const uint64_t block = unit / strips % blocks, first = block * kBlock;
        const uint64_t count = std::min(kBlock, size - first);
        if (unit == begin || unit % strips == 0) {
          OffsetsOfElements<0>(plan.sets.reduced, first, count, buffers.offsets);
        }
        const ElementWalk<2> walk(plan.columns.outer, unit / strips / blocks);
        const uint64_t lane = unit % strips * kStrip;
        const uint64_t lanes = std::min(kStrip, plan.columns.lanes - lane);
        const T* const x = bindings.Input<T>(0) + walk.offsets()[0] + lane;
        if (plan.use_mean) {
          rows.statistics_of_columns(x, buffers.offsets, count, lanes, buffers.sums,
                                     buffers.squares, buffers.slots);
        } else {
          square_sums.columns({}, x, buffers.offsets, count, lanes, buffers.squares,
                              buffers.slots.sums);
        }
        auto set = static_cast<uint64_t>(walk.offsets()[1] +
                                         static_cast<int64_t>(lane) * plan.columns.lane_strides[1]);
        for (uint64_t i = 0; i < lanes; ++i) {
          if (plan.use_mean) sums[set * blocks + block] = buffers.sums[i];
          squares[set * blocks + block] = buffers.squares[i];
          set += static_cast<uint64_t>(plan.columns.lane_strides[1]);
        }
      }
    });
  }

  void FillParameters(const cpu::Executor& executor) const {
    const uint64_t cost = plan.calculates ? 4 * blocks + 16 : 16;
    const uint64_t grain = std::max<uint64_t>(1, cpu::kElementsPerUnit / cost);
    executor.ParallelFor(layout.parameters, grain, [&](uint64_t begin, uint64_t end) {
      ElementWalk<7> walk(plan.parameters, begin);
      for (uint64_t i = begin; i < end; ++i, walk.Next()) {
        const auto& at = walk.offsets();
        MeanAndVariance found;
        if (plan.calculates) {
          const auto first = static_cast<uint64_t>(at[0]) * blocks;
          found = Merged(sums + first, squares + first, work + first);
        } else {
          found = {Bound(plan.mean, at[1], 0), Bound(plan.variance, at[2], 0)};
        }
        if (plan.writes_statistics) {
          PutFloat(found.mean, bindings.Output<T>(1) + at[5]);
          PutFloat(found.variance, bindings.Output<T>(2) + at[6]);
        }
        const float root = RootOf(found.variance);
        m[at[0]] = found.mean;
        s[at[0]] = plan.by_layers ? root : Bound(plan.scale, at[3], 1.0f) / root;
        b[at[0]] = plan.by_layers ? -0.0f : Bound(plan.bias, at[4], -0.0f);
      }
    });
  }

  // Of one row.
  void Normalize(const std::array<int64_t, 5>& at, uint64_t count, ParameterRow* buffers,
                 const T* x, const T* add, T* y) const {
    const int64_t own = plan.elements.inner_stride(2), of_group = plan.elements.inner_stride(3);
    if (plan.by_layers && own == 0 && of_group == 1) {
      return rows.layer(x, m[at[2]], s[at[2]], scales + at[3], biases + at[3], count,
                        streaming.Takes(y, count), y);
    }
    const bool direct = own == 1 || (own == 0 && !plan.by_layers);
    const bool each = own != 0 || plan.by_layers;
    const float* mean = m + at[2];
    const float* factor = s + at[2];
    const float* bias = b + at[2];
    if (!direct || plan.by_layers) {
      mean = Spread(mean, own, count, buffers[0]);
      factor = Spread(factor, own, count, buffers[1]);
      bias = plan.by_layers ? Spread(biases + at[3], of_group, count, buffers[2])
                            : Spread(bias, own, count, buffers[2]);
    }
    if (plan.by_layers) {
      for (uint64_t i = 0; i < count; ++i) {
        buffers[1].values[i] =
            scales[at[3] + static_cast<int64_t>(i) * of_group] / buffers[1].values[i];
      }
    }
    rows.affine(x, add, mean, factor, bias, each, count, streaming.Takes(y, count), y);
  }

  void NormalizeElements(const cpu::Executor& executor) const {
    ForEachPiece(plan.elements, executor, [&] {
      return [&, buffers = PieceBuffers<T, 3>()](const auto& at, uint64_t count) mutable {
        const T* const x =
            buffers.Read(bindings.Input<T>(0) + at[0], plan.elements.inner_stride(0), count, 0);
        const T* const add =
            plan.add == kAbsent
                ? nullptr
                : buffers.Read(bindings.Input<T>(static_cast<size_t>(plan.add)) + at[1],
                               plan.elements.inner_stride(1), count, 1);
        T* const y = bindings.Output<T>(0) + at[4];
        const int64_t stride = plan.elements.inner_stride(4);
        Normalize(at, count, buffers.parameters, x, add, buffers.Target(y, stride));
        buffers.Write(y, stride, count);
      };
    });
  }

  // Sets one by one.
  void NormalizeSets(const cpu::Executor& executor) const {
    FillGroup();
    const uint64_t grain = std::max<uint64_t>(1, cpu::kElementsPerUnit / size);
    executor.ParallelFor(plan.rows.count(), grain, [&](uint64_t begin, uint64_t end) {
      float of_blocks[kCached / kBlock], squares_of_blocks[kCached / kBlock];
      float scratch[kCached / kBlock];
      ElementWalk<4> walk(plan.rows.kept, begin);
      for (uint64_t set = begin; set < end; ++set, walk.Next()) {
        const auto& at = walk.offsets();
        const T* const x = bindings.Input<T>(0) + at[0];
        for (uint64_t block = 0; block < blocks; ++block) {
          const uint64_t first = block * kBlock;
          Statistics(x + first, std::min(kBlock, size - first), of_blocks + block,
                     squares_of_blocks + block);
        }
        const auto [mean, variance] = Merged(of_blocks, squares_of_blocks, scratch);
        const float root = RootOf(variance);
        T* const y = bindings.Output<T>(0) + at[3];
        if (plan.by_layers) {
          rows.layer(x, mean, root, scales + at[2], biases + at[2], size, streaming.Takes(y, size),
                     y);
        } else {
          const float factor = scales[at[2]] / root;
          rows.affine(x, nullptr, &mean, &factor, biases + at[2], false, size,
                      streaming.Takes(y, size), y);
        }
      }
      hwy::FlushStream();
    });
  }
};

template <bool kColumns>
void RunPasses(const NormalizationPlan& plan, const NoTables&, const Bindings& bindings,
               const cpu::Executor& executor) {
  DispatchType(TypeList<float, Float16>(), plan.type, [&]<typename T>() {
    const Run<T> run = {plan, bindings};
    if (plan.calculates) kColumns ? run.SumColumns(executor) : run.SumSets(executor);
    if (plan.by_layers) run.FillGroup();
    run.FillParameters(executor);
    run.NormalizeElements(executor);
  });
}

void RunRows(const NormalizationPlan& plan, const NoTables&, const Bindings& bindings,
             const cpu::Executor& executor) {
  DispatchType(TypeList<float, Float16>(), plan.type, [&]<typename T>() {
    Run<T>{plan, bindings}.NormalizeSets(executor);
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
  if (set.inner_size() > kCached) return {"a set has more than 65536 elements"};
  return kAccepted;
}

Refusal AcceptsColumns(const NormalizationPlan& plan) {
  if (!plan.calculates) return {"mean and variance are bound"};
  if (plan.columns.lanes < 4) return {"less than four sets lie side by side in the input"};
  return kAccepted;
}

using Strategy = StrategyOf<NormalizationPlan, NoTables>;

}  // namespace

constinit const CpuStrategy kNormalizationStrategies[] = {
    Strategy::Named<AcceptsRows, RunRows, TemporaryBytes>("rows"),
    Strategy::Named<AcceptsColumns, RunPasses<true>, TemporaryBytes>("columns"),
    Strategy::Named<AcceptsAll<NormalizationPlan>, RunPasses<false>, TemporaryBytes>("strided"),
};

}  // namespace anydml::reduce
