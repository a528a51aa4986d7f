// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Quantization by the range of all elements: two reductions, the numbers, and the formula.
#include "backends/cuda/launch.cuh"
#include "kernels/elementwise/cuda/table.h"
#include "kernels/reduce/cuda/strategies.h"
#include "kernels/reduce/range_plan.h"

namespace anydml::reduce {
namespace {

constexpr const CudaStrategy& kReduction = kCudaReductions[1];
constexpr uint64_t kRangeBytes = 64;  // of temporary memory, before that of the reductions

uint64_t TemporaryBytes(const QuantizedRange& plan) {
  return kRangeBytes + kReduction.temporary_bytes(&plan.least);
}

template <typename T>
struct Range {
  T least;
  T greatest;
};

template <typename T, typename Out>
__global__ void PutParameters(const Range<T>* range, float* scale, Out* zero_point) {
  const QuantizationParameters<Out> parameters(cuda::Widen(range->least),
                                               cuda::Widen(range->greatest));
  *scale = parameters.scale;
  *zero_point = parameters.zero_point;
}

template <typename T>
void FindParameters(const QuantizedRange& plan, const Bindings& bindings, cuda::Stream stream) {
  auto* const range = bindings.Temporary<Range<T>>();
  Plan reduction = plan.least;
  Bindings reduced;
  reduced.inputs[0] = bindings.inputs[0];
  reduced.outputs[0] = &range->least;
  reduced.temporary = bindings.Temporary<std::byte>() + kRangeBytes;
  kReduction.run(&reduction, nullptr, &reduced, stream);
  reduction.function = Function::kMax;
  reduced.outputs[0] = &range->greatest;
  kReduction.run(&reduction, nullptr, &reduced, stream);
  DispatchType(TypeList<int8_t, uint8_t>(), plan.output_type, [&]<typename Out>() {
    PutParameters<T, Out>
        <<<1, 1, 0, stream>>>(range, bindings.Output<float>(1), bindings.Output<Out>(2));
  });
}

template <size_t kStrategy>
Refusal Accepts(const QuantizedRange& plan) {
  return {elementwise::kCudaKernel.strategies.data[kStrategy].refuses(&plan.quantize).view()};
}

template <size_t kStrategy>
void Run(const QuantizedRange& plan, const NoTables&, const Bindings& bindings,
         cuda::Stream stream) {
  DispatchType(TypeList<float, Float16>(), plan.least.type,
               [&]<typename T>() { FindParameters<T>(plan, bindings, stream); });
  Bindings quantized;
  quantized.inputs = {bindings.inputs[0], bindings.outputs[1], bindings.outputs[2]};
  quantized.outputs[0] = bindings.outputs[0];
  elementwise::kCudaKernel.strategies.data[kStrategy].run(&plan.quantize, nullptr, &quantized,
                                                          stream);
}

using Strategy = CudaStrategyOf<QuantizedRange, NoTables>;

}  // namespace

constinit const CudaStrategy kCudaQuantizedRanges[] = {
    Strategy::Named<Accepts<0>, Run<0>, TemporaryBytes>("packed_rows"),
    Strategy::Named<Accepts<1>, Run<1>, TemporaryBytes>("strided"),
};

}  // namespace anydml::reduce
