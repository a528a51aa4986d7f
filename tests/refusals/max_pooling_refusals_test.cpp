// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What MAX_POOLING, MAX_POOLING1 and MAX_POOLING2 refuse, and in which words.
#include <gtest/gtest.h>

#include "operators/registry.h"
#include "support/pooling.h"
#include "support/run.h"

namespace anydml::test {
namespace {

std::string Refuse0(const DML_TENSOR_DESC* input, const DML_TENSOR_DESC* output,
                    const Window& window, FeatureLevel level = kNewestFeatureLevel) {
  const auto desc = MaxPooling(input, output, window);
  return test::Refuse(DML_OPERATOR_MAX_POOLING, &desc, {.feature_level = level});
}

std::string Refuse1(const DML_TENSOR_DESC* input, const DML_TENSOR_DESC* output,
                    const DML_TENSOR_DESC* indices, const Window& window,
                    FeatureLevel level = kNewestFeatureLevel) {
  const auto desc = MaxPooling1(input, output, indices, window);
  return test::Refuse(DML_OPERATOR_MAX_POOLING1, &desc, {.feature_level = level});
}

std::string Refuse2(const DML_TENSOR_DESC* input, const DML_TENSOR_DESC* output,
                    const DML_TENSOR_DESC* indices, const Window& window,
                    FeatureLevel level = kNewestFeatureLevel) {
  const auto desc = MaxPooling2(input, output, indices, window);
  return test::Refuse(DML_OPERATOR_MAX_POOLING2, &desc, {.feature_level = level});
}

// P6: without a Dilations field the sentence does not speak of one.
TEST(MaxPoolingRefusals, RefusesAWindowLargerThanThePaddedInput) {
  const Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 2, 2});
  const Tensor y(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 1, 1});
  EXPECT_EQ(Refuse0(x, y, {.size = {4, 2}, .start = {1, 0}}),
            "MAX_POOLING: WindowSize[0] = 4 spans 4 elements and must span at most "
            "InputTensor.Sizes[2] + StartPadding[0] + EndPadding[0] = 3");
  EXPECT_EQ(Refuse2(x, y, nullptr, {.size = {2, 2}, .dilations = {1, 2}}),
            "MAX_POOLING2: WindowSize[1] = 2 with Dilations[1] = 2 spans 3 elements and must span "
            "at most InputTensor.Sizes[3] + StartPadding[1] + EndPadding[1] = 2");
}

// P5, P7
TEST(MaxPoolingRefusals, RefusesOutputsOfAnotherSize) {
  const Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 1, 4, 4});
  const Tensor y(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 1, 3, 4});
  const Tensor batch(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 3, 3});
  EXPECT_EQ(Refuse1(x, y, nullptr, {.size = {2, 2}}),
            "MAX_POOLING1: OutputTensor.Sizes[3] = 4 must be 3 = (4 - 2) / 1 + 1");
  EXPECT_EQ(Refuse1(x, y, nullptr, {.size = {2, 1}, .strides = {1, 2}}),
            "MAX_POOLING1: OutputTensor.Sizes[3] = 4 must be 2 or 3 = (4 - 1) / 2 + 1 rounded down "
            "or up");
  EXPECT_EQ(Refuse0(x, batch, {.size = {2, 2}}),
            "MAX_POOLING: OutputTensor.Sizes[0] = 1 must equal InputTensor.Sizes[0] = 2");
}

// P4, P3, T12
TEST(MaxPoolingRefusals, RefusesArraysThatDescribeNoWindow) {
  const Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 2, 2});
  const Tensor y(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 1, 1});
  EXPECT_EQ(Refuse0(x, y, {.size = {2, 0}}),
            "MAX_POOLING: WindowSize = {2, 0} must be at least 1 in every entry");
  EXPECT_EQ(Refuse1(x, y, nullptr, {.size = {2, 2}, .strides = {0, 1}}),
            "MAX_POOLING1: Strides = {0, 1} must be at least 1 in every entry");
  EXPECT_EQ(Refuse2(x, y, nullptr, {.size = {2, 2}, .dilations = {0, 1}}),
            "MAX_POOLING2: Dilations = {0, 1} must be at least 1 in every entry");
  EXPECT_EQ(Refuse0(x, y, {.size = {1, 2, 2}}),
            "MAX_POOLING: DimensionCount = 3 must equal InputTensor.DimensionCount - 2 = 2");
  const Window window = {.size = {2, 2}};
  auto desc = MaxPooling2(x, y, nullptr, window);
  desc.Dilations = nullptr;
  EXPECT_EQ(test::Refuse(DML_OPERATOR_MAX_POOLING2, &desc),
            "MAX_POOLING2: Dilations must not be null");
}

// P0, P2, and the field text of OutputIndicesTensor.
TEST(MaxPoolingRefusals, RefusesTensorsThatDisagree) {
  const Window window = {.size = {2, 2}};
  const Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 3, 3});
  const Tensor y(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 2, 2});
  const Tensor half(DML_TENSOR_DATA_TYPE_FLOAT16, {1, 1, 2, 2});
  const Tensor volume(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 1, 2, 2});
  const Tensor indices(DML_TENSOR_DATA_TYPE_UINT32, {1, 1, 2, 3});
  const Tensor more_indices(DML_TENSOR_DATA_TYPE_UINT32, {1, 1, 1, 2, 2});
  EXPECT_EQ(Refuse0(x, half, window),
            "MAX_POOLING: OutputTensor.DataType = FLOAT16 must equal InputTensor.DataType = "
            "FLOAT32");
  EXPECT_EQ(Refuse0(x, volume, window),
            "MAX_POOLING: OutputTensor.DimensionCount = 5 must equal InputTensor.DimensionCount = "
            "4");
  EXPECT_EQ(Refuse1(x, y, more_indices, window),
            "MAX_POOLING1: OutputIndicesTensor.DimensionCount = 5 must equal "
            "InputTensor.DimensionCount = 4");
  EXPECT_EQ(Refuse2(x, y, indices, window),
            "MAX_POOLING2: OutputIndicesTensor.Sizes = {1, 1, 2, 3} must equal OutputTensor.Sizes "
            "= {1, 1, 2, 2}");
}

