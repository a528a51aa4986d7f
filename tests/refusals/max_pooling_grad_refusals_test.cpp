// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What MAX_POOLING_GRAD refuses, and in which words.
#include <gtest/gtest.h>

#include "operators/registry.h"
#include "support/pooling.h"
#include "support/run.h"

namespace anydml::test {
namespace {

std::string Refuse(const DML_TENSOR_DESC* x, const DML_TENSOR_DESC* dy, const DML_TENSOR_DESC* dx,
                   const Window& window, const DeviceOptions& options = {}) {
  const auto desc = MaxPoolingGrad(x, dy, dx, window);
  return test::Refuse(DML_OPERATOR_MAX_POOLING_GRAD, &desc, options);
}

std::string Refuse(const Uints& x_sizes, const Uints& dy_sizes, const Window& window,
                   const DeviceOptions& options = {}) {
  const Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, Full(x_sizes));
  const Tensor dy(DML_TENSOR_DATA_TYPE_FLOAT32, Full(dy_sizes));
  return Refuse(x, dy, x, window, options);
}

// MG-08, P7
TEST(MaxPoolingGradRefusals, RefusesSizesOtherThanFloorAndCeil) {
  const Window window = {.size = {1, 2}, .strides = {1, 2}};
  EXPECT_EQ(Refuse({1, 3}, {1, 3}, window),
            "MAX_POOLING_GRAD: InputGradientTensor.Sizes[3] = 3 must be 1 or 2 = (3 - 2) / 2 + 1 "
            "rounded down or up");
  EXPECT_EQ(Refuse({1, 3}, {1, 3}, {.size = {1, 2}}),
            "MAX_POOLING_GRAD: InputGradientTensor.Sizes[3] = 3 must be 2 = (3 - 2) / 1 + 1");
}

// MG-12: P6, with the dilated span of B15.
TEST(MaxPoolingGradRefusals, RefusesAWindowLargerThanThePaddedInput) {
  EXPECT_EQ(Refuse({1, 2}, {1, 1}, {.size = {1, 2}, .dilations = {1, 2}}),
            "MAX_POOLING_GRAD: WindowSize[1] = 2 with Dilations[1] = 2 spans 3 elements and must "
            "span at most InputTensor.Sizes[3] + StartPadding[1] + EndPadding[1] = 2");
  EXPECT_EQ(Refuse({2, 2}, {1, 1}, {.size = {0xFFFFFFFF, 1}, .dilations = {0xFFFFFFFF, 1}}),
            "MAX_POOLING_GRAD: WindowSize[0] = 4294967295 with Dilations[0] = 4294967295 spans "
            "18446744060824649731 elements and must span at most InputTensor.Sizes[2] + "
            "StartPadding[0] + EndPadding[0] = 2");
}

// MG-12: P4
TEST(MaxPoolingGradRefusals, RefusesZeroWindowStrideAndDilation) {
  EXPECT_EQ(Refuse({2, 2}, {1, 1}, {.size = {0, 2}}),
            "MAX_POOLING_GRAD: WindowSize = {0, 2} must be at least 1 in every entry");
  EXPECT_EQ(Refuse({2, 2}, {1, 1}, {.size = {2, 2}, .strides = {1, 0}}),
            "MAX_POOLING_GRAD: Strides = {1, 0} must be at least 1 in every entry");
  EXPECT_EQ(Refuse({2, 2}, {1, 1}, {.size = {2, 2}, .dilations = {0, 1}}),
            "MAX_POOLING_GRAD: Dilations = {0, 1} must be at least 1 in every entry");
}

// MG-12: P3, T12
TEST(MaxPoolingGradRefusals, RefusesArraysOfAnotherSpatialCount) {
  EXPECT_EQ(Refuse({1, 1, 2, 2, 2}, {1, 1, 1, 1, 1}, {.size = {2, 2}}),
            "MAX_POOLING_GRAD: DimensionCount = 2 must equal InputTensor.DimensionCount - 2 = 3");
  const Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 2, 2});
  const Tensor dy(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 1, 1});
  const Window window = {.size = {2, 2}};
  auto desc = MaxPoolingGrad(x, dy, x, window);
  desc.Dilations = nullptr;
  EXPECT_EQ(test::Refuse(DML_OPERATOR_MAX_POOLING_GRAD, &desc),
            "MAX_POOLING_GRAD: Dilations must not be null");
}

