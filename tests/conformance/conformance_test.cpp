// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Every operator on every named case, type, layout, strategy, instruction set,
// thread count and device gives the bits of its reference, and writes nothing
// else.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "backends/cpu/instruction_set.h"
#include "backends/cpu/streaming.h"
#include "operators/registry.h"
#include "schema/tensor_bytes.h"
#include "support/cuda_run.h"
#include "support/descriptions.h"
#include "support/tensor_data.h"
#include "tensor/axis_sums.h"

namespace anydml::test {
namespace {

struct Parameter {
  const Definition* definition;
  const Case* c;
  TypeAssignment types;
};

std::vector<Parameter> AllParameters() {
  std::vector<Parameter> all;
  for (const Definition* definition : Registry()) {
    for (const Case& c : definition->cases) {
      for (const TypeAssignment& types : AdmittedTypes(*definition->schema)) {
        if (Describe(*definition->schema, c, types)) all.push_back({definition, &c, types});
      }
    }
  }
  return all;
}

// GoogleTest would print the bytes.
void PrintTo(const Parameter& parameter, std::ostream* out) { *out << parameter.c->name; }

std::string ParameterName(const testing::TestParamInfo<Parameter>& info) {
  const schema::OperatorSchema& schema = *info.param.definition->schema;
  return fmt::format("{}__{}__{}", schema.name, info.param.c->name,
                     TypeName(schema, info.param.types));
}

enum class Inputs { kAwkward, kOrdinary };

// The memory of one description's tensors, inputs filled at random.
struct Arena {
  explicit Arena(const schema::Arguments& arguments, size_t past_line = 16,
                 Inputs kind = Inputs::kAwkward) {
    std::mt19937 random(20260101);
    for (size_t field : arguments.inputs()) {
      inputs.emplace_back(arguments.tensor(field), uint8_t{0xC5}, past_line);
      kind == Inputs::kAwkward ? inputs.back().FillRandom(random)
                               : inputs.back().FillOrdinary(random);
    }
    for (size_t field : arguments.outputs()) {
      outputs.emplace_back(arguments.tensor(field), uint8_t{0xC5}, past_line);
    }
  }

  Bindings Bind() {
    Bindings bindings;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].desc().present()) bindings.inputs[i] = inputs[i].data();
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].desc().present()) bindings.outputs[i] = outputs[i].data();
    }
    return bindings;
  }

  std::vector<TensorMemory> inputs;
  std::vector<TensorMemory> outputs;
};

const cpu::Executor& ExecutorWith(int threads) {
  static const cpu::Executor one(1);
  static const cpu::Executor three(3, cpu::Cut::kEverywhere);
  return threads == 1 ? one : three;
}

class Conformance : public testing::TestWithParam<Parameter> {
 protected:
  const Definition& definition() const { return *GetParam().definition; }
  bool nan_is_nan() const { return !definition().kernel->preserves_nan_bits; }

  // What the reference makes of the same inputs.
  static std::vector<std::vector<uint8_t>> Expect(const Operator& op,
                                                  Inputs kind = Inputs::kAwkward) {
    Arena arena(*op.arguments, 16, kind);
    RunReference(op, arena.Bind());
    std::vector<std::vector<uint8_t>> expected;
    for (const TensorMemory& output : arena.outputs) {
      if (!output.desc().present()) {
        expected.emplace_back();
        continue;
      }
      EXPECT_EQ(output.FindForeignWrite(), std::nullopt) << "by the reference";
      expected.push_back(output.Elements());
    }
    return expected;
  }

  void CompareOutputs(const Arena& arena, const std::vector<std::vector<uint8_t>>& expected) {
    for (size_t i = 0; i < arena.outputs.size(); ++i) {
      const TensorMemory& output = arena.outputs[i];
      if (!output.desc().present()) continue;
      EXPECT_EQ(FindDifference(output.desc(), expected[i], output.Elements(), nan_is_nan()),
                std::nullopt);
      EXPECT_EQ(output.FindForeignWrite(), std::nullopt);
    }
  }

  // Runs on the arena's inputs; its outputs are cleared first.
  void RunAndCompare(const CpuProgram& program, int threads, Arena& arena,
                     const std::vector<std::vector<uint8_t>>& expected) {
    for (TensorMemory& output : arena.outputs) output.Clear();
    TemporaryMemory temporary(program.temporary_bytes);
    Bindings bindings = arena.Bind();
    bindings.temporary = temporary.data();
    ASSERT_TRUE(anydml::Run(program, bindings, ExecutorWith(threads)).ok());
    CompareOutputs(arena, expected);
  }

