// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Strategies of reductions. A set is cut into blocks of 4096 elements; each gives a partial result,
// and where there are several, they wait in temporary memory and are combined at the end.
#include <cmath>

#include "backends/cpu/rows.h"
#include "kernels/reduce/cpu/best_index.h"
#include "kernels/reduce/cpu/functions.h"
#include "kernels/reduce/cpu/gather.h"
#include "kernels/reduce/cpu/strategies.h"

namespace anydml::reduce {
namespace {

bool FindsIndices(const Plan& plan) {
  return plan.function == Function::kArgMax || plan.function == Function::kArgMin;
}

Partial PartialOf(Function function) {
  switch (function) {
    case Function::kL1:
      return Partial::kSumOfAbsolutes;
    case Function::kL2:
    case Function::kSumSquare:
      return Partial::kSumOfSquares;
    case Function::kMultiply:
      return Partial::kProduct;
    case Function::kArgMax:
    case Function::kArgMin:
    case Function::kMax:
    case Function::kMin:
      return Partial::kExtreme;
    default:
      return Partial::kSum;
  }
}

ExtremeSettings SettingsOf(const Plan& plan) {
  return {.least = plan.function == Function::kMin || plan.function == Function::kArgMin,
          .ties_zeros = FindsIndices(plan)};
}

// What a set's sum leads to.
float Finish(const Plan& plan, float sum) {
  switch (plan.function) {
    case Function::kAverage:
      return sum / static_cast<float>(plan.sets.size());
    case Function::kL2:
      return std::sqrt(sum);
    case Function::kLogSum:
      return Logarithm(sum);
    default:
      return sum;
  }
}

using FinishElement = void (*)(const Plan&, const void* partial, void* y, int64_t at);

// From a partial result to an element of the output.
FinishElement FinishOf(const Plan& plan) {
  FinishElement finish = nullptr;
  if (PartialOf(plan.function) == Partial::kExtreme) {
    DispatchType(ExtremeTypes(), plan.type, [&]<typename T>() {
      finish = [](const Plan& p, const void* partial, void* y, int64_t at) {
        static_cast<T*>(y)[at] =
            ElementOfKey<T>(*static_cast<const KeyOf<T>*>(partial), SettingsOf(p));
      };
    });
  } else if (!DispatchType(TypeList<float, Float16>(), plan.type, [&]<typename T>() {
               finish = [](const Plan& p, const void* partial, void* y, int64_t at) {
                 PutFloat(Finish(p, *static_cast<const float*>(partial)), static_cast<T*>(y) + at);
               };
             })) {
    DispatchWidth(ElementSize(plan.type), [&]<typename T>() {
      finish = [](const Plan&, const void* partial, void* y, int64_t at) {
        static_cast<T*>(y)[at] = *static_cast<const T*>(partial);
      };
    });
  }
  return finish;
}

// Of sets that are taken one by one: the blocks of all.
uint64_t BlocksOf(const Plan& plan) { return CeilDivide(plan.sets.size(), kBlock); }

// What a block is read into, if need be.
struct BlockBuffer {
  alignas(64) std::byte bytes[kBlock * sizeof(uint64_t)];
};

// Sums, products and extremes of sets one by one.
struct SetRun {
  const Plan& plan;
  const BlockKernel& kernel;
  const FinishElement finish;
  const Bindings& bindings;
  const uint64_t blocks;
  const ExtremeSettings settings;

  SetRun(const Plan& plan, const Bindings& bindings)
      : plan(plan),
        kernel(FindBlockKernel(PartialOf(plan.function), plan.type)),
        finish(FinishOf(plan)),
        bindings(bindings),
        blocks(BlocksOf(plan)),
        settings(SettingsOf(plan)) {}

  void RunBlock(int64_t set_offset, uint64_t b, BlockBuffer& buffer, void* partial) const {
    const uint64_t first = b * kBlock, count = std::min(kBlock, plan.sets.size() - first);
    DispatchWidth(ElementSize(plan.type), [&]<typename T>() {
      const T* const x = Gather<0>(plan.sets.reduced, bindings.Input<T>(0) + set_offset, first,
                                   count, reinterpret_cast<T*>(buffer.bytes));
      kernel.block(settings, x, count, partial);
    });
  }

