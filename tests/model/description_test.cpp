// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/description.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "model/reading.h"
#include "schema/problems.h"

namespace anydml::model {
namespace {

using schema::Arguments;
using test::Sentences;

constexpr std::string_view kEveryField = R"({
  "type": "EVERY_FIELD",
  "desc": {
    "InputTensor": { "DataType": "FLOAT32", "Sizes": [1, 2, 3, 4] },
    "OutputTensor": { "DataType": "FLOAT32", "Sizes": [1, 2, 3, 4] },
    "DimensionCount": 2,
    "WindowSize": [4294967295, 2],
    "Offsets": [-2147483648, 3],
    "Scales": [0.5, "-INF"],
    "Mode": "LINEAR",
    "Ratio": 0.1,
    "Count": 7,
    "Shift": -8,
    "IncludePadding": true,
    "ScaleSize": { "Width": 2, "Height": 3 },
    "MinMaxDataType": "FLOAT32",
    "Min": -1.5,
    "Max": 6
  }
})";

std::optional<Arguments> Read(const Json& dispatchable, Sentences& sentences) {
  Problems problems;
  auto arguments = ReadDescription(dispatchable.dump(), test::FindTestSchema, problems);
  sentences = test::MessagesOf(problems);
  EXPECT_EQ(arguments.has_value(), sentences.empty());
  return arguments;
}

Json EveryField() { return ParseJson(kEveryField).value(); }

// The sentences after one change of the description.
Sentences ProblemAt(std::string_view pointer, const Json& value) {
  Json dispatchable = EveryField();
  dispatchable["desc"][Json::json_pointer(std::string(pointer))] = value;
  Sentences sentences;
  Read(dispatchable, sentences);
  return sentences;
}

Arguments ReadWith(std::string_view pointer, const Json& value) {
  Json dispatchable = EveryField();
  dispatchable["desc"][Json::json_pointer(std::string(pointer))] = value;
  Sentences sentences;
  auto arguments = Read(dispatchable, sentences);
  EXPECT_EQ(sentences, Sentences());
  return arguments.value_or(Arguments(test::kEveryFieldSchema));
}

