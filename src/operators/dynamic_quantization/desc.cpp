// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// From a description to a plan.
#include "operators/dynamic_quantization/desc.h"

#include <fmt/format.h>

#include "base/text.h"
#include "kernels/reduce/cpu/strategies.h"
#include "kernels/reduce/range_plan.h"
#include "operators/dynamic_quantization/cases.h"
#include "operators/dynamic_quantization/schema.h"
#include "operators/gradient_writer.h"
#include "tensor/explain.h"

namespace anydml::dynamic_quantization {
namespace {

Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  return {arguments.tensor(kInputTensor), arguments.tensor(kOutputTensor),
          arguments.tensor(kOutputScaleTensor), arguments.tensor(kOutputZeroPointTensor)};
}

// The one element of a tensor, everywhere.
TensorDesc Repeated(const TensorDesc& scalar, const TensorDesc& like) {
  TensorDesc repeated = scalar;
  repeated.sizes = like.sizes;
  repeated.strides = {};
  return repeated;
}

reduce::QuantizedRange MakePlan(const Desc& desc) {
  const TensorDesc &x = desc.input, &y = desc.output;
  const TensorDesc scale = Repeated(desc.scale, x), zero_point = Repeated(desc.zero_point, x);
  const std::array<const TensorDesc*, elementwise::kMaxTensors> tensors = {&x, &scale, &zero_point,
                                                                           &y, &y};
  elementwise::Plan quantize = {
      .formula = elementwise::Formula::kQuantize, .inputs = 3, .types = 0};
  for (int slot = 0; slot < elementwise::kMaxTensors; ++slot) {
    const DataType type = tensors[slot]->data_type;
    quantize.element_sizes[slot] = static_cast<uint8_t>(ElementSize(type));
    if (slot != 3) quantize.types = elementwise::AppendType(quantize.types, type);
  }
  quantize.loop = ElementwiseLoop<elementwise::kMaxTensors>(tensors);
  // The range does not depend on the order, so that of memory will do.
  const reduce::Plan least = {.function = reduce::Function::kMin,
                              .type = x.data_type,
                              .output_type = x.data_type,
                              .last = false,
                              .sets = {StridedLoop<2>::PackedRow(1), ElementwiseLoop<2>({&x, &x})},
                              .columns = {}};
  return {least, y.data_type, quantize};
}

std::string Explain(const reduce::QuantizedRange& plan) {
  const elementwise::Loop& loop = plan.quantize.loop;
  StridedLoop<2> tensors = {.rank = loop.rank, .sizes = loop.sizes};
  tensors.strides = {loop.strides[0], loop.strides[elementwise::kOutput]};
  return fmt::format("the range of {} elements, then\n{}", plan.least.sets.size(),
                     anydml::Explain(tensors, {"the input", "the output"}));
}

constinit const Kernel kKernel = {.name = "quantized_range",
                                  .data_types = kFloats,
                                  .preserves_nan_bits = false,
                                  .make_plan = ErasePlan<Desc, reduce::QuantizedRange, MakePlan>,
                                  .explain = EraseExplain<reduce::QuantizedRange, Explain>,
                                  .make_tables = WithoutTables,
                                  .reference = EraseReference<Desc, Reference>,
                                  .cpu_strategies = reduce::kQuantizedRangeStrategies};

}  // namespace

Status CheckScalars(const schema::Arguments& arguments) {
  for (size_t i : {kOutputScaleTensor, kOutputZeroPointTensor}) {
    if (arguments.tensor(i).ElementCount() == 1) continue;
    return arguments.Fail(fmt::format("{}.Sizes = {} must be 1 in every entry",
                                      arguments.TensorName(i),
                                      BracedList(arguments.tensor(i).Sizes())));
  }
  return {};
}

// Without an output of a type UINT8, as ONNX has it.
Result<std::vector<TensorDesc>> OutputTensors(const schema::Arguments& arguments) {
  DataType type = DataType::kUint8;
  for (size_t i : {kOutputTensor, kOutputZeroPointTensor}) {
    if (arguments.tensor(i).present()) type = arguments.tensor(i).data_type;
  }
  const TensorDesc& x = arguments.tensor(kInputTensor);
  Dimensions ones;
  ones.fill(1);
  const std::span<const uint32_t> one(ones.data(), x.dimension_count);
  return std::vector{PackedTensor(type, x.Sizes()), PackedTensor(DataType::kFloat32, one),
                     PackedTensor(type, one)};
}

constinit const Definition kDynamicQuantizeLinear = {
    &kSchema, EraseDesc<Desc, MakeDesc>, &kKernel, kCases, kBenchCases, ZeroGradient};

}  // namespace anydml::dynamic_quantization
