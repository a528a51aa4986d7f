// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Arrays of tensors and operators that are fused, in DxDispatch's spelling.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/reading.h"
#include "operators/registry.h"
#include "schema/problems.h"
#include "support/array_operators.h"

namespace anydml::model {
namespace {

using test::Sentences;

constexpr std::string_view kJoin = R"({
  "resources": {
    "a": { "initialValuesDataType": "FLOAT32", "initialValues": [1, 2] },
    "b": { "initialValuesDataType": "FLOAT32", "initialValues": [3, 4, 5] },
    "y": { "initialValuesDataType": "FLOAT32", "initialValues": { "valueCount": 4, "value": 0 } }
  },
  "dispatchables": {
    "join": { "type": "JOIN", "desc": {
      "InputCount": 2,
      "InputTensors": [ { "DataType": "FLOAT32", "Sizes": [2] },
                        { "DataType": "FLOAT32", "Sizes": [2] } ],
      "Axis": 0 } }
  },
  "commands": [ { "type": "dispatch", "dispatchable": "join", "bindings": {
    "InputTensors": [ "a", { "name": "b", "elementOffset": 1 } ], "OutputTensor": "y" } } ]
})";

constexpr std::string_view kAdd = R"({ "type": "ELEMENT_WISE_ADD1", "desc": {
  "ATensor": { "DataType": "FLOAT32", "Sizes": [2] },
  "BTensor": { "DataType": "FLOAT32", "Sizes": [2] },
  "FusedActivation": { "Type": "ACTIVATION_ELU", "Alpha": 0.5 } } })";

Sentences Read(const Json& model, Model& out) {
  std::vector<Error> problems;
  out = ReadModel(model.dump(), {.find_schema = test::FindArraySchema}, problems);
  return test::MessagesOf(problems);
}

Sentences ProblemOfJoin(std::string_view pointer, const Json& value) {
  Json model = ParseJson(kJoin).value();
  model[Json::json_pointer(std::string(pointer))] = value;
  Model read;
  return Read(model, read);
}

Sentences ProblemOfAdd(std::string_view pointer, const Json& value,
                       std::optional<schema::Arguments>* read = nullptr) {
  Json add = ParseJson(kAdd).value();
  add["desc"][Json::json_pointer(std::string(pointer))] = value;
  Problems problems;
  auto arguments = ReadDescription(add.dump(), test::FindArraySchema, problems);
  if (read != nullptr) *read = std::move(arguments);
  return test::MessagesOf(problems);
}

TEST(TensorArrays, AreReadAndBoundInOrder) {
  Model model;
  ASSERT_EQ(Read(ParseJson(kJoin).value(), model), Sentences());
  const schema::Arguments& join = model.dispatchables[0].arguments;
  EXPECT_EQ(join.tensor(test::kJoinOutputTensor).sizes[0], 4u);  // was left out
  EXPECT_TRUE(schema::FindProblems(join, kNewestFeatureLevel).empty());
  const auto& bindings = std::get<Dispatch>(model.commands[0]).bindings;
  ASSERT_EQ(bindings.size(), 3u);
  EXPECT_EQ(bindings[0].tensor, join.inputs()[0]);
  EXPECT_EQ(bindings[1].tensor, join.inputs()[1]);
  EXPECT_EQ(bindings[1].source.element_offset, 1u);
}

TEST(TensorArrays, AreRefusedWithTheirPlace) {
  EXPECT_EQ(ProblemOfJoin("/dispatchables/join/desc/InputTensors", 1),
            Sentences{"dispatchables.join.desc.InputTensors = 1 must be an array"});
  EXPECT_EQ(ProblemOfJoin("/dispatchables/join/desc/InputTensors/1/DataType", "FLOAT"),
            Sentences{"dispatchables.join.desc.InputTensors[1].DataType = \"FLOAT\" is no "
                      "DML_TENSOR_DATA_TYPE; did you mean FLOAT32?"});
  EXPECT_EQ(ProblemOfJoin("/dispatchables/join/desc/InputCount", 3),
            Sentences{"dispatchables.join: JOIN: InputTensors has 2 entries and must have "
                      "InputCount = 3"});
  EXPECT_EQ(ProblemOfJoin("/commands/0/bindings/InputTensors", "a"),
            Sentences{"commands[0].bindings.InputTensors = \"a\" must be an array"});
  EXPECT_EQ(ProblemOfJoin("/commands/0/bindings/InputTensors", Json{"a"}),
            Sentences{"commands[0].bindings.InputTensors: has 1 buffers and must have 2, one per "
                      "tensor"});
  EXPECT_EQ(ProblemOfJoin("/commands/0/bindings/InputTensors/1/elementOffset", 2),
            Sentences{"commands[0].bindings.InputTensors[1]: \"b\" has 4 bytes from offset 8 and "
                      "must have the tensor's 8"});
  EXPECT_EQ(ProblemOfJoin("/commands/0/bindings", {{"OutputTensor", "y"}}),
            Sentences{"commands[0].bindings: InputTensors is required"});
}

