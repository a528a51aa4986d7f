// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// CreateOperator from the struct that a program passes: which operators there
// are, at which feature level, and that nothing of the caller's memory is kept.
#include <directml.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "operators/registry.h"
#include "schema/operator_names.h"
#include "support/descriptions.h"
#include "support/struct_builder.h"
#include "support/tensor_data.h"

namespace anydml {
namespace {

using test::StructBuilder;

Result<Operator> Create(uint32_t type, const void* desc, FeatureLevel level = kNewestFeatureLevel) {
  DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_INVALID, desc};
  std::memcpy(&operator_desc.Type, &type, sizeof type);  // may be no enumerator
  return CreateOperator(&operator_desc, {.feature_level = level});
}

void ExpectError(const Result<Operator>& result, ErrorCode code, const std::string& message) {
  ASSERT_FALSE(result.ok()) << "expected: " << message;
  EXPECT_EQ(result.error().code, code) << message;
  EXPECT_EQ(result.error().message, message);
}

TEST(CreateOperator, RefusesNull) {
  ExpectError(CreateOperator(nullptr, {}), ErrorCode::kInvalidArgument,
              "the DML_OPERATOR_DESC must not be null");
}

TEST(CreateOperator, RefusesTypesThatAreNoOperator) {
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {};
  for (uint32_t type : {0u, 178u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
    ExpectError(Create(type, &desc), ErrorCode::kInvalidArgument,
                "DML_OPERATOR_DESC.Type = " + std::to_string(type) + " is not an operator");
  }
}

TEST(CreateOperator, RefusesAKnownOperatorThatIsNotImplementedByName) {
  const DML_RNN_OPERATOR_DESC desc = {};
  ExpectError(Create(DML_OPERATOR_RNN, &desc), ErrorCode::kUnsupported,
              "RNN: this operator is not implemented");
}

TEST(CreateOperator, RefusesEveryOperatorOutsideTheRegistryAsUnsupported) {
  for (uint32_t type = 1; type < schema::kOperatorTypeCount; ++type) {
    if (FindOperator(type) != nullptr) continue;
    ExpectError(Create(type, nullptr), ErrorCode::kUnsupported,
                std::string(schema::OperatorTypeName(type)) + ": this operator is not implemented");
  }
}

TEST(CreateOperator, FindsOperatorsByTypeAndByName) {
  for (const Definition* definition : Registry()) {
    EXPECT_EQ(FindOperator(definition->schema->type), definition);
    EXPECT_EQ(FindOperator(definition->schema->name), definition);
  }
  EXPECT_EQ(FindOperator(0u), nullptr);
  EXPECT_EQ(FindOperator(""), nullptr);
  EXPECT_EQ(FindOperator("activation_relu_grad"), nullptr);
}

// The first case that applies, packed, in the first type.
schema::Arguments AnyArguments(const Definition& definition) {
  const auto types = test::AdmittedTypes(*definition.schema).front();
  for (const Case& c : definition.cases) {
    if (auto arguments = test::Describe(*definition.schema, c, types)) return *arguments;
  }
  ADD_FAILURE() << definition.schema->name << " has no case";
  return schema::Arguments(*definition.schema);
}

class CreateEvery : public testing::TestWithParam<const Definition*> {
 protected:
  const schema::OperatorSchema& schema() const { return *GetParam()->schema; }
};

TEST_P(CreateEvery, RefusesANullDescription) {
  ExpectError(Create(schema().type, nullptr), ErrorCode::kInvalidArgument,
              std::string(schema().name) + ": the description must not be null");
}

TEST_P(CreateEvery, NeedsTheFeatureLevelThatIntroducedIt) {
  const StructBuilder builder(AnyArguments(*GetParam()));
  for (FeatureLevel level : kFeatureLevels) {
    if (level >= schema().level) continue;
    ExpectError(Create(schema().type, builder.desc(), level), ErrorCode::kInvalidArgument,
                std::string(schema().name) + ": this operator needs feature level " +
                    FeatureLevelName(schema().level) + " or above; this device has " +
                    FeatureLevelName(level));
  }
}

// The same random inputs for equal descriptions.
std::vector<std::vector<uint8_t>> RunOnRandomData(const Operator& op) {
  std::mt19937 random(1);
  std::vector<test::TensorMemory> inputs, outputs;
  Bindings bindings;
  for (size_t field : op.arguments->inputs()) {
    inputs.emplace_back(op.arguments->tensor(field));
    if (!inputs.back().desc().present()) continue;
    inputs.back().FillRandom(random);
    bindings.inputs[inputs.size() - 1] = inputs.back().data();
  }
  for (size_t field : op.arguments->outputs()) {
    outputs.emplace_back(op.arguments->tensor(field));
    if (outputs.back().desc().present()) {
      bindings.outputs[outputs.size() - 1] = outputs.back().data();
    }
  }
  const Result<CpuProgram> program = Compile(op);
  EXPECT_TRUE(program.ok()) << program.error().message;
  test::TemporaryMemory temporary(program.value().temporary_bytes);
  bindings.temporary = temporary.data();
  EXPECT_TRUE(Run(program.value(), bindings, cpu::Executor(1)).ok());
  std::vector<std::vector<uint8_t>> results;
  for (const test::TensorMemory& output : outputs) {
    if (output.desc().present()) results.push_back(output.Elements());
  }
  return results;
}

// The caller's structs and arrays may die on return (C.3). They are overwritten
// before they are freed, so that a stale pointer shows without a sanitizer too.
TEST_P(CreateEvery, KeepsNothingOfTheCallersMemory) {
  const schema::Arguments arguments =
      test::WithLayout(AnyArguments(*GetParam()), test::Layout::kPaddedRows);
  auto builder = std::make_unique<StructBuilder>(arguments);
  const Result<Operator> op = Create(schema().type, builder->desc());
  ASSERT_TRUE(op.ok()) << op.error().message;
  const auto before = RunOnRandomData(op.value());
  builder->Overwrite();
  builder.reset();
  EXPECT_EQ(RunOnRandomData(op.value()), before);
  EXPECT_FALSE(before.empty());
}

INSTANTIATE_TEST_SUITE_P(Registry, CreateEvery, testing::ValuesIn(Registry()),
                         [](const auto& info) { return std::string(info.param->schema->name); });

}  // namespace
}  // namespace anydml
