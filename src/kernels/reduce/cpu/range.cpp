// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Quantization by the range of all elements: blocks of 4096 give their least and their greatest
// element, and what follows from those of all quantizes.
#include "backends/cpu/rows.h"
#include "kernels/elementwise/cpu/strategies.h"
#include "kernels/reduce/cpu/gather.h"
#include "kernels/reduce/cpu/range_rows.h"
#include "kernels/reduce/cpu/strategies.h"
#include "kernels/reduce/extreme_keys.h"
#include "kernels/reduce/range_plan.h"

namespace anydml::reduce {
namespace {

constexpr ExtremeSettings kExtremes[] = {{.least = true}, {.least = false}};

uint64_t BlocksOf(const QuantizedRange& plan) { return CeilDivide(plan.least.sets.size(), kBlock); }

// The least elements of all blocks, then the greatest.
uint64_t TemporaryBytes(const QuantizedRange& plan) {
  return std::size(kExtremes) * BlocksOf(plan) * sizeof(uint32_t);
}

void PutParameters(DataType type, float least, float greatest, const Bindings& bindings) {
  DispatchType(TypeList<int8_t, uint8_t>(), type, [&]<typename Out>() {
    const QuantizationParameters<Out> parameters(least, greatest);
    *bindings.Output<float>(1) = parameters.scale;
    *bindings.Output<Out>(2) = parameters.zero_point;
  });
}

template <typename T>
void FindParameters(const QuantizedRange& plan, const Bindings& bindings,
                    const cpu::Executor& executor) {
  const StridedLoop<2>& elements = plan.least.sets.reduced;
  const BlockKernel& kernel = FindBlockKernel(Partial::kExtreme, plan.least.type);
  const uint64_t blocks = BlocksOf(plan), grain = cpu::kElementsPerUnit / kBlock;
  KeyOf<T>* const keys[] = {bindings.Temporary<KeyOf<T>>(),
                            bindings.Temporary<KeyOf<T>>() + blocks};
  executor.ParallelFor(blocks, grain, [&](uint64_t begin, uint64_t end) {
    alignas(64) T buffer[kBlock];
    for (uint64_t b = begin; b < end; ++b) {
      const uint64_t count = std::min(kBlock, plan.least.sets.size() - b * kBlock);
      const T* const x = Gather<0>(elements, bindings.Input<T>(0), b * kBlock, count, buffer);
      for (int k : {0, 1}) kernel.block(kExtremes[k], x, count, keys[k] + b);
    }
  });
  executor.ParallelFor(1, 1, [&](uint64_t, uint64_t) {
    float range[2];
    for (int k : {0, 1}) {
      kernel.combine(keys[k], blocks);
      range[k] = AsFloat(ElementOfKey<T>(*keys[k], kExtremes[k]));
    }
    PutParameters(plan.output_type, range[0], range[1], bindings);
  });
}

void FindParameters(const QuantizedRange& plan, const Bindings& bindings,
                    const cpu::Executor& executor) {
  DispatchType(TypeList<float, Float16>(), plan.least.type,
               [&]<typename T>() { FindParameters<T>(plan, bindings, executor); });
}

Refusal AcceptsPackedRows(const QuantizedRange& plan) {
  const elementwise::Loop& loop = plan.quantize.loop;
  if (loop.inner_stride(elementwise::kOutput) != 1) {
    return {"the output's innermost stride is not 1"};
  }
  if (loop.inner_stride(0) != 1) return {"the input's stride is not 1 along output rows"};
  return kAccepted;
}

void RunPackedRows(const QuantizedRange& plan, const NoTables&, const Bindings& bindings,
                   const cpu::Executor& executor) {
  FindParameters(plan, bindings, executor);
  const QuantizeRow quantize = FindQuantizeRow(plan.least.type, plan.output_type);
  const float scale = *bindings.Output<float>(1);
  const int zero_point = plan.output_type == DataType::kInt8 ? int{*bindings.Output<int8_t>(2)}
                                                             : int{*bindings.Output<uint8_t>(2)};
  const int64_t size = ElementSize(plan.least.type);
  cpu::ForEachRowPiece(plan.quantize.loop, executor, [&](const auto& at, uint64_t count) {
    quantize(bindings.Input<std::byte>(0) + at[0] * size, count, scale, zero_point,
             bindings.Output<std::byte>(0) + at[elementwise::kOutput]);
  });
}

template <size_t kStrategy>
void Run(const QuantizedRange& plan, const NoTables& none, const Bindings& bindings,
         const cpu::Executor& executor) {
  FindParameters(plan, bindings, executor);
  Bindings quantized;
  quantized.inputs = {bindings.inputs[0], bindings.outputs[1], bindings.outputs[2]};
  quantized.outputs[0] = bindings.outputs[0];
  elementwise::kCpuStrategies[kStrategy].run(&plan.quantize, &none, quantized, executor);
}

using Strategy = StrategyOf<QuantizedRange, NoTables>;

}  // namespace

constinit const std::array<CpuStrategy, 3> kQuantizedRangeStrategies = {
    Strategy::Named<AcceptsPackedRows, RunPackedRows, TemporaryBytes>("packed_rows"),
    Strategy::Named<AcceptsAll<QuantizedRange>, Run<elementwise::kPermuted>, TemporaryBytes>(
        "permuted"),
    Strategy::Named<AcceptsAll<QuantizedRange>, Run<elementwise::kStrided>, TemporaryBytes>(
        "strided"),
};

}  // namespace anydml::reduce
