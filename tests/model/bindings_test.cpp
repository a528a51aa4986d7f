// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "model/changed_model.h"

namespace anydml::model {
namespace {

using test::ModelJson;
using test::Problem;
using test::ProblemWithout;
using test::ReadText;
using test::Sentences;

TEST(ReadModel, TellsProblemsOfBindings) {
  EXPECT_EQ(ProblemWithout("/dispatchables/relu", "bindings"),
            Sentences{"dispatchables.relu.bindings: InputTensor is required"});
  EXPECT_EQ(Problem("/dispatchables/relu/bindings/OutputGradientTensor", "dx"),
            Sentences{"dispatchables.relu.bindings.OutputGradientTensor: must be bound in the "
                      "dispatch command, since its Flags are not OWNED_BY_DML"});
  EXPECT_EQ(Problem("/commands/0/bindings/InputTensor", "x"),
            Sentences{"commands[0].bindings.InputTensor: must be bound in the dispatchable, since "
                      "its Flags are OWNED_BY_DML"});
  EXPECT_EQ(ProblemWithout("/commands/0/bindings", "OutputGradientTensor"),
            Sentences{"commands[0].bindings: OutputGradientTensor is required"});
  EXPECT_EQ(Problem("/commands/0/bindings/OutputGradTensor", "dx"),
            Sentences{"commands[0].bindings.OutputGradTensor: unknown tensor of "
                      "ACTIVATION_RELU_GRAD; did you mean OutputGradientTensor?"});
  EXPECT_EQ(Problem("/commands/0/bindings/OutputGradientTensor", "dxx"),
            Sentences{"commands[0].bindings.OutputGradientTensor = \"dxx\" is no resource of this "
                      "model; did you mean dx?"});
  EXPECT_EQ(Problem("/commands/0/bindings/OutputGradientTensor", {"dx", "dx"}),
            Sentences{"commands[0].bindings.OutputGradientTensor: must be one buffer, since it is "
                      "one tensor"});
  EXPECT_EQ(Problem("/commands/0/bindings/OutputGradientTensor", 1),
            Sentences{"commands[0].bindings.OutputGradientTensor = 1 must be a string"});
  EXPECT_EQ(Problem("/commands/0/bindings", 1), Sentences{"commands[0].bindings = 1 must be an "
                                                          "object"});
}

TEST(ReadModel, TellsBindingsThatAreTooSmall) {
  constexpr std::string_view kBinding = "/commands/0/bindings/InputGradientTensor";
  EXPECT_EQ(Problem(kBinding, {{"name", "dy"}, {"elementOffset", 3}}),
            Sentences{"commands[0].bindings.InputGradientTensor: \"dy\" has 8 bytes from offset 12 "
                      "and must have the tensor's 12"});
  EXPECT_EQ(Problem(kBinding, {{"name", "dy"}, {"elementOffset", 6}}),
            Sentences{"commands[0].bindings.InputGradientTensor: elementOffset = 6 with elements "
                      "of 4 bytes is beyond the 20 bytes of \"dy\""});
  EXPECT_EQ(
      Problem(kBinding,
              {{"name", "dy"}, {"elementOffset", 4294967296}, {"elementSizeInBytes", 4294967296}}),
      Sentences{"commands[0].bindings.InputGradientTensor: elementOffset = 4294967296 with "
                "elements of 4294967296 bytes is beyond the 20 bytes of \"dy\""});
  EXPECT_EQ(Problem(kBinding, {{"name", "dy"}, {"elementOfset", 1}}),
            Sentences{"commands[0].bindings.InputGradientTensor.elementOfset: unknown member of a "
                      "buffer source; did you mean elementOffset?"});
  EXPECT_EQ(Problem(kBinding, {{"name", "dy"}, {"elementOffset", -1}}),
            Sentences{"commands[0].bindings.InputGradientTensor.elementOffset = -1 must be an "
                      "integer from 0 to 18446744073709551615"});
  EXPECT_EQ(Problem(kBinding, {{"elementOffset", 1}}),
            Sentences{"commands[0].bindings.InputGradientTensor: name is required"});
  EXPECT_EQ(Problem("/resources/dx/initialValues/valueCount", 2),
            Sentences{"commands[0].bindings.OutputGradientTensor: \"dx\" has 8 bytes and must have "
                      "the tensor's 12"});
}

// The tensor has 3 FLOAT32 and the buffer 5. DxDispatch binds the rest of a buffer.
TEST(ReadModel, BindsTheRestOfABufferWhateverTheCountSays) {
  constexpr std::string_view kBinding = "/commands/0/bindings/InputGradientTensor";
  for (const uint64_t count : {uint64_t{0}, uint64_t{2}, uint64_t{3}, UINT64_MAX}) {
    EXPECT_EQ(Problem(kBinding, {{"name", "dy"}, {"elementCount", count}}), Sentences()) << count;
  }
}

TEST(ReadModel, DoesNotJudgeBindingsByInvalidSizes) {
  EXPECT_EQ(Problem("/dispatchables/relu/desc/OutputGradientTensor/Sizes", {0}), Sentences());
}

TEST(ReadModel, RefusesBindingsOfTensorsThatAreLeftOut) {
  Json model = ModelJson();
  const Json tensor = {{"DataType", "FLOAT32"}, {"Sizes", {1}}};
  model["dispatchables"] = {{"every",
                             {{"type", "EVERY_FIELD"},
                              {"InputTensor", tensor},
                              {"OutputTensor", tensor},
                              {"DimensionCount", 0},
                              {"WindowSize", Json::array()},
                              {"Offsets", Json::array()},
                              {"Scales", Json::array()},
                              {"Mode", "LINEAR"},
                              {"Ratio", 1},
                              {"Count", 1},
                              {"Shift", 1},
                              {"IncludePadding", false},
                              {"ScaleSize", {{"Width", 1}, {"Height", 1}}},
                              {"MinMaxDataType", "FLOAT32"},
                              {"Min", 0},
                              {"Max", 0}}}};
  model["commands"] = Json::array();
  model["commands"].push_back(
      {{"type", "dispatch"},
       {"dispatchable", "every"},
       {"bindings", {{"InputTensor", "x"}, {"OutputTensor", "dx"}, {"WeightsTensor", "dy"}}}});
  Sentences sentences;
  ReadText(model.dump(), sentences);
  EXPECT_EQ(sentences, Sentences{"commands[0].bindings.WeightsTensor: must not be bound, since the "
                                 "description leaves it out"});
  model["dispatchables"]["every"]["WeightsTensor"] = nullptr;
  ReadText(model.dump(), sentences);
  EXPECT_EQ(sentences, Sentences{"dispatchables.every.WeightsTensor = null must be an object; an "
                                 "optional tensor is left out altogether"});
}

}  // namespace
}  // namespace anydml::model
