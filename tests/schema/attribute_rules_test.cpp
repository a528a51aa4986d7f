// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Arrays (T12), enumerations (T13), counts and the vocabulary of constraints,
// each with its sentence, on a made-up operator that has a field of every kind.
#include <directml.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

#include "schema/interpreter.h"
#include "support/run.h"

namespace anydml::schema {
namespace {

struct ExampleDesc {
  const DML_TENSOR_DESC* InputTensor;
  const DML_TENSOR_DESC* OutputTensor;
  const DML_TENSOR_DESC* OutputIndicesTensor;
  UINT InterpolationMode;
  UINT RoundingDirection;
  UINT DimensionCount;
  const FLOAT* Scales;
  const FLOAT* Offsets;
  const INT* Strides;
  const UINT* WindowSize;
  const DML_SCALE_BIAS* ScaleBias;
  UINT MinMaxDataType;
  DML_SCALAR_UNION Min;
  DML_SIZE_2D ScaleSize;
};

enum Fields {
  kInput,
  kOutput,
  kOutputIndices,
  kMode,
  kDirection,
  kCount,
  kScales,
  kOffsets,
  kStrides,
  kWindowSize,
  kScaleBias,
  kMinMaxDataType,
  kMin,
  kScaleSize
};

constexpr Field kFields[] = {
    Input("InputTensor", offsetof(ExampleDesc, InputTensor)),
    Output("OutputTensor", offsetof(ExampleDesc, OutputTensor)),
    OptionalOutput("OutputIndicesTensor", offsetof(ExampleDesc, OutputIndicesTensor)),
    Enum("InterpolationMode", offsetof(ExampleDesc, InterpolationMode), kInterpolationMode),
    Enum("RoundingDirection", offsetof(ExampleDesc, RoundingDirection), kAxisDirection),
    DimensionCount("DimensionCount", offsetof(ExampleDesc, DimensionCount), kInput, 2),
    Array(FieldType::kFloatArray, "Scales", offsetof(ExampleDesc, Scales), kCount),
    Array(FieldType::kFloatArray, "Offsets", offsetof(ExampleDesc, Offsets), kCount),
    Array(FieldType::kIntArray, "Strides", offsetof(ExampleDesc, Strides), kCount),
    Array(FieldType::kUintArray, "WindowSize", offsetof(ExampleDesc, WindowSize), kCount),
    ScaleBias("ScaleBias", offsetof(ExampleDesc, ScaleBias)),
    DataTypeOf("MinMaxDataType", offsetof(ExampleDesc, MinMaxDataType), kInput),
    ScalarUnion("Min", offsetof(ExampleDesc, Min), kMinMaxDataType),
    Size2D("ScaleSize", offsetof(ExampleDesc, ScaleSize)),
};

constexpr TensorSupport kSupport[] = {
    {FeatureLevel::k2_1, {4, 4}, {DataType::kFloat32}, {kInput, kOutput}},
    {FeatureLevel::k4_0, {3, 5}, {DataType::kFloat32, DataType::kInt8}, {kInput, kOutput}},
    {FeatureLevel::k2_1, {3, 5}, {DataType::kUint32}, {kOutputIndices}},
};

constexpr Constraint kConstraints[] = {
    SameDataType({kInput, kOutput}),
    SameDimensionCount({kInput, kOutput, kOutputIndices}),
    SameSizes({kOutput, kOutputIndices}),
    Positive({kScales}),
    Finite({kOffsets}),
    NotZero({kStrides}),
    AtLeastOne({kWindowSize, kScaleSize}),
};

Status FirstWindowIsNotThirteen(const Arguments& arguments) {
  if (arguments.Uints(kWindowSize)[0] != 13) return {};
  return arguments.Fail("WindowSize = 13 brings bad luck");
}

constexpr OperatorSchema kSchema = {.name = "EXAMPLE",
                                    .type = 0,
                                    .level = FeatureLevel::k2_1,
                                    .struct_size = sizeof(ExampleDesc),
                                    .fields = kFields,
                                    .support = kSupport,
                                    .constraints = kConstraints,
                                    .in_place = {},
                                    .rule = FirstWindowIsNotThirteen};

// A description that is valid until a test spoils a part of it.
class AttributeRules : public testing::Test {
 protected:
  Result<Arguments> Read(FeatureLevel level = kNewestFeatureLevel) const {
    return ReadDescription(kSchema, &desc, level);
  }
  std::string Refusal(FeatureLevel level = kNewestFeatureLevel) const {
    const Result<Arguments> arguments = Read(level);
    return arguments.ok() ? "" : arguments.error().message;
  }

  test::Tensor input{DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 4, 4}};
  test::Tensor output{DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 2, 2}};
  test::Tensor indices{DML_TENSOR_DATA_TYPE_UINT32, {1, 1, 2, 2}};
  FLOAT scales[2] = {2, 0.5f};
  FLOAT offsets[2] = {0.5f, -0.5f};
  INT strides[2] = {1, -2};
  UINT window_size[2] = {3, 4294967295};
  DML_SCALE_BIAS scale_bias = {2, 3};
  ExampleDesc desc = {input,   output,  indices,     1,       0, 2,  scales,
                      offsets, strides, window_size, nullptr, 1, {}, {5, 7}};
};