// B78. An array of no axes is empty, null or left out; another count needs one.
TEST(Axes, MayBeNullWhereTheirCountIsZero) {
  const auto problems = [](std::string_view axes) {
    Problems found;
    const auto read = ReadDescription(
        R"({ "type": "REDUCE", "Function": "SUM",
             "InputTensor": { "DataType": "FLOAT32", "Sizes": [2, 3] },
             "OutputTensor": { "DataType": "FLOAT32", "Sizes": [2, 3] }, )" +
            std::string(axes) + " }",
        [](std::string_view name) -> const schema::OperatorSchema* {
          const Definition* found = anydml::FindOperator(name);
          return found == nullptr ? nullptr : found->schema;
        },
        found);
    EXPECT_TRUE(!read || schema::FindProblems(*read, kNewestFeatureLevel).empty());
    return test::MessagesOf(found);
  };
  EXPECT_EQ(problems(R"("AxisCount": 0, "Axes": [])"), Sentences());
  EXPECT_EQ(problems(R"("AxisCount": 0, "Axes": null)"), Sentences());
  EXPECT_EQ(problems(R"("AxisCount": 0)"), Sentences());
  EXPECT_EQ(problems(R"("AxisCount": 1, "Axes": null)"), Sentences{"Axes = null must be an array"});
  EXPECT_EQ(problems(R"("AxisCount": 1)"), Sentences{"Axes is required"});
}

TEST(FusedOperators, AreReadBesideTypeAndInDesc) {
  for (const Json& spelling :
       {Json{{"Type", "ACTIVATION_ELU"}, {"Alpha", 0.5}},
        Json{{"type", "DML_OPERATOR_ACTIVATION_ELU"}, {"Desc", {{"Alpha", 0.5}}}}}) {
    std::optional<schema::Arguments> read;
    EXPECT_EQ(ProblemOfAdd("/FusedActivation", spelling, &read), Sentences());
    const schema::Arguments* fused = read->at(test::kAdd1FusedActivation).description.get();
    ASSERT_NE(fused, nullptr);
    EXPECT_EQ(fused->schema().name, "ACTIVATION_ELU");
    EXPECT_EQ(fused->Float(2), 0.5f);
  }
}

TEST(FusedOperators, AreRefusedWithTheirPlace) {
  EXPECT_EQ(ProblemOfAdd("/FusedActivation", nullptr),
            Sentences{"desc.FusedActivation = null must be an object"});
  EXPECT_EQ(ProblemOfAdd("/FusedActivation", {{"Alpha", 1}}),
            Sentences{"desc.FusedActivation: Type is required"});
  EXPECT_EQ(ProblemOfAdd("/FusedActivation/Type", "GEMM"),
            Sentences{"desc.FusedActivation.Type = \"GEMM\" must be ACTIVATION_RELU or "
                      "ACTIVATION_ELU"});
  EXPECT_EQ(ProblemOfAdd("/FusedActivation", {{"Type", "ACTIVATION_ELU"}}),
            Sentences{"desc.FusedActivation: Alpha is required"});
  EXPECT_EQ(ProblemOfAdd("/FusedActivation/Alfa", 1),
            Sentences{"desc.FusedActivation.Alfa: unknown member of ACTIVATION_ELU, which is "
                      "fused; did you mean Alpha?"});
  EXPECT_EQ(ProblemOfAdd("/FusedActivation/InputTensor", 1),
            Sentences{"desc.FusedActivation.InputTensor: unknown member of ACTIVATION_ELU, which "
                      "is fused; valid names are type, Type, Alpha"});
}

}  // namespace
}  // namespace anydml::model