  // The output laid over an input that the schema allows it to alias.
  void RunInPlace(const CpuProgram& program, size_t input,
                  const std::vector<std::vector<uint8_t>>& expected) {
    Arena arena(*program.op.arguments);
    Bindings bindings = arena.Bind();
    bindings.outputs[0] = arena.inputs[input].data();
    ASSERT_TRUE(anydml::Run(program, bindings, ExecutorWith(3)).ok());
    EXPECT_EQ(FindDifference(arena.outputs[0].desc(), expected[0], arena.inputs[input].Elements(),
                             nan_is_nan()),
              std::nullopt)
        << "in place on input " << input;
  }

  // The inputs that the output may be laid over.
  std::vector<size_t> InputsForInPlace(const schema::Arguments& arguments) const {
    const std::vector<size_t> fields = arguments.inputs();
    const TensorDesc& output = arguments.tensor(arguments.outputs()[0]);
    std::vector<size_t> inputs;
    for (size_t i = 0; i < fields.size(); ++i) {
      if (!anydml::MayBeOverwritten(arguments, fields[i])) continue;
      if (arguments.tensor(fields[i]).strides == output.strides) inputs.push_back(i);
    }
    return inputs;
  }

  void CheckCudaStrategy(const Operator& op, const cuda::DeviceInfo& device,
                         const CudaStrategy& strategy,
                         const std::vector<std::vector<uint8_t>>& expected, Inputs kind) {
    SCOPED_TRACE(fmt::format("{} {}", strategy.name.view(), device.name));
    Result<CudaProgram> program = CompileForCuda(op, device.ordinal, &strategy);
    ASSERT_TRUE(program.ok()) << program.error().message;
    Arena arena(*op.arguments, 16, kind);
    Status status = RunOnCuda(program.value(), arena.inputs, arena.outputs);
    ASSERT_TRUE(status.ok()) << status.error().message;
    CompareOutputs(arena, expected);
    for (size_t input : InputsForInPlace(*op.arguments)) {
      Arena over(*op.arguments, 16, kind);
      status = RunOnCuda(program.value(), over.inputs, over.outputs, input);
      ASSERT_TRUE(status.ok()) << status.error().message;
      EXPECT_EQ(FindDifference(over.outputs[0].desc(), expected[0], over.inputs[input].Elements(),
                               nan_is_nan()),
                std::nullopt)
          << "in place on input " << input;
    }
  }

  void CheckCudaDevices(const Operator& op, const std::vector<std::vector<uint8_t>>& expected,
                        Inputs kind = Inputs::kAwkward) {
    if (FindCudaKernel(*op.definition->kernel) == nullptr) return;
    const std::vector<const CudaStrategy*> strategies = AcceptingCudaStrategies(op);
    for (const cuda::DeviceInfo& device : cuda::Devices()) {
      ASSERT_FALSE(strategies.empty()) << "the last strategy must accept everything";
      for (const CudaStrategy* strategy : strategies) {
        CheckCudaStrategy(op, device, *strategy, expected, kind);
      }
    }
  }

  void CheckStrategy(const Operator& op, const CpuStrategy& strategy,
                     const std::vector<std::vector<uint8_t>>& expected) {
    Result<CpuProgram> program = Compile(op, &strategy);
    ASSERT_TRUE(program.ok()) << program.error().message;
    Arena arena(*op.arguments);
    Arena on_lines(*op.arguments, 0);  // where whole lines take non-temporal stores
    const Arena untouched(*op.arguments);
    for (const cpu::InstructionSet& set : cpu::AvailableInstructionSets()) {
      const cpu::ScopedInstructionSet scope(set);
      for (int threads : {1, 3}) {
        SCOPED_TRACE(fmt::format("{} {} threads={}", strategy.name, set.name, threads));
        RunAndCompare(program.value(), threads, arena, expected);
      }
      {
        SCOPED_TRACE(fmt::format("{} {} non-temporal stores", strategy.name, set.name));
        const cpu::ScopedStreaming everything(0);
        RunAndCompare(program.value(), 3, arena, expected);
        RunAndCompare(program.value(), 3, on_lines, expected);
      }
      for (size_t input : InputsForInPlace(*op.arguments)) {
        RunInPlace(program.value(), input, expected);
      }
    }
    for (size_t i = 0; i < arena.inputs.size(); ++i) {
      EXPECT_EQ(arena.inputs[i].Elements(), untouched.inputs[i].Elements())
          << strategy.name << " wrote to input " << i;
    }
  }