TEST_F(AttributeRules, ReadsEveryKindOfField) {
  desc.ScaleBias = &scale_bias;
  desc.Min.UInt64 = 0x0123456789ABCDEF;
  const Result<Arguments> arguments = Read();
  ASSERT_TRUE(arguments.ok()) << arguments.error().message;
  const Arguments& read = arguments.value();
  EXPECT_EQ(read.Uint(kMode), 1u);
  EXPECT_EQ(read.Uint(kDirection), 0u);
  EXPECT_EQ(read.Uint(kCount), 2u);
  EXPECT_EQ(read.FloatAt(kScales, 1), 0.5f);
  EXPECT_EQ(read.FloatAt(kOffsets, 1), -0.5f);
  EXPECT_EQ(read.IntAt(kStrides, 1), -2);
  EXPECT_EQ(read.Uints(kWindowSize)[1], 4294967295u);
  EXPECT_EQ(read.Uints(kWindowSize).size(), 2u);
  EXPECT_EQ(read.FloatAt(kScaleBias, 0), 2.0f);
  EXPECT_EQ(read.FloatAt(kScaleBias, 1), 3.0f);
  EXPECT_EQ(read.Scalar(kMin), 0x0123456789ABCDEFu);
  EXPECT_EQ(read.Uints(kScaleSize).size(), 2u);
  EXPECT_EQ(read.Uints(kScaleSize)[0], 5u);  // Width
  EXPECT_EQ(read.Uints(kScaleSize)[1], 7u);
  EXPECT_TRUE(read.tensor(kOutputIndices).present());
}

TEST_F(AttributeRules, OptionalFieldsMayBeNull) {
  desc.OutputIndicesTensor = nullptr;
  const Result<Arguments> arguments = Read();
  ASSERT_TRUE(arguments.ok()) << arguments.error().message;
  EXPECT_FALSE(arguments.value().tensor(kOutputIndices).present());
  EXPECT_FALSE(arguments.value().IsPresent(kScaleBias));
}

TEST_F(AttributeRules, RefusesASizeWithAZero) {
  desc.ScaleSize.Height = 0;
  EXPECT_EQ(Refusal(), "EXAMPLE: ScaleSize = {5, 0} must be at least 1 in every entry");
}

TEST_F(AttributeRules, T12_RefusesNullArrays) {
  desc.Scales = nullptr;
  EXPECT_EQ(Refusal(), "EXAMPLE: Scales must not be null");
  desc.Scales = scales;
  desc.Strides = nullptr;
  EXPECT_EQ(Refusal(), "EXAMPLE: Strides must not be null");
  desc.Strides = strides;
  desc.WindowSize = nullptr;
  EXPECT_EQ(Refusal(), "EXAMPLE: WindowSize must not be null");
}

TEST_F(AttributeRules, T13_RefusesEnumeratorsThatAreNotDefined) {
  desc.InterpolationMode = 2;
  EXPECT_EQ(Refusal(), "EXAMPLE: InterpolationMode = 2 must be NEAREST_NEIGHBOR (0) or LINEAR (1)");
  desc.InterpolationMode = 0xFFFFFFFF;
  EXPECT_EQ(Refusal(),
            "EXAMPLE: InterpolationMode = 4294967295 must be NEAREST_NEIGHBOR (0) or LINEAR (1)");
}

// The mode is LINEAR, which has no use for a direction.
TEST_F(AttributeRules, T13_RefusesUndefinedEnumeratorsThatTheModeIgnores) {
  desc.RoundingDirection = 2;
  EXPECT_EQ(Refusal(), "EXAMPLE: RoundingDirection = 2 must be INCREASING (0) or DECREASING (1)");
}

// Arrays are read by the count, so a wild count must be told before.
TEST_F(AttributeRules, RefusesACountThatDisagreesWithItsTensorBeforeReadingArrays) {
  for (UINT count : {0u, 1u, 3u, 0xFFFFFFFEu, 0xFFFFFFFFu}) {
    desc.DimensionCount = count;
    EXPECT_EQ(Refusal(), "EXAMPLE: DimensionCount = " + std::to_string(count) +
                             " must equal InputTensor.DimensionCount - 2 = 2");
  }
}

TEST_F(AttributeRules, RefusesADataTypeFieldThatDisagreesWithItsTensor) {
  desc.MinMaxDataType = 6;
  EXPECT_EQ(Refusal(), "EXAMPLE: MinMaxDataType = INT32 must equal InputTensor.DataType = FLOAT32");
  desc.MinMaxDataType = 99;
  EXPECT_EQ(Refusal(), "EXAMPLE: MinMaxDataType = 99 must equal InputTensor.DataType = FLOAT32");
}

