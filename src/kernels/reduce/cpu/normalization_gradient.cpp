// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Strategies of gradients of normalizations: one pass for the two sums of every set, and one for
// the gradient of the input.
#include <cmath>

#include "kernels/reduce/cpu/normalization_rows.h"
#include "kernels/reduce/cpu/parameter_rows.h"
#include "kernels/reduce/cpu/strategies.h"

namespace anydml::reduce {
namespace {

using GradientPlan = NormalizationGradientPlan;

uint64_t BlocksOf(const GradientPlan& plan) { return CeilDivide(plan.sets.size(), kBlock); }
uint64_t TemporaryBytes(const GradientPlan& plan) {
  return plan.parameter_count * (4 + 2 * BlocksOf(plan)) * sizeof(float);
}

enum Inputs { kX, kDy, kMean, kVariance, kScale };

template <typename T>
struct Run {
  const GradientPlan& plan;
  const Bindings& bindings;
  const NormalizationRows& rows = FindNormalizationRows(plan.type);
  const BlockKernel& kernel = FindBlockKernel(Partial::kSum, DataType::kFloat32);
  const uint64_t size = plan.sets.size();
  const uint64_t blocks = BlocksOf(plan);
  const Streaming streaming = {plan.type, plan.elements.inner_stride(3) == 1,
                               3 * plan.elements.ElementCount()};
  float* const m = bindings.Temporary<float>();
  float* const a = m + plan.parameter_count;
  float* const k = a + plan.parameter_count;
  float* const s = k + plan.parameter_count;
  float* const sums = s + plan.parameter_count;
  float* const products = sums + plan.parameter_count * blocks;

  void ReadMeans() const {
    ElementWalk<6> walk(plan.parameters, 0);
    for (uint64_t i = 0; i < plan.parameter_count; ++i, walk.Next()) {
      m[walk.offsets()[0]] = AsFloat(bindings.Input<T>(kMean)[walk.offsets()[1]]);
    }
  }

  void SumSets(const cpu::Executor& executor) const {
    const uint64_t grain =
        std::max<uint64_t>(1, cpu::kElementsPerUnit / (2 * std::min(size, kBlock)));
    executor.ParallelFor(plan.sets.count() * blocks, grain, [&](uint64_t begin, uint64_t end) {
      alignas(64) T x_buffer[kBlock];
      alignas(64) T dy_buffer[kBlock];
      const StridedLoop<3>& loop = plan.sets.reduced;
      ElementWalk<3> walk(plan.sets.kept, begin / blocks);
      uint64_t block = begin % blocks;
      for (uint64_t unit = begin; unit < end; ++unit) {
        const uint64_t first = block * kBlock, count = std::min(kBlock, size - first);
        const auto& at = walk.offsets();
        const uint64_t to = static_cast<uint64_t>(at[2]) * blocks + block;
        rows.gradient_sums(Gather<0>(loop, bindings.Input<T>(kX) + at[0], first, count, x_buffer),
                           Gather<1>(loop, bindings.Input<T>(kDy) + at[1], first, count, dy_buffer),
                           m[at[2]], count, sums + to, products + to);
        if (++block < blocks) continue;
        block = 0;
        walk.Next();
      }
    });
  }