TEST(MaxPoolingRefusals, RefusesTypesAndDimensionCountsOutsideItsTables) {
  const Window window = {.size = {1, 1}};
  const Tensor doubles(DML_TENSOR_DATA_TYPE_FLOAT64, {1, 1, 1, 1});
  const Tensor floats(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 1, 1});
  const Tensor signed_indices(DML_TENSOR_DATA_TYPE_INT32, {1, 1, 1, 1});
  const Tensor plane(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 1});
  EXPECT_EQ(Refuse0(doubles, doubles, window),
            "MAX_POOLING: InputTensor.DataType = FLOAT64 must be FLOAT32, FLOAT16, UINT32, UINT16, "
            "UINT8, INT32, INT16, INT8, UINT64 or INT64");
  EXPECT_EQ(Refuse1(floats, floats, signed_indices, window),
            "MAX_POOLING1: OutputIndicesTensor.DataType = INT32 must be UINT32 or UINT64");
  EXPECT_EQ(Refuse2(plane, plane, nullptr, {.size = {1}}),
            "MAX_POOLING2: InputTensor.DimensionCount = 3 must be 4 to 5");
}

// The pages' rows: 8-bit integers came with 3_0, the others with 5_0. Volumes
// were there from the start, unlike those of the gradient.
TEST(MaxPoolingRefusals, NamesTheFeatureLevelThatHasTheType) {
  const Window window = {.size = {1, 1}}, volume = {.size = {1, 1, 1}};
  const Tensor floats(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 1, 1});
  const Tensor five(DML_TENSOR_DATA_TYPE_FLOAT16, {1, 1, 1, 1, 1});
  const Tensor bytes(DML_TENSOR_DATA_TYPE_UINT8, {1, 1, 1, 1});
  const Tensor words(DML_TENSOR_DATA_TYPE_INT16, {1, 1, 1, 1});
  EXPECT_EQ(Refuse0(five, five, volume, FeatureLevel::k1_0), "");
  EXPECT_EQ(Refuse0(bytes, bytes, window, FeatureLevel::k2_1),
            "MAX_POOLING: InputTensor.DataType = UINT8 needs feature level 3_0 or above; this "
            "device has 2_1");
  EXPECT_EQ(Refuse0(bytes, bytes, window, FeatureLevel::k3_0), "");
  EXPECT_EQ(Refuse1(words, words, nullptr, window, FeatureLevel::k4_1),
            "MAX_POOLING1: InputTensor.DataType = INT16 needs feature level 5_0 or above; this "
            "device has 4_1");
  EXPECT_EQ(Refuse1(words, words, nullptr, window, FeatureLevel::k5_0), "");
  EXPECT_EQ(Refuse2(bytes, bytes, nullptr, window, FeatureLevel::k3_0), "");
  EXPECT_EQ(Refuse2(words, words, nullptr, window, FeatureLevel::k5_0), "");
  EXPECT_EQ(Refuse1(floats, floats, nullptr, window, FeatureLevel::k1_0),
            "MAX_POOLING1: this operator needs feature level 2_0 or above; this device has 1_0");
  EXPECT_EQ(Refuse1(floats, floats, nullptr, window, FeatureLevel::k2_0), "");
  EXPECT_EQ(Refuse2(floats, floats, nullptr, window, FeatureLevel::k2_0),
            "MAX_POOLING2: this operator needs feature level 2_1 or above; this device has 2_0");
  EXPECT_EQ(Refuse2(floats, floats, nullptr, window, FeatureLevel::k2_1), "");
}

TEST(MaxPoolingRefusals, NamesTheFeatureLevelThatHas64BitIndices) {
  const Window window = {.size = {1, 1}};
  const Tensor floats(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 1, 1});
  const Tensor narrow(DML_TENSOR_DATA_TYPE_UINT32, {1, 1, 1, 1});
  const Tensor wide(DML_TENSOR_DATA_TYPE_UINT64, {1, 1, 1, 1});
  EXPECT_EQ(Refuse1(floats, floats, narrow, window, FeatureLevel::k2_0), "");
  EXPECT_EQ(Refuse2(floats, floats, narrow, window, FeatureLevel::k3_0), "");
  EXPECT_EQ(Refuse1(floats, floats, wide, window, FeatureLevel::k4_1),
            "MAX_POOLING1: OutputIndicesTensor.DataType = UINT64 needs feature level 5_0 or above; "
            "this device has 4_1");
  EXPECT_EQ(Refuse2(floats, floats, wide, window, FeatureLevel::k4_1),
            "MAX_POOLING2: OutputIndicesTensor.DataType = UINT64 needs feature level 5_0 or above; "
            "this device has 4_1");
  EXPECT_EQ(Refuse2(floats, floats, wide, window, FeatureLevel::k5_0), "");
}

// B23
TEST(MaxPoolingRefusals, DoesNotRunInPlace) {
  for (uint32_t type :
       {DML_OPERATOR_MAX_POOLING, DML_OPERATOR_MAX_POOLING1, DML_OPERATOR_MAX_POOLING2}) {
    EXPECT_TRUE(FindOperator(type)->schema->in_place.empty());
  }
}

}  // namespace
}  // namespace anydml::test