TEST_F(AttributeRules, RefusesScalesThatAreNotPositive) {
  for (auto [value, text] :
       {std::pair{0.0f, "0"}, {-1.0f, "-1"}, {-INFINITY, "-inf"}, {std::nanf(""), "nan"}}) {
    scales[1] = value;
    EXPECT_EQ(Refusal(), std::string("EXAMPLE: Scales = {2, ") + text +
                             "} must be greater than 0 in every entry");
  }
  for (float value : {1e-45f, INFINITY}) {  // a subnormal is greater than 0 too
    scales[1] = value;
    EXPECT_EQ(Refusal(), "");
  }
}

TEST_F(AttributeRules, RefusesOffsetsThatAreNotFinite) {
  offsets[0] = -INFINITY;
  EXPECT_EQ(Refusal(), "EXAMPLE: Offsets = {-inf, -0.5} must be finite in every entry");
}

TEST_F(AttributeRules, RefusesZeroStridesAndZeroWindows) {
  strides[0] = 0;
  EXPECT_EQ(Refusal(), "EXAMPLE: Strides = {0, -2} must not be 0 in any entry");
  strides[0] = INT32_MIN;
  window_size[0] = 0;
  EXPECT_EQ(Refusal(), "EXAMPLE: WindowSize = {0, 4294967295} must be at least 1 in every entry");
}

TEST_F(AttributeRules, RefusesTensorsThatDisagree) {
  const test::Tensor bytes(DML_TENSOR_DATA_TYPE_INT8, {1, 1, 2, 2});
  desc.OutputTensor = bytes;
  EXPECT_EQ(Refusal(),
            "EXAMPLE: OutputTensor.DataType = INT8 must equal InputTensor.DataType = FLOAT32");
  const test::Tensor volume(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 1, 2, 2});
  desc.OutputTensor = volume;
  EXPECT_EQ(Refusal(),
            "EXAMPLE: OutputTensor.DimensionCount = 5 must equal "
            "InputTensor.DimensionCount = 4");
  desc.OutputTensor = output;
  const test::Tensor wide(DML_TENSOR_DATA_TYPE_UINT32, {1, 1, 2, 3});
  desc.OutputIndicesTensor = wide;
  EXPECT_EQ(Refusal(),
            "EXAMPLE: OutputIndicesTensor.Sizes = {1, 1, 2, 3} must equal "
            "OutputTensor.Sizes = {1, 1, 2, 2}");
}

// The operator's own rule may rely on everything else.
TEST_F(AttributeRules, RunsTheOperatorsOwnRuleLast) {
  window_size[0] = 13;
  EXPECT_EQ(Refusal(), "EXAMPLE: WindowSize = 13 brings bad luck");
  strides[0] = 0;
  EXPECT_EQ(Refusal(), "EXAMPLE: Strides = {0, -2} must not be 0 in any entry");
}

TEST_F(AttributeRules, TakesTheSupportRowOfTheDevicesLevelForEachTensor) {
  EXPECT_EQ(Refusal(FeatureLevel::k2_1), "");
  EXPECT_EQ(Refusal(FeatureLevel::k3_1), "");
  const test::Tensor bytes(DML_TENSOR_DATA_TYPE_INT8, {1, 1, 4, 4});
  desc.InputTensor = bytes;
  EXPECT_EQ(Refusal(FeatureLevel::k3_1),
            "EXAMPLE: InputTensor.DataType = INT8 needs feature level 4_0 or above; this device "
            "has 3_1");
  const test::Tensor volume(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 1, 4, 4});
  desc.InputTensor = volume;
  EXPECT_EQ(Refusal(FeatureLevel::k3_1),
            "EXAMPLE: InputTensor.DimensionCount = 5 needs feature level 4_0 or above; this "
            "device has 3_1");
  const test::Tensor flat(DML_TENSOR_DATA_TYPE_FLOAT32, {4, 4});
  desc.InputTensor = flat;
  EXPECT_EQ(Refusal(), "EXAMPLE: InputTensor.DimensionCount = 2 must be 3 to 5");
  const test::Tensor long_indices(DML_TENSOR_DATA_TYPE_UINT64, {1, 1, 2, 2});
  desc.InputTensor = input;
  desc.OutputIndicesTensor = long_indices;
  EXPECT_EQ(Refusal(), "EXAMPLE: OutputIndicesTensor.DataType = UINT64 must be UINT32");
}

// What a struct cannot get wrong and text can.
TEST_F(AttributeRules, ValidatesArgumentsThatCameFromElsewhere) {
  Result<Arguments> arguments = Read();
  ASSERT_TRUE(arguments.ok());
  arguments.value().at(kScales).count = 1;
  EXPECT_EQ(Validate(arguments.value(), kNewestFeatureLevel).error().message,
            "EXAMPLE: Scales has 1 entries and must have DimensionCount = 2");
  Result<Arguments> without_input = Read();
  without_input.value().at(kInput).tensor = {};
  EXPECT_EQ(Validate(without_input.value(), kNewestFeatureLevel).error().message,
            "EXAMPLE: InputTensor is required");
}

}  // namespace
}  // namespace anydml::schema