  // Sets of one block each.
  void RunSmall(const cpu::Executor& executor) const {
    const uint64_t grain = std::max<uint64_t>(1, cpu::kElementsPerUnit / plan.sets.size());
    executor.ParallelFor(plan.sets.count(), grain, [&](uint64_t begin, uint64_t end) {
      BlockBuffer buffer;
      uint64_t partial = 0;
      ElementWalk<2> walk(plan.sets.kept, begin);
      for (uint64_t set = begin; set < end; ++set, walk.Next()) {
        RunBlock(walk.offsets()[0], 0, buffer, &partial);
        finish(plan, &partial, bindings.outputs[0], walk.offsets()[1]);
      }
    });
  }

  void RunLarge(const cpu::Executor& executor) const {
    auto* const partials = bindings.Temporary<std::byte>();
    const uint64_t grain = cpu::kElementsPerUnit / kBlock;
    executor.ParallelFor(plan.sets.count() * blocks, grain, [&](uint64_t begin, uint64_t end) {
      BlockBuffer buffer;
      ElementWalk<2> walk(plan.sets.kept, begin / blocks);
      uint64_t b = begin % blocks;
      for (uint64_t unit = begin; unit < end; ++unit) {
        RunBlock(walk.offsets()[0], b, buffer, partials + unit * kernel.partial_bytes);
        if (++b < blocks) continue;
        b = 0;
        walk.Next();
      }
    });
    const uint64_t sets = std::max<uint64_t>(1, cpu::kElementsPerUnit / blocks);
    executor.ParallelFor(plan.sets.count(), sets, [&](uint64_t begin, uint64_t end) {
      ElementWalk<2> walk(plan.sets.kept, begin);
      for (uint64_t set = begin; set < end; ++set, walk.Next()) {
        std::byte* const of_set = partials + set * blocks * kernel.partial_bytes;
        kernel.combine(of_set, blocks);
        finish(plan, of_set, bindings.outputs[0], walk.offsets()[1]);
      }
    });
  }
};

// ---- Indices.

template <typename T>
struct IndexRun {
  using K = KeyOf<T>;
  const SetRun& run;

  Best BestOfBlock(int64_t set_offset, uint64_t b, T* buffer) const {
    const uint64_t first = b * kBlock, count = std::min(kBlock, run.plan.sets.size() - first);
    Best best;
    LookForBest(run.kernel, run.settings, run.plan.last,
                Gather<0>(run.plan.sets.reduced, run.bindings.Input<T>(0) + set_offset, first,
                          count, buffer),
                first, count, /*is_first=*/true, best);
    return best;
  }

  void Put(uint64_t index, int64_t at) const {
    DispatchWidth(ElementSize(run.plan.output_type),
                  [&]<typename I>() { run.bindings.Output<I>(0)[at] = static_cast<I>(index); });
  }

