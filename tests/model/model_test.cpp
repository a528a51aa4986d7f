// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/model.h"

#include <gtest/gtest.h>

#include "model/changed_model.h"
#include "model/place.h"
#include "schema/problems.h"

namespace anydml::model {
namespace {

using test::kModel;
using test::ModelJson;
using test::Problem;
using test::ProblemWithout;
using test::ReadText;
using test::Sentences;

TEST(ReadModel, ReadsResourcesAndDispatchables) {
  Sentences sentences;
  const Model model = ReadText(kModel, sentences);
  ASSERT_EQ(sentences, Sentences());
  ASSERT_EQ(model.resources.size(), 3u);
  EXPECT_EQ(model.resources[0].name, "x");
  EXPECT_EQ(test::As<float>(model.resources[1].bytes), (std::vector<float>{1, 2, 3, 4, 5}));
  ASSERT_EQ(model.dispatchables.size(), 1u);
  const Dispatchable& relu = model.dispatchables[0];
  EXPECT_EQ(relu.name, "relu");
  EXPECT_EQ(relu.arguments.schema().name, "ACTIVATION_RELU_GRAD");
  EXPECT_EQ(relu.execution_flags, 6u);
  EXPECT_TRUE(FindProblems(relu.arguments, FeatureLevel::k3_0).empty());
  ASSERT_EQ(relu.initialization_bindings.size(), 1u);
  EXPECT_EQ(relu.initialization_bindings[0].tensor, 0u);
  EXPECT_EQ(relu.initialization_bindings[0].source.resource, 0u);
}

TEST(ReadModel, ReadsCommands) {
  Sentences sentences;
  const Model model = ReadText(kModel, sentences);
  ASSERT_EQ(sentences, Sentences());
  ASSERT_EQ(model.commands.size(), 5u);
  const auto& dispatch = std::get<Dispatch>(model.commands[0]);
  EXPECT_EQ(dispatch.dispatchable, 0u);
  ASSERT_EQ(dispatch.bindings.size(), 2u);
  EXPECT_EQ(dispatch.bindings[0].tensor, 1u);
  const BufferSource& source = dispatch.bindings[0].source;
  EXPECT_EQ(source.resource, 1u);
  EXPECT_EQ(source.element_offset, 2u);
  EXPECT_EQ(source.element_count, 5u);
  EXPECT_EQ(source.element_size_in_bytes, 4u);
  EXPECT_EQ(source.offset_in_bytes(), 8u);
  EXPECT_EQ(dispatch.bindings[1].source.resource, 2u);
  const auto& print = std::get<Print>(model.commands[1]);
  EXPECT_EQ(print.resource, 2u);
  EXPECT_TRUE(print.verbose);
  const auto& npy = std::get<WriteFile>(model.commands[2]);
  EXPECT_EQ(npy.target_path, "out/dy.npy");
  EXPECT_EQ(npy.dimensions, (std::vector<uint64_t>{5}));
  EXPECT_EQ(std::get<WriteFile>(model.commands[3]).dimensions, (std::vector<uint64_t>{1, 5}));
  EXPECT_TRUE(std::get<WriteFile>(model.commands[4]).dimensions.empty());
}

TEST(ReadModel, RequiresTheThreeRootMembers) {
  Sentences sentences;
  ReadText("{}", sentences);
  EXPECT_EQ(sentences, (Sentences{"resources is required", "dispatchables is required",
                                  "commands is required"}));
  ReadText(R"({ "resources": [], "dispatchables": 1, "commands": {} })", sentences);
  EXPECT_EQ(sentences, (Sentences{"resources = an array must be an object",
                                  "dispatchables = 1 must be an object",
                                  "commands = an object must be an array"}));
  ReadText("[]", sentences);
  EXPECT_EQ(sentences,
            Sentences{"the root must be an object with resources, dispatchables and commands"});
  ReadText("{", sentences);
  EXPECT_EQ(sentences, Sentences{"line 1, column 2: syntax error while parsing object key - "
                                 "unexpected end of input; expected string literal"});
}

TEST(ReadModel, TellsWhatIsNotSupported) {
  const Sentences hlsl = Problem("/dispatchables/relu/type", "HLSL");
  EXPECT_EQ(hlsl, Sentences{"dispatchables.relu.type = \"HLSL\" is not supported: only DirectML "
                            "operators are"});
  EXPECT_EQ(Problem("/dispatchables/relu/type", "onnx").size(), 1u);
  EXPECT_EQ(Problem("/dispatchables/relu/type", "dmlSerializedGraph").size(), 1u);
  EXPECT_EQ(Problem("/dispatchables/relu/dmlCompileType", "DmlCompile"),
            Sentences{"dispatchables.relu.dmlCompileType = \"DmlCompile\" must be \"DmlCompileOp\" "
                      "or \"DmlCompileGraph\""});
  EXPECT_EQ(Problem("/commands/2/targetPath", "dy.jpg"),
            Sentences{"commands[2].targetPath = \"dy.jpg\" is not supported: images are not "
                      "written"});
}

TEST(ReadModel, TellsProblemsOfDispatchables) {
  EXPECT_EQ(Problem("/dispatchables/relu/executionFlags", "DISABLE_META_COMAND"),
            Sentences{"dispatchables.relu.executionFlags = \"DISABLE_META_COMAND\" is no "
                      "DML_EXECUTION_FLAG; did you mean DISABLE_META_COMMANDS?"});
  EXPECT_EQ(Problem("/dispatchables/relu/desc/InputTensr", 1),
            Sentences{"dispatchables.relu.desc.InputTensr: unknown member of ACTIVATION_RELU_GRAD; "
                      "did you mean InputTensor?"});
  EXPECT_EQ(Problem("/dispatchables/relu/desc/InputTensor/DataType", "FLOAT33"),
            Sentences{"dispatchables.relu.desc.InputTensor.DataType = \"FLOAT33\" is no "
                      "DML_TENSOR_DATA_TYPE; did you mean FLOAT32?"});
  EXPECT_EQ(Problem("/dispatchables/relu", 1),
            Sentences{"dispatchables.relu = 1 must be an object"});
}

// A description that breaks a rule of the schema is the schema's to tell; its
// sizes give no further sentence about bindings.
TEST(ReadModel, TellsProblemsOfCommands) {
  EXPECT_EQ(Problem("/commands/1", 1), Sentences{"commands[1] = 1 must be an object"});
  EXPECT_EQ(ProblemWithout("/commands/1", "type"), Sentences{"commands[1]: type is required"});
  EXPECT_EQ(Problem("/commands/1/type", "prnt"),
            Sentences{"commands[1].type = \"prnt\" is no command; did you mean print?"});
  EXPECT_EQ(Problem("/commands/0/dispatchable", "rely"),
            Sentences{"commands[0].dispatchable = \"rely\" is no dispatchable of this model; did "
                      "you mean relu?"});
  EXPECT_EQ(Problem("/commands/1/resource", "out"),
            Sentences{"commands[1].resource = \"out\" is no resource of this model; valid names "
                      "are x, dy, dx"});
  EXPECT_EQ(Problem("/commands/1/verbos", true),
            Sentences{"commands[1].verbos: unknown member of a print command; did you mean "
                      "verbose?"});
  EXPECT_EQ(Problem("/commands/1/verbose", 1),
            Sentences{"commands[1].verbose = 1 must be true or false"});
  EXPECT_EQ(ProblemWithout("/commands/2", "targetPath"),
            Sentences{"commands[2]: targetPath is required"});
  EXPECT_EQ(Problem("/commands/3/dimensions", {6}),
            Sentences{"commands[3].dimensions: the product of {6} must be 5, the number of values "
                      "of \"dy\""});
  EXPECT_EQ(Problem("/commands/3/dimensions", Json(std::vector<int>(33, 1))),
            Sentences{"commands[3].dimensions: has 33 entries and must have at most 32"});
  EXPECT_EQ(Problem("/commands/3/dimensions/0", -1),
            Sentences{"commands[3].dimensions[0] = -1 must be an integer from 0 to 4294967295"});
}

TEST(ReadModel, RefusesTargetsOutsideTheOutputPath) {
  EXPECT_EQ(
      Problem("/commands/2/targetPath", "/elsewhere/dy.npy"),
      Sentences{"commands[2].targetPath = \"/elsewhere/dy.npy\" must be relative: models may not "
                "reach other files"});
  EXPECT_EQ(Problem("/commands/2/targetPath", "a/../../dy.npy"),
            Sentences{"commands[2].targetPath = \"a/../../dy.npy\" must stay inside the folder: "
                      "models may not reach other files"});
  EXPECT_EQ(Problem("/commands/2/targetPath", ""),
            Sentences{"commands[2].targetPath = \"\" must not be empty"});
}

TEST(ReadModel, RefusesToPrintValuesOfMixedTypes) {
  const Json typed = {{"initialValues", {{{"type", "INT8"}, {"value", 1}}}}};
  Json model = ModelJson();
  model["resources"]["constants"] = typed;
  model["commands"][1]["resource"] = "constants";
  Sentences sentences;
  ReadText(model.dump(), sentences);
  EXPECT_EQ(sentences, Sentences{"commands[1].resource = \"constants\" must have one data type for "
                                 "all its values"});
}

// Several problems at once; what hangs on an unreadable thing is not told again.
TEST(ReadModel, TellsEveryProblemOnce) {
  Json model = ModelJson();
  model["resources"]["dx"]["initialValues"] = "none";
  model["dispatchables"]["relu"]["type"] = "ACTIVATION_RELU_GRADE";
  model["commands"][4]["resource"] = "y";
  Sentences sentences;
  const Model read = ReadText(model.dump(), sentences);
  EXPECT_EQ(
      sentences,
      (Sentences{"resources.dx.initialValues = \"none\" must be an array or an object",
                 "dispatchables.relu.type = \"ACTIVATION_RELU_GRADE\" is no operator; did "
                 "you mean ACTIVATION_RELU_GRAD?",
                 "commands[4].resource = \"y\" is no resource of this model; did you mean x?"}));
  EXPECT_TRUE(read.dispatchables.empty());
  EXPECT_TRUE(read.commands.empty());
  ReadText(R"({ "resources": {}, "dispatchables": {}, "commands": [{}] })", sentences);
  EXPECT_EQ(sentences, Sentences{"commands[0]: type is required"});
}

TEST(ReadModel, KeepsReadableDispatchablesForFurtherChecks) {
  Json model = ModelJson();
  model["commands"][1]["resource"] = 1;
  Sentences sentences;
  EXPECT_EQ(ReadText(model.dump(), sentences).dispatchables.size(), 1u);
  EXPECT_EQ(sentences, Sentences{"commands[1].resource = 1 must be a string"});
}

TEST(ReadModel, StopsTellingAfterAHundredProblems) {
  Json model = ModelJson();
  for (int i = 0; i < 200; ++i) model["commands"].push_back(i);
  Sentences sentences;
  const Model read = ReadText(model.dump(), sentences);
  ASSERT_EQ(sentences.size(), kMaxProblems + 1);
  EXPECT_EQ(sentences[99], "commands[104] = 99 must be an object");
  EXPECT_EQ(sentences[100], "there are more problems than these");
  EXPECT_TRUE(read.commands.empty());
}

TEST(ReadModel, SharesTheLimitAmongResources) {
  std::vector<Error> problems;
  ReadModel(R"({ "resources": {
      "a": { "initialValuesDataType": "UINT8", "initialValues": { "valueCount": 60, "value": 0 } },
      "b": { "initialValuesDataType": "UINT8", "initialValues": { "valueCount": 60, "value": 0 } }
    }, "dispatchables": {}, "commands": [] })",
            {.find_schema = test::FindTestSchema, .max_resource_bytes = 100}, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].message,
            "resources.b.initialValues.valueCount: needs 60 bytes, and the "
            "model's resources may take 40 more");
  EXPECT_EQ(problems[0].code, ErrorCode::kOutOfMemory);
}

TEST(ReadModel, ShortensAndEscapesWhatSentencesRepeat) {
  EXPECT_EQ(Problem("/commands/1/resource", "a\nb"),
            Sentences{"commands[1].resource = \"a\\x0ab\" is no resource of this model; valid "
                      "names are x, dy, dx"});
  EXPECT_EQ(Problem("/commands/1/" + std::string(1000, 'n'), 1),
            Sentences{"commands[1]." + std::string(60, 'n') +
                      "...: unknown member of a print command; valid names are type, resource, "
                      "verbose"});
}

// Those of models/, whose output the command's tests check.
TEST(ReadModel, ReadsTheModelsOfThisRepository) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ANYDML_MODELS)) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    Sentences sentences;
    const Model model = ReadText(text, sentences);
    EXPECT_EQ(sentences, Sentences()) << entry.path();
    for (const Dispatchable& dispatchable : model.dispatchables) {
      const auto problems = FindProblems(dispatchable.arguments, kNewestFeatureLevel);
      EXPECT_EQ(test::MessagesOf(problems), Sentences()) << entry.path();
    }
    count += model.dispatchables.size();
  }
  EXPECT_GT(count, 0u);
}

}  // namespace
}  // namespace anydml::model