TEST(Description, ReadsEveryTypeOfField) {
  Sentences sentences;
  const auto arguments = Read(EveryField(), sentences);
  ASSERT_EQ(sentences, Sentences());
  EXPECT_EQ(arguments->Uint(test::kDimensionCount), 2u);
  EXPECT_EQ(arguments->Uints(test::kWindowSize)[0], 4294967295u);
  EXPECT_EQ(arguments->Uints(test::kWindowSize).size(), 2u);
  EXPECT_EQ(arguments->IntAt(test::kOffsets, 0), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(arguments->FloatAt(test::kScales, 0), 0.5f);
  EXPECT_EQ(arguments->FloatAt(test::kScales, 1), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(arguments->Uint(test::kMode), 1u);
  EXPECT_EQ(arguments->Float(test::kRatio), 0.1f);
  EXPECT_EQ(arguments->Uint(test::kCount), 7u);
  EXPECT_EQ(arguments->IntAt(test::kShift, 0), -8);
  EXPECT_EQ(arguments->Uint(test::kIncludePadding), 1u);
  EXPECT_EQ(arguments->Uints(test::kScaleSize)[0], 2u);  // Width
  EXPECT_EQ(arguments->Uints(test::kScaleSize)[1], 3u);
  EXPECT_FALSE(arguments->IsPresent(test::kScaleBias));
  EXPECT_FALSE(arguments->tensor(test::kWeights).present());
  EXPECT_EQ(arguments->Scalar(test::kMin), std::bit_cast<uint32_t>(-1.5f));
  EXPECT_EQ(arguments->Scalar(test::kMax), std::bit_cast<uint32_t>(6.0f));
  EXPECT_TRUE(FindProblems(*arguments, FeatureLevel::k6_4).empty());
}

TEST(Description, TakesPrefixesAndCapitals) {
  Json dispatchable = EveryField();
  Json desc = dispatchable["desc"];
  desc["Mode"] = "DML_INTERPOLATION_MODE_LINEAR";
  desc["MinMaxDataType"] = "DML_TENSOR_DATA_TYPE_FLOAT32";
  desc["InputTensor"]["DataType"] = "DML_TENSOR_DATA_TYPE_FLOAT32";
  Sentences sentences;
  const auto plain = Read(dispatchable, sentences);
  const auto prefixed = Read({{"Type", "DML_OPERATOR_EVERY_FIELD"}, {"Desc", desc}}, sentences);
  ASSERT_EQ(sentences, Sentences());
  for (size_t i = 0; i < std::size(test::kEveryFields); ++i) {
    EXPECT_EQ(plain->at(i).words, prefixed->at(i).words) << test::kEveryFields[i].name;
  }
}

TEST(Description, TakesMembersBesideType) {
  Json dispatchable = EveryField()["desc"];
  dispatchable["type"] = "EVERY_FIELD";
  dispatchable["executionFlags"] = "NONE";
  dispatchable["bindings"] = Json::object();
  Sentences sentences;
  EXPECT_TRUE(Read(dispatchable, sentences));
  dispatchable["WindowSizes"] = 1;
  dispatchable["binding"] = 1;
  Read(dispatchable, sentences);
  EXPECT_EQ(sentences,
            (Sentences{"WindowSizes: unknown member of EVERY_FIELD; did you mean WindowSize?",
                       "binding: unknown member of EVERY_FIELD; did you mean bindings?"}));
}

TEST(Description, NamesTheOperatorThatWasMeant) {
  const auto refuse = [](const Json& type) {
    Sentences sentences;
    Read({{"type", type}, {"desc", Json::object()}}, sentences);
    return sentences;
  };
  EXPECT_EQ(refuse("DML_OPERATOR_ACTIVATION_RELU_GARD"),
            Sentences{"type = \"DML_OPERATOR_ACTIVATION_RELU_GARD\" is no operator; did you mean "
                      "ACTIVATION_RELU_GRAD?"});
  EXPECT_EQ(refuse("RNN"), Sentences{"type = \"RNN\" is an operator that is not implemented"});
  EXPECT_EQ(refuse(7), Sentences{"type = 7 must be a string"});
  EXPECT_EQ(refuse("INVALID")[0].substr(0, 31), "type = \"INVALID\" is no operator");
  Sentences sentences;
  Read(Json::object(), sentences);
  EXPECT_EQ(sentences, Sentences{"type is required"});
  Read(Json::array(), sentences);
  EXPECT_EQ(sentences, Sentences{"an array must be an object"});
}

TEST(Description, RequiresEveryFieldThatIsNotOptional) {
  for (const schema::Field& field : test::kEveryFields) {
    Json dispatchable = EveryField();
    dispatchable["desc"].erase(std::string(field.name));
    Sentences sentences;
    Read(dispatchable, sentences);
    const std::string expected =
        fmt::format("desc: {} is required{}", field.name,
                    field.is_output() ? ", since its data type and sizes do not follow from the "
                                        "other fields"
                                      : "");
    EXPECT_EQ(sentences, field.optional ? Sentences() : Sentences{expected});
  }
}

TEST(Description, RefusesUnknownMembers) {
  EXPECT_EQ(ProblemAt("/WindowSizes", 1),
            Sentences{"desc.WindowSizes: unknown member of EVERY_FIELD; did you mean WindowSize?"});
  EXPECT_EQ(ProblemAt("/mode", 1),
            Sentences{"desc.mode: unknown member of EVERY_FIELD; did you mean Mode?"});
  EXPECT_EQ(ProblemAt("/Completely different", 1),
            Sentences{"desc.Completely different: unknown member of EVERY_FIELD; valid names are "
                      "InputTensor, WeightsTensor, OutputTensor, DimensionCount, WindowSize, "
                      "Offsets, Scales, Mode, Ratio, Count, Shift, IncludePadding, ..."});
  Json dispatchable = EveryField();
  dispatchable["executionFlag"] = "NONE";
  Sentences sentences;
  Read(dispatchable, sentences);
  EXPECT_EQ(sentences, Sentences{"executionFlag: unknown member of a dispatchable; did you mean "
                                 "executionFlags?"});
  dispatchable = EveryField();
  dispatchable["Type"] = "EVERY_FIELD";
  Read(dispatchable, sentences);
  EXPECT_EQ(sentences, Sentences{"type and Type must not both be given"});
}

TEST(Description, RefusesWrongTypesAndRanges) {
  EXPECT_EQ(ProblemAt("/DimensionCount", -1),
            Sentences{"desc.DimensionCount = -1 must be an integer from 0 to 4294967295"});
  EXPECT_EQ(ProblemAt("/WindowSize/1", 4294967296),
            Sentences{"desc.WindowSize[1] = 4294967296 must be an integer from 0 to 4294967295"});
  EXPECT_EQ(ProblemAt("/WindowSize/1", 1.5),
            Sentences{"desc.WindowSize[1] = 1.5 must be an integer from 0 to 4294967295"});
  EXPECT_EQ(ProblemAt("/WindowSize", 3), Sentences{"desc.WindowSize = 3 must be an array"});
  EXPECT_EQ(ProblemAt("/WindowSize", Json(std::vector<int>(9, 1))),
            Sentences{"desc.WindowSize: has 9 entries and must have at most 8"});
  EXPECT_EQ(
      ProblemAt("/Offsets/0", 2147483648),
      Sentences{"desc.Offsets[0] = 2147483648 must be an integer from -2147483648 to 2147483647"});
  EXPECT_EQ(ProblemAt("/Scales/1", "infinite"),
            Sentences{"desc.Scales[1] = \"infinite\" must be a number, \"nan\", \"inf\" or "
                      "\"-inf\""});
  EXPECT_EQ(ProblemAt("/Ratio", 1e39),
            Sentences{"desc.Ratio = 1e+39 must be from -3.4028235e+38 to 3.4028235e+38, \"inf\" or "
                      "\"-inf\""});
  EXPECT_EQ(ProblemAt("/Ratio", nullptr),
            Sentences{"desc.Ratio = null must be a number, \"nan\", \"inf\" or \"-inf\""});
  EXPECT_EQ(ProblemAt("/IncludePadding", 1),
            Sentences{"desc.IncludePadding = 1 must be true or false"});
  EXPECT_EQ(ProblemAt("/Mode", "LINEER"),
            Sentences{"desc.Mode = \"LINEER\" is no DML_INTERPOLATION_MODE; did you mean LINEAR?"});
  EXPECT_EQ(ProblemAt("/Mode", 1), Sentences{"desc.Mode = 1 must be a string"});
  EXPECT_EQ(ProblemAt("/MinMaxDataType", "FLOAT23"),
            Sentences{"desc.MinMaxDataType = \"FLOAT23\" is no DML_TENSOR_DATA_TYPE; did you mean "
                      "FLOAT32?"});
}

TEST(Description, TellsEveryProblemInTheOrderOfTheFields) {
  Json dispatchable = EveryField();
  dispatchable["desc"]["Count"] = "7";
  dispatchable["desc"]["Mode"] = 0;
  dispatchable["desc"]["Ration"] = 0;
  Sentences sentences;
  Read(dispatchable, sentences);
  EXPECT_EQ(sentences, (Sentences{"desc.Ration: unknown member of EVERY_FIELD; did you mean Ratio?",
                                  "desc.Mode = 0 must be a string",
                                  "desc.Count = \"7\" must be an integer from 0 to 4294967295"}));
}

TEST(Description, LeavesTheLengthOfArraysToTheSchema) {
  const Arguments arguments = ReadWith("/WindowSize", Json({1, 2, 3}));
  const auto problems = FindProblems(arguments, FeatureLevel::k6_4);
  EXPECT_EQ(test::MessagesOf(problems),
            Sentences{"EVERY_FIELD: WindowSize has 3 entries and must have DimensionCount = 2"});
}

TEST(Description, RefusesSizesThatAreNone) {
  EXPECT_EQ(ProblemAt("/ScaleSize", {{"Width", 2}, {"Hight", 1}}),
            (Sentences{"desc.ScaleSize.Hight: unknown member of DML_SIZE_2D; did you mean Height?",
                       "desc.ScaleSize: Height is required"}));
  EXPECT_EQ(ProblemAt("/ScaleSize", {2, 3}),
            Sentences{"desc.ScaleSize = an array must be an object"});
}

TEST(Description, ReadsScaleBias) {
  const Arguments arguments = ReadWith("/ScaleBias", {{"Scale", 2}, {"Bias", "nan"}});
  EXPECT_EQ(arguments.Uints(test::kScaleBias).size(), 2u);
  EXPECT_EQ(arguments.FloatAt(test::kScaleBias, 0), 2.0f);
  EXPECT_TRUE(std::isnan(arguments.FloatAt(test::kScaleBias, 1)));
  EXPECT_EQ(ProblemAt("/ScaleBias", {{"Scale", 2}, {"Bies", 1}}),
            (Sentences{"desc.ScaleBias.Bies: unknown member of DML_SCALE_BIAS; did you mean Bias?",
                       "desc.ScaleBias: Bias is required"}));
  EXPECT_EQ(ProblemAt("/ScaleBias", nullptr), Sentences{"desc.ScaleBias = null must be an object"});
}

uint64_t Union(std::string_view type, const Json& value) {
  Json dispatchable = EveryField();
  dispatchable["desc"]["MinMaxDataType"] = type;
  dispatchable["desc"]["Min"] = value;
  dispatchable["desc"]["Max"] = 1;
  Sentences sentences;
  const auto arguments = Read(dispatchable, sentences);
  EXPECT_EQ(sentences, Sentences());
  return arguments ? arguments->Scalar(test::kMin) : 0;
}

TEST(Description, ReadsScalarUnionsByTheirType) {
  EXPECT_EQ(Union("FLOAT16", 0.1), 0x2E66u);
  EXPECT_EQ(Union("FLOAT16", "inf"), 0x7C00u);
  EXPECT_EQ(Union("FLOAT16", {{"UInt16", 0x3C00}}), 0x3C00u);
  EXPECT_EQ(Union("FLOAT32", {{"Float32", 1}}), 0x3F800000u);
  EXPECT_EQ(Union("FLOAT64", 0.1), std::bit_cast<uint64_t>(0.1));
  EXPECT_EQ(Union("UINT64", std::numeric_limits<uint64_t>::max()),
            std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(Union("INT64", {{"Int64", -1}}), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(Union("INT8", -1), 0xFFu);  // the other bytes are 0
  EXPECT_EQ(Union("UINT8", {{"UInt8", 255}}), 0xFFu);
}

TEST(Description, RefusesScalarUnionsThatDoNotFitTheirType) {
  EXPECT_EQ(ProblemAt("/Min", {{"Int32", 1}}),
            Sentences{"desc.Min.Int32: unknown member of a DML_SCALAR_UNION of FLOAT32; valid "
                      "names are Float32"});
  EXPECT_EQ(ProblemAt("/Min", Json::object()), Sentences{"desc.Min: Float32 is required"});
  EXPECT_EQ(ProblemAt("/MinMaxDataType", "UINT4"),
            (Sentences{"desc.Min = -1.5 has no meaning for the type UINT4",
                       "desc.Max = 6 has no meaning for the type UINT4"}));
  EXPECT_EQ(ProblemAt("/MinMaxDataType", "UINT8"),
            Sentences{"desc.Min = -1.5 must be an integer from 0 to 255"});
  Json dispatchable = EveryField();
  dispatchable["desc"]["MinMaxDataType"] = "FLOAT16";
  dispatchable["desc"]["Min"] = {{"UInt16", 65536}};
  dispatchable["desc"]["Max"] = 65520;
  Sentences sentences;
  Read(dispatchable, sentences);
  EXPECT_EQ(sentences,
            (Sentences{"desc.Min.UInt16 = 65536 must be an integer from 0 to 65535",
                       "desc.Max = 65520 must be from -65504 to 65504, \"inf\" or \"-inf\""}));
}

TEST(Description, TellsWhereTextIsNoJson) {
  Problems problems;
  EXPECT_FALSE(ReadDescription("{ \"type\": }", test::FindTestSchema, problems));
  EXPECT_EQ(test::MessagesOf(problems),
            Sentences{"line 1, column 11: syntax error while parsing value - unexpected '}'; "
                      "expected '[', '{', or a literal"});
}

}  // namespace
}  // namespace anydml::model
