// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Output tensors that a model leaves out.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/reading.h"

namespace anydml::model {
namespace {

using test::Sentences;

// A pooling of 4 by 4, whose output of 2 by 2 is left out and bound all the same.
constexpr std::string_view kModel = R"({
  "resources": {
    "x": { "initialValuesDataType": "FLOAT32", "initialValues": { "valueCount": 16, "value": 1 } },
    "y": { "initialValuesDataType": "FLOAT32", "initialValues": { "valueCount": 4, "value": 0 } }
  },
  "dispatchables": {
    "pool": { "type": "MAX_POOLING", "desc": {
      "InputTensor": { "DataType": "FLOAT32", "Sizes": [1, 1, 4, 4] },
      "DimensionCount": 2, "Strides": [2, 2], "WindowSize": [2, 2],
      "StartPadding": [0, 0], "EndPadding": [0, 0] } }
  },
  "commands": [ { "type": "dispatch", "dispatchable": "pool",
                  "bindings": { "InputTensor": "x", "OutputTensor": "y" } } ]
})";

Sentences ReadInto(const Json& model, Model& out) {
  std::vector<Error> problems;
  out = ReadModel(model.dump(), {.find_schema = test::FindTestSchema}, problems);
  return test::MessagesOf(problems);
}

Sentences ProblemWith(std::string_view pointer, const Json& value) {
  Json model = ParseJson(kModel).value();
  model[Json::json_pointer(std::string(pointer))] = value;
  Model read;
  return ReadInto(model, read);
}

TEST(LeftOutOutputs, AreInferredAndBound) {
  Model model;
  ASSERT_EQ(ReadInto(ParseJson(kModel).value(), model), Sentences());
  const schema::Arguments& pool = model.dispatchables[0].arguments;
  EXPECT_EQ(pool.tensor(1).sizes, (Dimensions{1, 1, 2, 2}));
  EXPECT_EQ(pool.tensor(1).total_bytes, 16u);
  const auto& dispatch = std::get<Dispatch>(model.commands[0]);
  EXPECT_EQ(dispatch.bindings.size(), 2u);
}

TEST(LeftOutOutputs, StillNeedABufferThatIsLargeEnough) {
  EXPECT_EQ(ProblemWith("/resources/y/initialValues/valueCount", 3),
            Sentences{"commands[0].bindings.OutputTensor: \"y\" has 12 bytes and must have the "
                      "tensor's 16"});
  EXPECT_EQ(ProblemWith("/commands/0/bindings", {{"InputTensor", "x"}}),
            Sentences{"commands[0].bindings: OutputTensor is required"});
}

TEST(LeftOutOutputs, TellWhatIsWrongWithTheRest) {
  EXPECT_EQ(ProblemWith("/dispatchables/pool/desc/WindowSize", {5, 2}),
            Sentences{"dispatchables.pool: MAX_POOLING: WindowSize[0] = 5 spans 5 elements and "
                      "must span at most InputTensor.Sizes[2] + StartPadding[0] + EndPadding[0] = "
                      "4"});
  EXPECT_EQ(ProblemWith("/dispatchables/pool/desc/Strides", {2}),
            Sentences{"dispatchables.pool: MAX_POOLING: Strides has 1 entries and must have "
                      "DimensionCount = 2"});
  EXPECT_EQ(ProblemWith("/dispatchables/pool/desc/Strides", {0, 2}),
            Sentences{"dispatchables.pool: MAX_POOLING: Strides = {0, 2} must be at least 1 in "
                      "every entry"});
  EXPECT_EQ(ProblemWith("/dispatchables/pool/desc/InputTensor/Sizes", {1, 1, 0, 4}),
            Sentences{"dispatchables.pool: MAX_POOLING: InputTensor.Sizes = {1, 1, 0, 4} must be "
                      "at least 1 in every dimension"});
}

TEST(LeftOutOutputs, AreRequiredWhereTheyCannotBeInferred) {
  Problems problems;
  ReadDescription(R"({ "type": "RESAMPLE_GRAD1", "desc": {
    "InputGradientTensor": { "DataType": "FLOAT32", "Sizes": [4] },
    "InterpolationMode": "LINEAR", "RoundingDirection": "INCREASING", "DimensionCount": 1,
    "Scales": [2], "InputPixelOffsets": [0.5], "OutputPixelOffsets": [-0.5] } })",
                  test::FindTestSchema, problems);
  EXPECT_EQ(test::MessagesOf(problems),
            Sentences{"desc: OutputGradientTensor is required, since its data type and sizes do "
                      "not follow from the other fields"});
}

}  // namespace
}  // namespace anydml::model