  void Run(const cpu::Executor& executor) const {
    const Sets<2>& sets = run.plan.sets;
    const uint64_t blocks = run.blocks;
    auto* const bests = run.bindings.Temporary<Best>();
    const uint64_t work = std::min(sets.size(), kBlock);
    executor.ParallelFor(sets.count() * blocks, std::max<uint64_t>(1, cpu::kElementsPerUnit / work),
                         [&](uint64_t begin, uint64_t end) {
                           alignas(64) T buffer[kBlock];
                           ElementWalk<2> walk(sets.kept, begin / blocks);
                           uint64_t b = begin % blocks;
                           for (uint64_t unit = begin; unit < end; ++unit) {
                             const Best best = BestOfBlock(walk.offsets()[0], b, buffer);
                             blocks == 1 ? Put(best.index, walk.offsets()[1])
                                         : void(bests[unit] = best);
                             if (++b < blocks) continue;
                             b = 0;
                             walk.Next();
                           }
                         });
    if (blocks == 1) return;
    ElementWalk<2> walk(sets.kept, 0);
    for (uint64_t set = 0; set < sets.count(); ++set, walk.Next()) {
      Best best = bests[set * blocks];
      for (uint64_t b = 1; b < blocks; ++b) {
        const Best& next = bests[set * blocks + b];
        const K known = static_cast<K>(best.key), found = static_cast<K>(next.key);
        if (run.plan.last ? found >= known : found > known) best = next;
      }
      Put(best.index, walk.offsets()[1]);
    }
  }
};

// ---- log(sum(exp(x))): two passes over each set, which is one thread's.

template <typename T>
void RunLogSumExp(const SetRun& run, const cpu::Executor& executor) {
  const Sets<2>& sets = run.plan.sets;
  const uint64_t size = sets.size();
  const BlockKernel& extremes = FindBlockKernel(Partial::kExtreme, run.plan.type);
  const BlockKernel& sums = FindBlockKernel(Partial::kSum, DataType::kFloat32);
  const uint64_t grain = std::max<uint64_t>(1, cpu::kElementsPerUnit / (16 * size));
  executor.ParallelFor(sets.count(), grain, [&](uint64_t begin, uint64_t end) {
    T buffer[kBlock];
    alignas(64) float terms[kBlock];
    ElementWalk<2> walk(sets.kept, begin);
    for (uint64_t set = begin; set < end; ++set, walk.Next()) {
      const T* const x = run.bindings.Input<T>(0) + walk.offsets()[0];
      const auto for_each_block = [&](const auto& body) {
        for (uint64_t b = 0; b < run.blocks; ++b) {
          const uint64_t count = std::min(kBlock, size - b * kBlock);
          body(Gather<0>(sets.reduced, x, b * kBlock, count, buffer), count, b);
        }
      };
      KeyOf<T> most = std::numeric_limits<KeyOf<T>>::min();
      for_each_block([&](const T* from, uint64_t count, uint64_t) {
        KeyOf<T> found;
        extremes.block({}, from, count, &found);
        most = std::max(most, found);
      });
      const float greatest = AsFloat(ElementOfKey<T>(most, {}));
      const float shift = std::isfinite(greatest) ? greatest : 0.0f;
      float one = 0;
      float* const partials =
          run.blocks == 1 ? &one : run.bindings.Temporary<float>() + set * run.blocks;
      for_each_block([&](const T* from, uint64_t count, uint64_t b) {
        for (uint64_t i = 0; i < count; ++i) terms[i] = AsFloat(from[i]) - shift;
        Exponentials(terms, count);
        sums.block({}, terms, count, partials + b);
      });
      sums.combine(partials, run.blocks);
      PutFloat(shift + Logarithm(partials[0]), run.bindings.Output<T>(0) + walk.offsets()[1]);
    }
  });
}

void RunSets(const Plan& plan, const NoTables&, const Bindings& bindings,
             const cpu::Executor& executor) {
  const SetRun run(plan, bindings);
  if (FindsIndices(plan)) {
    DispatchType(ExtremeTypes(), plan.type, [&]<typename T>() { IndexRun<T>{run}.Run(executor); });
  } else if (plan.function == Function::kLogSumExp) {
    DispatchType(TypeList<float, Float16>(), plan.type,
                 [&]<typename T>() { RunLogSumExp<T>(run, executor); });
  } else if (run.blocks == 1) {
    run.RunSmall(executor);
  } else {
    run.RunLarge(executor);
  }
}

uint64_t SetBytes(const Plan& plan) {
  const uint64_t blocks = BlocksOf(plan);
  if (blocks == 1) return 0;
  const uint64_t each = FindsIndices(plan) ? sizeof(Best) : sizeof(uint64_t);
  return plan.sets.count() * blocks * each;
}

// ---- Sets side by side.

Refusal AcceptsRows(const Plan& plan) {
  if (plan.sets.size() == 1) return {"a set has one element"};
  if (plan.sets.reduced.inner_stride(0) != 1) {
    return {"the innermost reduced dimension has no stride of 1 in the input"};
  }
  return kAccepted;
}

Refusal AcceptsColumns(const Plan& plan) {
  if (FindsIndices(plan) || plan.function == Function::kLogSumExp) {
    return {"indices and sums of exponentials are found set by set"};
  }
  if (plan.columns.lanes < 4) return {"less than four sets lie side by side in the input"};
  return kAccepted;
}

// A block of a strip of columns.
struct ColumnRun {
  const Plan& plan;
  const BlockKernel& kernel;
  const FinishElement finish;
  const Bindings& bindings;
  const uint64_t blocks;
  const uint64_t strips;

  struct Buffers {
    StripBuffer slots;
    int64_t offsets[kBlock];
    alignas(64) std::byte partials[kStrip * sizeof(uint64_t)];
  };

  uint64_t LanesOf(uint64_t strip) const {
    return std::min(kStrip, plan.columns.lanes - strip * kStrip);
  }
  std::byte* PartialsAt(uint64_t outer, uint64_t b, uint64_t strip) const {
    const uint64_t index = (outer * blocks + b) * plan.columns.lanes + strip * kStrip;
    return bindings.Temporary<std::byte>() + index * kernel.partial_bytes;
  }

  void Put(const std::byte* partials, int64_t y, uint64_t strip) const {
    const int64_t stride = plan.columns.lane_strides[1];
    y += static_cast<int64_t>(strip * kStrip) * stride;
    for (uint64_t i = 0; i < LanesOf(strip); ++i, y += stride) {
      finish(plan, partials + i * kernel.partial_bytes, bindings.outputs[0], y);
    }
  }

