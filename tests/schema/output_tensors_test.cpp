// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Outputs that a front end leaves out.
#include "schema/output_tensors.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "operators/registry.h"
#include "schema/interpreter.h"
#include "support/descriptions.h"
#include "support/struct_builder.h"

namespace anydml::test {
namespace {

schema::Arguments Described(std::string_view name, const Case& c) {
  const schema::OperatorSchema& schema = *FindOperator(name)->schema;
  return *Describe(schema, c, TypeAssignment(schema.fields.size(), DataType::kFloat32));
}

// Without the required outputs.
schema::Arguments LeftOut(schema::Arguments arguments) {
  for (size_t i = 0; i < arguments.schema().fields.size(); ++i) {
    const schema::Field& field = arguments.schema().fields[i];
    if (!field.is_output() || field.optional) continue;
    arguments.at(i).tensor = {};
    arguments.at(i).tensors.clear();
  }
  return arguments;
}

std::vector<uint32_t> InferredSizes(schema::Arguments arguments) {
  const schema::Problems problems = schema::CompleteOutputs(arguments, kNewestFeatureLevel);
  for (const Error& problem : problems) ADD_FAILURE() << problem.message;
  EXPECT_TRUE(schema::Validate(arguments, kNewestFeatureLevel).ok());
  const auto sizes = arguments.tensor(arguments.outputs()[0]).Sizes();
  return {sizes.begin(), sizes.end()};
}

std::string Refusal(schema::Arguments arguments) {
  const schema::Problems problems = schema::CompleteOutputs(arguments, kNewestFeatureLevel);
  return problems.empty() ? "" : problems.front().message;
}

using Sizes = std::vector<uint32_t>;

// Whether an input that is present has its type.
bool IsTied(const schema::Arguments& arguments, size_t output) {
  return std::ranges::any_of(arguments.schema().constraints, [&](const auto& constraint) {
    return constraint.kind == schema::Constraint::Kind::kSameDataType &&
           constraint.fields.Contains(output) &&
           std::ranges::any_of(arguments.inputs(), [&](size_t input) {
             return constraint.fields.Contains(arguments.FieldOf(input)) &&
                    arguments.tensor(input).present();
           });
  });
}

class EveryOperator : public testing::TestWithParam<const Definition*> {};

// Whatever is inferred is a description that the operator takes, from the arguments and
// from the struct; where nothing can be, that is the one thing that is wrong.
TEST_P(EveryOperator, IsValidWithInferredOutputs) {
  const schema::OperatorSchema& schema = *GetParam()->schema;
  for (const Case& c : GetParam()->cases) {
    for (const TypeAssignment& types : AdmittedTypes(schema)) {
      const auto packed = Describe(schema, c, types);
      if (!packed) continue;
      SCOPED_TRACE(c.name);
      schema::Arguments completed = LeftOut(*packed);
      const size_t output = packed->outputs()[0];
      const size_t field = packed->FieldOf(output);
      if (schema.fields[field].optional) continue;  // nothing is left out
      if (!schema::IsInferred(schema, field)) {
        EXPECT_EQ(Refusal(completed),
                  std::string(schema.name) + ": " + std::string(schema.fields[field].name) +
                      " is required, since its data type and sizes do not follow from the other "
                      "fields");
        continue;
      }
      const schema::Problems problems = schema::CompleteOutputs(completed, kNewestFeatureLevel);
      // Scales of a single pixel may be as large as a FLOAT can be, or infinite.
      if (!problems.empty()) {
        const std::string& message = problems.front().message;
        EXPECT_TRUE(message.ends_with("must be at most 4294967295") ||
                    message.ends_with("is required where one of Scales is infinite") ||
                    message.ends_with("is required, since there is no InputTensor") ||
                    message.find(" is no multiple of OutputCount") != std::string::npos)
            << message;
        continue;
      }
      // An output whose type no other tensor has, such as an index, gets one of those that the
      // case may have.
      if (IsTied(*packed, output)) {
        EXPECT_EQ(completed.tensor(output).data_type, packed->tensor(output).data_type);
      }
      EXPECT_FALSE(completed.tensor(output).has_strides);
      // An optional output keeps the sizes of the case, which may have been rounded up.
      const bool agrees = completed.tensor(output).sizes == packed->tensor(output).sizes;
      if (packed->outputs().size() == 1 || agrees) {
        EXPECT_TRUE(schema::Validate(completed, kNewestFeatureLevel).ok());
        const StructBuilder builder(LeftOut(*packed));
        EXPECT_TRUE(schema::ReadDescription(schema, builder.desc(), kNewestFeatureLevel,
                                            schema::AbsentOutputs::kInferred)
                        .ok());
        EXPECT_FALSE(schema::ReadDescription(schema, builder.desc(), kNewestFeatureLevel).ok());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryOperator, testing::ValuesIn(Registry()),
                         [](const auto& info) { return std::string(info.param->schema->name); });

// A list as long as the outputs are, optional ones included.
TEST_P(EveryOperator, TellsOfEveryOutput) {
  const auto packed = Describe(*GetParam()->schema, GetParam()->cases[0],
                               AdmittedTypes(*GetParam()->schema).front());
  if (!packed) GTEST_SKIP() << "the first case is of a newer version";
  const auto outputs = schema::OutputTensors(*packed);
  ASSERT_TRUE(outputs.ok());
  EXPECT_EQ(outputs.value().size(), packed->outputs().size());
}

TEST(OutputTensors, OfElementWiseOperatorsAreLikeTheInput) {
  const Case c = {"any", {{{2, 3}, {2, 3}, {2, 3}}}, {}};
  EXPECT_EQ(InferredSizes(LeftOut(Described("ACTIVATION_RELU_GRAD", c))), (Sizes{2, 3}));
  EXPECT_EQ(InferredSizes(LeftOut(Described("ELEMENT_WISE_CLIP1", c))), (Sizes{2, 3}));
}

TEST(OutputTensors, OfPoolingAreRoundedDown) {
  const Case c = {"any",
                  {{{1, 2, 7, 9}, {1, 2, 4, 4}}},
                  {{{"WindowSize", {2, 3}}, {"Strides", {2, 2}}, {"StartPadding", {1, 0}}}}};
  // (7 + 1 - 2) / 2 + 1 and (9 - 3) / 2 + 1
  EXPECT_EQ(InferredSizes(LeftOut(Described("MAX_POOLING", c))), (Sizes{1, 2, 4, 4}));
  EXPECT_EQ(InferredSizes(LeftOut(Described("MAX_POOLING2", c))), (Sizes{1, 2, 4, 4}));
  const auto outputs = schema::OutputTensors(LeftOut(Described("MAX_POOLING2", c)));
  ASSERT_EQ(outputs.value().size(), 2u);
  EXPECT_EQ(outputs.value()[1].data_type, DataType::kUint32);
  EXPECT_EQ(outputs.value()[1].sizes, outputs.value()[0].sizes);
}

TEST(OutputTensors, OfSlicesAreWhatTheStridesReach) {
  const Case slice = {"any", {{{9}, {3}}}, {{{"Sizes", {3}}, {"Strides", {4}}}}};
  EXPECT_EQ(InferredSizes(LeftOut(Described("SLICE", slice))), Sizes{3});
  const Case slice1 = {
      "any", {{{9}, {3}}}, {{{"InputWindowSizes", {8}}, {"InputWindowStrides", {-3}}}}};
  EXPECT_EQ(InferredSizes(LeftOut(Described("SLICE1", slice1))), Sizes{3});  // 1 + 7 / 3
}

TEST(OutputTensors, OfResamplingAreScaledAndRoundedDown) {
  const auto scaled = [](uint32_t size, double scale) {
    const Case c = {"any", {{{size}, {size}}}, {{{"Scales", {scale}}}}};
    return InferredSizes(LeftOut(Described("RESAMPLE2", c)))[0];
  };
  EXPECT_EQ(scaled(5, 2), 10u);
  EXPECT_EQ(scaled(5, 0.5), 2u);
  EXPECT_EQ(scaled(3, 0.1), 1u);   // at least one element
  EXPECT_EQ(scaled(10, 0.7), 7u);  // although 0.7f is less than 0.7
  EXPECT_EQ(scaled(7, 31.0 / 7), 31u);
  EXPECT_EQ(scaled(10, 0.69999), 6u);
}

TEST(OutputTensors, TellWhatIsWrongWithTheRest) {
  const Case wide = {"any", {{{1, 1, 4, 4}, {1, 1, 1, 1}}}, {{{"WindowSize", {5, 1}}}}};
  EXPECT_EQ(Refusal(LeftOut(Described("MAX_POOLING", wide))),
            "MAX_POOLING: WindowSize[0] = 5 spans 5 elements and must span at most "
            "InputTensor.Sizes[2] + StartPadding[0] + EndPadding[0] = 4");
  const Case still = {
      "any", {{{9}, {3}}}, {{{"InputWindowSizes", {8}}, {"InputWindowStrides", {0}}}}};
  EXPECT_EQ(Refusal(LeftOut(Described("SLICE1", still))),
            "SLICE1: InputWindowStrides = {0} must not be 0 in any entry");
  const Case huge = {"any", {{{4000}, {1}}}, {{{"Scales", {3e38}}}}};
  EXPECT_EQ(Refusal(LeftOut(Described("RESAMPLE", huge))),
            "RESAMPLE: OutputTensor.Sizes[0] = 1099511627777 must be at most 4294967295");
  const Case far = {"any",
                    {{{1, 1, 3}, {1, 1, 1}, {}, {1, 1, 1}}},
                    {{{"Direction", {1}}, {"Strides", {4294967295.0}}}}};
  EXPECT_EQ(Refusal(LeftOut(Described("CONVOLUTION", far))),
            "CONVOLUTION: OutputTensor.Sizes[2] = 8589934591 must be at most 4294967295");
  const Case empty = {"any", {{{0, 3}, {2, 3}}}, {}};
  EXPECT_EQ(Refusal(LeftOut(Described("ACTIVATION_RELU", empty))),
            "ACTIVATION_RELU: InputTensor.Sizes = {0, 3} must be at least 1 in every dimension");
}

TEST(OutputTensors, AreRequiredInAWordWhereAStructLeavesThemOut) {
  const Case c = {"any", {{{4}, {9}}}, {{{"InputWindowSizes", {4}}}}};
  const StructBuilder builder(LeftOut(Described("SLICE_GRAD", c)));
  const auto read = schema::ReadDescription(*FindOperator("SLICE_GRAD")->schema, builder.desc(),
                                            kNewestFeatureLevel, schema::AbsentOutputs::kInferred);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message,
            "SLICE_GRAD: OutputGradientTensor must not be null, since its data type and sizes do "
            "not follow from the other fields");
}

}  // namespace
}  // namespace anydml::test
