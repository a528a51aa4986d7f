// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "support/run.h"

#include <gtest/gtest.h>

#include "support/cuda_run.h"
#include "support/descriptions.h"
#include "support/tensor_data.h"

namespace anydml::test {
namespace {

// Memory of every tensor of an operator, inputs copied from the caller.
struct Setup {
  Setup(const schema::Arguments& arguments, std::span<const Memory> given) {
    const std::vector<size_t> fields = arguments.inputs();
    EXPECT_EQ(given.size(), fields.size());
    for (size_t i = 0; i < fields.size() && i < given.size(); ++i) {
      inputs.emplace_back(arguments.tensor(fields[i]));
      const size_t bytes =
          std::min<size_t>(given[i].bytes, arguments.tensor(fields[i]).total_bytes);
      if (bytes != 0) std::memcpy(inputs.back().data(), given[i].data, bytes);
    }
    for (size_t field : arguments.outputs()) {
      outputs.emplace_back(arguments.tensor(field));
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].desc().present()) bindings.inputs[i] = inputs[i].data();
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].desc().present()) bindings.outputs[i] = outputs[i].data();
    }
  }

  std::vector<TensorMemory> inputs;
  std::vector<TensorMemory> outputs;
  Bindings bindings;
};

void RunOne(const Operator& op, const CpuStrategy& strategy, Setup& setup) {
  static const cpu::Executor executor(2);
  SCOPED_TRACE(strategy.name);
  Result<CpuProgram> program = Compile(op, &strategy);
  ASSERT_TRUE(program.ok()) << program.error().message;
  TemporaryMemory temporary(program.value().temporary_bytes);
  setup.bindings.temporary = temporary.data();
  ASSERT_TRUE(Run(program.value(), setup.bindings, executor).ok());
}

std::vector<const CpuStrategy*> AcceptingStrategies(const Operator& op) {
  const Kernel& kernel = *op.definition->kernel;
  const std::shared_ptr<const void> plan = kernel.make_plan(op.desc.get());
  std::vector<const CpuStrategy*> strategies;
  for (const CpuStrategy& strategy : kernel.cpu_strategies) {
    if (strategy.accepts(plan.get()).accepted()) strategies.push_back(&strategy);
  }
  return strategies;
}

void Compare(const Operator& op, const Setup& actual, const Setup& expected) {
  const bool nan_is_nan = !op.definition->kernel->preserves_nan_bits;
  for (size_t i = 0; i < actual.outputs.size(); ++i) {
    const TensorMemory& output = actual.outputs[i];
    if (!output.desc().present()) continue;
    EXPECT_EQ(FindDifference(output.desc(), expected.outputs[i].Elements(), output.Elements(),
                             nan_is_nan),
              std::nullopt);
    EXPECT_EQ(output.FindForeignWrite(), std::nullopt);
  }
}

void RunStrategies(const Operator& op, std::span<const Memory> given, const Setup& expected) {
  for (const CpuStrategy* strategy : AcceptingStrategies(op)) {
    SCOPED_TRACE(strategy->name);
    Setup setup(*op.arguments, given);
    RunOne(op, *strategy, setup);
    Compare(op, setup, expected);
  }
}

void RunCudaStrategies(const Operator& op, std::span<const Memory> given, const Setup& expected) {
  for (const cuda::DeviceInfo& device : cuda::Devices()) {
    for (const CudaStrategy* strategy : AcceptingCudaStrategies(op)) {
      SCOPED_TRACE(device.name + " " + std::string(strategy->name.view()));
      Setup setup(*op.arguments, given);
      Result<CudaProgram> program = CompileForCuda(op, device.ordinal, strategy);
      ASSERT_TRUE(program.ok()) << program.error().message;
      Status status = RunOnCuda(program.value(), setup.inputs, setup.outputs);
      ASSERT_TRUE(status.ok()) << status.error().message;
      Compare(op, setup, expected);
    }
  }
}

}  // namespace

Tensor::Tensor(DML_TENSOR_DATA_TYPE type, std::vector<UINT> sizes, std::vector<UINT> strides)
    : sizes_(std::move(sizes)), strides_(std::move(strides)) {
  const Dimensions packed = PackedStrides(sizes_);
  const std::span<const uint32_t> used =
      strides_.empty() ? std::span(packed.data(), sizes_.size()) : std::span(strides_);
  buffer_ = {};
  buffer_.DataType = type;
  buffer_.DimensionCount = static_cast<UINT>(sizes_.size());
  buffer_.Sizes = sizes_.data();
  buffer_.Strides = strides_.empty() ? nullptr : strides_.data();
  buffer_.TotalTensorSizeInBytes =
      MinimumTotalBytes(static_cast<DataType>(type), sizes_, used).value_or(0);
  desc_ = {DML_TENSOR_TYPE_BUFFER, &buffer_};
}

std::string Refuse(DML_OPERATOR_TYPE type, const void* desc, const DeviceOptions& options) {
  const DML_OPERATOR_DESC operator_desc = {type, desc};
  Result<Operator> op = CreateOperator(&operator_desc, options);
  return op.ok() ? std::string() : op.error().message;
}

std::vector<uint8_t> RunBytes(DML_OPERATOR_TYPE type, const void* desc,
                              std::span<const Memory> inputs, size_t output,
                              const DeviceOptions& options) {
  const DML_OPERATOR_DESC operator_desc = {type, desc};
  Result<Operator> op = CreateOperator(&operator_desc, options);
  EXPECT_TRUE(op.ok()) << op.error().message;
  if (!op.ok()) return {};
  Setup setup(*op.value().arguments, inputs);
  RunReference(op.value(), setup.bindings);
  RunStrategies(op.value(), inputs, setup);
  RunCudaStrategies(op.value(), inputs, setup);
  const TensorMemory& result = setup.outputs[output];
  return {result.data(), result.data() + result.desc().total_bytes};
}

std::vector<std::vector<uint8_t>> RunEachStrategy(DML_OPERATOR_TYPE type, const void* desc,
                                                  std::initializer_list<Memory> inputs,
                                                  std::optional<size_t> in_place_on) {
  const DML_OPERATOR_DESC operator_desc = {type, desc};
  Result<Operator> op = CreateOperator(&operator_desc, {});
  EXPECT_TRUE(op.ok()) << op.error().message;
  if (!op.ok()) return {};
  std::vector<std::vector<uint8_t>> results;
  for (const CpuStrategy* strategy : AcceptingStrategies(op.value())) {
    Setup setup(*op.value().arguments, std::span<const Memory>(inputs.begin(), inputs.size()));
    TensorMemory& output = in_place_on ? setup.inputs[*in_place_on] : setup.outputs[0];
    setup.bindings.outputs[0] = output.data();
    RunOne(op.value(), *strategy, setup);
    results.push_back(output.Elements());
  }
  return results;
}

}  // namespace anydml::test