// MG-12: P0, P9
TEST(MaxPoolingGradRefusals, RefusesOtherDataTypes) {
  const Window window = {.size = {2, 2}};
  const Tensor integers(DML_TENSOR_DATA_TYPE_INT32, {1, 1, 2, 2});
  const Tensor floats(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 2, 2});
  const Tensor half_dy(DML_TENSOR_DATA_TYPE_FLOAT16, {1, 1, 1, 1});
  EXPECT_EQ(Refuse(integers, integers, integers, window),
            "MAX_POOLING_GRAD: InputTensor.DataType = INT32 must be FLOAT32 or FLOAT16");
  EXPECT_EQ(Refuse(floats, half_dy, floats, window),
            "MAX_POOLING_GRAD: InputGradientTensor.DataType = FLOAT16 must equal "
            "InputTensor.DataType = FLOAT32");
}

// MG-12: P5
TEST(MaxPoolingGradRefusals, RefusesAnotherBatchOrChannelCount) {
  EXPECT_EQ(Refuse({2, 2}, {2, 1, 1, 1}, {.size = {2, 2}}),
            "MAX_POOLING_GRAD: InputGradientTensor.Sizes[0] = 2 must equal InputTensor.Sizes[0] = "
            "1");
  EXPECT_EQ(Refuse({1, 3, 2, 2}, {1, 1}, {.size = {2, 2}}),
            "MAX_POOLING_GRAD: InputGradientTensor.Sizes[1] = 1 must equal InputTensor.Sizes[1] = "
            "3");
}

// P2, P8
TEST(MaxPoolingGradRefusals, RefusesTensorsThatDisagree) {
  const Window window = {.size = {2, 2}};
  const Tensor five(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 5, 5});
  const Tensor four(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 4, 4});
  const Tensor volume(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 1, 4, 4});
  EXPECT_EQ(Refuse(five, four, four, window),
            "MAX_POOLING_GRAD: OutputGradientTensor.Sizes = {1, 1, 4, 4} must equal "
            "InputTensor.Sizes = {1, 1, 5, 5}");
  EXPECT_EQ(Refuse(five, volume, five, window),
            "MAX_POOLING_GRAD: InputGradientTensor.DimensionCount = 5 must equal "
            "InputTensor.DimensionCount = 4");
}

// P1 and the page's rows: volumes came with 4_0, the operator with 3_0. The
// page's "the only valid value is 2" is older than its table (B24).
TEST(MaxPoolingGradRefusals, NamesTheFeatureLevelThatHasVolumes) {
  const Window volume = {.size = {1, 1, 1}}, image = {.size = {1, 1}};
  const Uints five = {1, 1, 1, 1, 1}, four = {1, 1};
  EXPECT_EQ(Refuse(five, five, volume, {.feature_level = FeatureLevel::k3_1}),
            "MAX_POOLING_GRAD: InputTensor.DimensionCount = 5 needs feature level 4_0 or above; "
            "this device has 3_1");
  EXPECT_EQ(Refuse(five, five, volume, {.feature_level = FeatureLevel::k4_0}), "");
  EXPECT_EQ(Refuse(four, four, image, {.feature_level = FeatureLevel::k3_0}), "");
  EXPECT_EQ(
      Refuse(four, four, image, {.feature_level = FeatureLevel::k2_1}),
      "MAX_POOLING_GRAD: this operator needs feature level 3_0 or above; this device has 2_1");
  EXPECT_EQ(Refuse({1, 1, 1}, {1, 1, 1}, {.size = {1}}),
            "MAX_POOLING_GRAD: InputTensor.DimensionCount = 3 must be 4 to 5");
}

// P10, B23
TEST(MaxPoolingGradRefusals, DoesNotRunInPlace) {
  EXPECT_TRUE(FindOperator(DML_OPERATOR_MAX_POOLING_GRAD)->schema->in_place.empty());
}

}  // namespace
}  // namespace anydml::test