  struct ColumnBuffers {
    StatisticsBuffer slots;
    int64_t x[kBlock];
    int64_t dy[kBlock];
    alignas(64) float means[kStrip], sums[kStrip], products[kStrip];
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
          OffsetsOfElements<0>(plan.sets.reduced, first, count, buffers.x);
          OffsetsOfElements<1>(plan.sets.reduced, first, count, buffers.dy);
        }
        const ElementWalk<3> walk(plan.columns.outer, unit / strips / blocks);
        const auto& at = walk.offsets();
        const uint64_t lane = unit % strips * kStrip;
        const uint64_t lanes = std::min(kStrip, plan.columns.lanes - lane);
        const int64_t step = plan.columns.lane_strides[2];
        const int64_t set = at[2] + static_cast<int64_t>(lane) * step;
        for (uint64_t i = 0; i < lanes; ++i) {
          buffers.means[i] = m[set + static_cast<int64_t>(i) * step];
        }
        rows.gradient_sums_of_columns(
            bindings.Input<T>(kX) + at[0] + lane, buffers.x, bindings.Input<T>(kDy) + at[1] + lane,
            buffers.dy, buffers.means, count, lanes, buffers.sums, buffers.products, buffers.slots);
        for (uint64_t i = 0; i < lanes; ++i) {
          const uint64_t to =
              static_cast<uint64_t>(set + static_cast<int64_t>(i) * step) * blocks + block;
          sums[to] = buffers.sums[i];
          products[to] = buffers.products[i];
        }
      }
    });
  }

  void FillParameters() const {
    const auto n = static_cast<float>(size);
    ElementWalk<6> walk(plan.parameters, 0);
    for (uint64_t i = 0; i < plan.parameter_count; ++i, walk.Next()) {
      const auto& at = walk.offsets();
      float* const sum = sums + static_cast<uint64_t>(at[0]) * blocks;
      float* const product = products + static_cast<uint64_t>(at[0]) * blocks;
      kernel.combine(sum, blocks);
      kernel.combine(product, blocks);
      const float total = AsFloat(bindings.Input<T>(kVariance)[at[2]]) + plan.epsilon;
      const float root = std::sqrt(total);
      a[at[0]] = *sum / n;
      k[at[0]] = (*product / n) / total;
      s[at[0]] = AsFloat(bindings.Input<T>(kScale)[at[3]]) / root;
      PutFloat(*product / root, bindings.Output<T>(1) + at[4]);
      PutFloat(*sum, bindings.Output<T>(2) + at[5]);
    }
  }

  void FillGradient(const cpu::Executor& executor) const {
    const StridedLoop<4>& loop = plan.elements;
    ForEachPiece(loop, executor, [&] {
      return [&, buffers = PieceBuffers<T, 4>()](const auto& at, uint64_t count) mutable {
        const int64_t own = loop.inner_stride(2), stride = loop.inner_stride(3);
        const float* parameters[4] = {m + at[2], a + at[2], k + at[2], s + at[2]};
        for (int i = 0; i < 4 && own > 1; ++i) {
          parameters[i] = Spread(parameters[i], own, count, buffers.parameters[i]);
        }
        const T* const dy =
            buffers.Read(bindings.Input<T>(kDy) + at[1], loop.inner_stride(1), count, 1);
        T* const dx = bindings.Output<T>(0) + at[3];
        T* const to = buffers.Target(dx, stride);
        if (plan.of_training) {
          const T* const x =
              buffers.Read(bindings.Input<T>(kX) + at[0], loop.inner_stride(0), count, 0);
          rows.gradient(x, dy, parameters[0], parameters[1], parameters[2], parameters[3], own != 0,
                        count, streaming.Takes(to, count), to);
        } else {
          rows.scaled(dy, parameters[3], own != 0, count, streaming.Takes(to, count), to);
        }
        buffers.Write(dx, stride, count);
      };
    });
  }
};

template <bool kColumns>
void RunPasses(const GradientPlan& plan, const NoTables&, const Bindings& bindings,
               const cpu::Executor& executor) {
  DispatchType(TypeList<float, Float16>(), plan.type, [&]<typename T>() {
    const Run<T> run = {plan, bindings};
    run.ReadMeans();
    kColumns ? run.SumColumns(executor) : run.SumSets(executor);
    run.FillParameters();
    run.FillGradient(executor);
  });
}

Refusal AcceptsColumns(const GradientPlan& plan) {
  if (plan.columns.lanes < 4 || plan.columns.lane_strides[1] != 1) {
    return {"less than four sets lie side by side in the input and its gradient"};
  }
  return kAccepted;
}

using Strategy = StrategyOf<GradientPlan, NoTables>;

}  // namespace

constinit const CpuStrategy kNormalizationGradientStrategies[] = {
    Strategy::Named<AcceptsColumns, RunPasses<true>, TemporaryBytes>("columns"),
    Strategy::Named<AcceptsAll<GradientPlan>, RunPasses<false>, TemporaryBytes>("strided"),
};

}  // namespace anydml::reduce
