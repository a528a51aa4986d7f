// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The contract behind fused chains: the row of every strategy that offers one,
// cut anywhere, has the bits of the strategy on the whole tensor.
#include <gtest/gtest.h>

#include <algorithm>

#include "operators/registry.h"
#include "support/descriptions.h"
#include "support/tensor_data.h"

namespace anydml {
namespace {

// Pieces of several lengths, one after the other.
void RunByRows(const CpuProgram& program, const Bindings& whole, uint64_t count) {
  const schema::Arguments& arguments = *program.op.arguments;
  const std::vector<size_t> inputs = arguments.inputs();
  const auto size_of = [&](size_t number) {
    return ElementSize(arguments.tensor(number).data_type);
  };
  uint64_t length = 1;
  for (uint64_t first = 0; first < count; first += length, length = length * 3 + 1) {
    Bindings bindings;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (whole.inputs[i] == nullptr) continue;
      bindings.inputs[i] =
          static_cast<const std::byte*>(whole.inputs[i]) + first * size_of(inputs[i]);
    }
    bindings.outputs[0] =
        static_cast<std::byte*>(whole.outputs[0]) + first * size_of(arguments.outputs()[0]);
    RunRow(program, bindings, std::min(length, count - first));
  }
}

void ExpectSameBits(const Operator& op, const CpuStrategy& strategy) {
  Result<CpuProgram> program = Compile(op, &strategy);
  ASSERT_TRUE(program.ok()) << program.error().message;
  std::mt19937 random(23);
  Bindings bindings;
  std::vector<test::TensorMemory> inputs;
  for (size_t field : op.arguments->inputs()) {
    inputs.emplace_back(op.arguments->tensor(field)).FillRandom(random);
  }
  for (size_t i = 0; i < inputs.size(); ++i) bindings.inputs[i] = inputs[i].data();
  const TensorDesc& desc = op.arguments->tensor(op.arguments->outputs().front());
  test::TensorMemory expected(desc), actual(desc);
  bindings.outputs[0] = expected.data();
  const cpu::Executor executor(2);
  ASSERT_TRUE(Run(program.value(), bindings, executor).ok());
  bindings.outputs[0] = actual.data();
  RunByRows(program.value(), bindings, desc.ElementCount());
  const bool nan_is_nan = !op.definition->kernel->preserves_nan_bits;
  EXPECT_EQ(test::FindDifference(desc, expected.Elements(), actual.Elements(), nan_is_nan),
            std::nullopt);
  EXPECT_EQ(actual.FindForeignWrite(), std::nullopt);
}

class Row : public testing::TestWithParam<const Definition*> {};

TEST_P(Row, HasTheBitsOfTheWholeTensor) {
  const Definition& definition = *GetParam();
  for (const test::TypeAssignment& types : test::AdmittedTypes(*definition.schema)) {
    for (const Case& c : definition.cases) {
      auto arguments = test::Describe(*definition.schema, c, types);
      if (!arguments) continue;
      Result<Operator> op = CreateOperator(definition, *arguments, {});
      if (!op.ok()) continue;
      const std::shared_ptr<const void> plan = definition.kernel->make_plan(op.value().desc.get());
      for (const CpuStrategy& strategy : definition.kernel->cpu_strategies) {
        if (strategy.run_row == nullptr || !strategy.accepts(plan.get()).accepted()) continue;
        SCOPED_TRACE(testing::Message()
                     << c.name << " " << test::TypeName(*definition.schema, types) << " "
                     << strategy.name);
        ExpectSameBits(op.value(), strategy);
      }
    }
  }
}

std::vector<const Definition*> WithRows() {
  std::vector<const Definition*> found;
  for (const Definition* definition : Registry()) {
    if (std::ranges::any_of(definition->kernel->cpu_strategies, [](const CpuStrategy& strategy) {
          return strategy.run_row != nullptr;
        })) {
      found.push_back(definition);
    }
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(Operators, Row, testing::ValuesIn(WithRows()),
                         [](const testing::TestParamInfo<const Definition*>& info) {
                           return std::string(info.param->schema->name);
                         });

}  // namespace
}  // namespace anydml