  // Strategies of pooling take a shorter way until they meet a NaN or an infinity; long sums
  // of awkward values are NaN and tell nothing, and neither does their range.
  bool WantsOrdinaryValues() const {
    const std::string_view name = definition().schema->name;
    return name.starts_with("MAX_POOLING") || name == "GEMM" || name == "CONVOLUTION" ||
           name == "DYNAMIC_QUANTIZE_LINEAR";
  }

  void CheckOrdinary(const Operator& op, const void* plan) {
    const auto expected = Expect(op, Inputs::kOrdinary);
    for (const CpuStrategy& strategy : definition().kernel->cpu_strategies) {
      if (strategy.accepts(plan).accepted()) CheckOrdinary(op, strategy, expected);
    }
    CheckCudaDevices(op, expected, Inputs::kOrdinary);
  }
  void CheckOrdinary(const Operator& op, const CpuStrategy& strategy,
                     const std::vector<std::vector<uint8_t>>& expected) {
    Result<CpuProgram> program = Compile(op, &strategy);
    ASSERT_TRUE(program.ok()) << program.error().message;
    Arena arena(*op.arguments, 16, Inputs::kOrdinary),
        on_lines(*op.arguments, 0, Inputs::kOrdinary);
    for (const cpu::InstructionSet& set : cpu::AvailableInstructionSets()) {
      const cpu::ScopedInstructionSet scope(set);
      SCOPED_TRACE(fmt::format("{} {} ordinary values", strategy.name, set.name));
      for (int threads : {1, 3}) RunAndCompare(program.value(), threads, arena, expected);
      const cpu::ScopedStreaming everything(0);
      RunAndCompare(program.value(), 3, on_lines, expected);
    }
  }
};

TEST_P(Conformance, GivesTheReferencesBitsInEveryLayout) {
  std::optional<schema::Arguments> packed =
      Describe(*definition().schema, *GetParam().c, GetParam().types);
  ASSERT_TRUE(packed.has_value());
  const ScopedTables tables(GetParam().c->as_long_axes ? 0 : kMaxTableElements);
  for (Layout layout : kLayouts) {
    SCOPED_TRACE(LayoutName(layout));
    Result<Operator> op = CreateOperator(definition(), WithLayout(*packed, layout), {});
    ASSERT_TRUE(op.ok()) << op.error().message;
    const auto expected = Expect(op.value());
    const std::shared_ptr<const void> plan = definition().kernel->make_plan(op.value().desc.get());
    for (const CpuStrategy& strategy : definition().kernel->cpu_strategies) {
      if (!strategy.accepts(plan.get()).accepted()) continue;
      CheckStrategy(op.value(), strategy, expected);
    }
    EXPECT_TRUE(definition().kernel->cpu_strategies.back().accepts(plan.get()).accepted())
        << "the last strategy must accept everything";
    if (WantsOrdinaryValues()) CheckOrdinary(op.value(), plan.get());
    CheckCudaDevices(op.value(), expected);
  }
}

// A strategy that no case reaches is one that nothing above has run.
TEST(Cases, ReachEveryStrategy) {
  std::map<const Kernel*, std::set<std::string_view>> reached;
  for (const Parameter& parameter : AllParameters()) {
    const Kernel* kernel = parameter.definition->kernel;
    const auto packed = Describe(*parameter.definition->schema, *parameter.c, parameter.types);
    const ScopedTables tables(parameter.c->as_long_axes ? 0 : kMaxTableElements);
    for (Layout layout : kLayouts) {
      const Result<Operator> op =
          CreateOperator(*parameter.definition, WithLayout(*packed, layout), {});
      const std::shared_ptr<const void> plan = kernel->make_plan(op.value().desc.get());
      for (const CpuStrategy& strategy : kernel->cpu_strategies) {
        if (strategy.accepts(plan.get()).accepted()) reached[kernel].insert(strategy.name);
      }
    }
  }
  for (const auto& [kernel, names] : reached) {
    for (const CpuStrategy& strategy : kernel->cpu_strategies) {
      EXPECT_TRUE(names.contains(strategy.name)) << kernel->name << ' ' << strategy.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, Conformance, testing::ValuesIn(AllParameters()), ParameterName);

}  // namespace
}  // namespace anydml::test
