// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Every element-wise operator on all halves and on all pairs of bytes gives the bits of its
// reference, on every instruction set and device.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "backends/cpu/instruction_set.h"
#include "operators/elementwise/definitions.h"
#include "support/cuda_run.h"
#include "support/descriptions.h"
#include "support/tensor_data.h"

namespace anydml::test {
namespace {

constexpr uint32_t kCount = 65536;

// Cases that differ in more than their sizes.
bool AreAlike(const Case& a, const Case& b) {
  for (size_t t = 0; t < a.sizes.size(); ++t) {
    if ((a.sizes[t].count == 0) != (b.sizes[t].count == 0)) return false;
  }
  return std::ranges::equal(a.settings, b.settings, [](const auto& x, const auto& y) {
    return x.field == y.field && x.values == y.values;
  });
}
std::vector<Case> CasesOf(const Definition& definition) {
  std::vector<Case> cases;
  for (Case c : definition.cases) {
    if (std::ranges::any_of(cases, [&](const Case& other) { return AreAlike(c, other); })) continue;
    for (CaseSizes& sizes : c.sizes) {
      if (sizes.count != 0) sizes = {kCount};
    }
    cases.push_back(c);
  }
  return cases;
}

struct Memories {
  explicit Memories(const schema::Arguments& arguments) {
    uint32_t bytes_before = 0;
    for (size_t field : arguments.inputs()) {
      inputs.emplace_back(arguments.tensor(field));
      if (arguments.tensor(field).present()) Fill(inputs.size() - 1, bytes_before);
    }
    for (size_t field : arguments.outputs()) {
      outputs.emplace_back(arguments.tensor(field));
      bindings.outputs[outputs.size() - 1] = outputs.back().data();
    }
  }

  // The first input counts, and the second one of bytes goes through all for each of the first;
  // the others are scrambled.
  void Fill(size_t input, uint32_t& bytes_before) {
    const uint32_t size = ElementSize(inputs[input].desc().data_type);
    const uint32_t shift = size == 1 ? 8 * bytes_before++ : 0;
    const bool counts = size == 1 ? shift < 16 : input == 0;
    std::vector<uint8_t> elements(size_t{kCount} * size);
    for (uint64_t i = 0; i < kCount; ++i) {
      const uint64_t scrambled = i * 0x9E3779B97F4A7C15 >> (64 - 8 * size);
      const uint64_t element = counts ? i >> shift : scrambled;
      std::memcpy(elements.data() + i * size, &element, size);
    }
    inputs[input].SetElements(elements);
    bindings.inputs[input] = inputs[input].data();
  }

  std::vector<TensorMemory> inputs;
  std::vector<TensorMemory> outputs;
  Bindings bindings;
};

class EveryValue : public testing::TestWithParam<const Definition*> {};

void Compare(const Operator& op, const Memories& actual, const Memories& expected) {
  const TensorMemory& output = actual.outputs[0];
  EXPECT_EQ(FindDifference(output.desc(), expected.outputs[0].Elements(), output.Elements(),
                           !op.definition->kernel->preserves_nan_bits),
            std::nullopt);
}

void Check(const Operator& op) {
  static const cpu::Executor executor(2);
  Memories expected(*op.arguments);
  RunReference(op, expected.bindings);
  const Kernel& kernel = *op.definition->kernel;
  const std::shared_ptr<const void> plan = kernel.make_plan(op.desc.get());
  Memories memories(*op.arguments);
  for (const CpuStrategy& strategy : kernel.cpu_strategies) {
    if (!strategy.accepts(plan.get()).accepted()) continue;
    for (const cpu::InstructionSet& set : cpu::AvailableInstructionSets()) {
      SCOPED_TRACE(fmt::format("{} {}", strategy.name, set.name));
      const cpu::ScopedInstructionSet scope(set);
      memories.outputs[0].Clear();
      ASSERT_TRUE(Run(Compile(op, &strategy).value(), memories.bindings, executor).ok());
      Compare(op, memories, expected);
    }
  }
  for (const cuda::DeviceInfo& device : cuda::Devices()) {
    for (const CudaStrategy* strategy : AcceptingCudaStrategies(op)) {
      SCOPED_TRACE(fmt::format("{} {}", device.name, strategy->name.view()));
      const CudaProgram program = CompileForCuda(op, device.ordinal, strategy).value();
      memories.outputs[0].Clear();
      ASSERT_TRUE(RunOnCuda(program, memories.inputs, memories.outputs).ok());
      Compare(op, memories, expected);
    }
  }
}

TEST_P(EveryValue, OfHalvesAndPairsOfBytesGivesTheReferencesBits) {
  const schema::OperatorSchema& schema = *GetParam()->schema;
  const size_t first = static_cast<size_t>(
      std::ranges::find_if(schema.fields, &schema::Field::is_input) - schema.fields.begin());
  for (const TypeAssignment& types : AdmittedTypes(schema)) {
    if (types[first] != DataType::kFloat16 && ElementSize(types[first]) != 1) continue;
    for (const Case& c : CasesOf(*GetParam())) {
      SCOPED_TRACE(fmt::format("{} {}", TypeName(schema, types), c.name));
      std::optional<schema::Arguments> arguments = Describe(schema, c, types);
      if (!arguments) continue;
      const Result<Operator> op = CreateOperator(*GetParam(), std::move(*arguments), {});
      ASSERT_TRUE(op.ok()) << op.error().message;
      Check(op.value());
    }
  }
}

std::vector<const Definition*> ElementWise() {
  std::vector<const Definition*> all;
  for (const Definition& definition : elementwise::Definitions()) all.push_back(&definition);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryValue, testing::ValuesIn(ElementWise()),
                         [](const auto& info) { return std::string(info.param->schema->name); });

}  // namespace
}  // namespace anydml::test