  void FindOffsets(uint64_t b, int64_t* offsets) const {
    const uint64_t count = std::min(kBlock, plan.sets.size() - b * kBlock);
    OffsetsOfElements<0>(plan.sets.reduced, b * kBlock, count, offsets);
  }

  void RunBlocks(const cpu::Executor& executor) const {
    const uint64_t work = std::min(plan.sets.size(), kBlock) * LanesOf(0);
    const uint64_t units = plan.columns.outer.ElementCount() * blocks * strips;
    executor.ParallelFor(units, std::max<uint64_t>(1, cpu::kElementsPerUnit / work),
                         [&](uint64_t begin, uint64_t end) {
                           Buffers buffers;
                           uint64_t strip = begin % strips, b = begin / strips % blocks;
                           uint64_t outer = begin / strips / blocks;
                           ElementWalk<2> walk(plan.columns.outer, outer);
                           FindOffsets(b, buffers.offsets);
                           for (uint64_t unit = begin; unit < end; ++unit) {
                             RunBlock(walk.offsets(), outer, b, strip, buffers);
                             if (++strip < strips || unit + 1 == end) continue;
                             strip = 0;
                             if (++b == blocks) {
                               b = 0;
                               ++outer;
                               walk.Next();
                             }
                             if (blocks > 1) FindOffsets(b, buffers.offsets);
                           }
                         });
  }

  void RunBlock(const std::array<int64_t, 2>& at, uint64_t outer, uint64_t b, uint64_t strip,
                Buffers& buffers) const {
    const uint64_t count = std::min(kBlock, plan.sets.size() - b * kBlock);
    std::byte* const partials = blocks == 1 ? buffers.partials : PartialsAt(outer, b, strip);
    const auto x = at[0] + static_cast<int64_t>(strip * kStrip);
    kernel.columns(SettingsOf(plan),
                   bindings.Input<std::byte>(0) + x * int64_t{ElementSize(plan.type)},
                   buffers.offsets, count, LanesOf(strip), partials, buffers.slots);
    if (blocks == 1) Put(partials, at[1], strip);
  }

  // Results of 4096 blocks each take the place of the first ones.
  void Combine(const cpu::Executor& executor) const {
    const uint64_t units = plan.columns.outer.ElementCount() * strips;
    const uint64_t grain = std::max<uint64_t>(1, cpu::kElementsPerUnit / (blocks * LanesOf(0)));
    executor.ParallelFor(units, grain, [&](uint64_t begin, uint64_t end) {
      Buffers buffers;
      for (uint64_t i = 0; i < kBlock; ++i) {
        buffers.offsets[i] = static_cast<int64_t>(i * plan.columns.lanes);
      }
      for (uint64_t unit = begin; unit < end; ++unit) {
        const uint64_t outer = unit / strips, strip = unit % strips;
        for (uint64_t left = blocks; left > 1; left = CeilDivide(left, kBlock)) {
          for (uint64_t first = 0; first < left; first += kBlock) {
            kernel.combine_columns(PartialsAt(outer, first, strip), buffers.offsets,
                                   std::min(kBlock, left - first), LanesOf(strip),
                                   PartialsAt(outer, first / kBlock, strip), buffers.slots);
          }
        }
        const ElementWalk<2> walk(plan.columns.outer, outer);
        Put(PartialsAt(outer, 0, strip), walk.offsets()[1], strip);
      }
    });
  }
};

uint64_t ColumnBytes(const Plan& plan) {
  const uint64_t blocks = BlocksOf(plan);
  return blocks == 1 ? 0 : plan.sets.count() * blocks * sizeof(uint64_t);
}

void RunColumns(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  const ColumnRun run = {plan,           FindBlockKernel(PartialOf(plan.function), plan.type),
                         FinishOf(plan), bindings,
                         BlocksOf(plan), CeilDivide(plan.columns.lanes, kStrip)};
  run.RunBlocks(executor);
  if (run.blocks > 1) run.Combine(executor);
}

using Strategy = StrategyOf<Plan, NoTables>;

}  // namespace

constinit const CpuStrategy kReductionStrategies[] = {
    Strategy::Named<AcceptsRows, RunSets, SetBytes>("rows"),
    Strategy::Named<AcceptsColumns, RunColumns, ColumnBytes>("columns"),
    Strategy::Named<AcceptsAll<Plan>, RunSets, SetBytes>("strided"),
};

}  // namespace anydml::reduce
