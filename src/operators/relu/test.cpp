// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about ACTIVATION_RELU: every sentence of its page, and B1, B4.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "support/run.h"

namespace anydml::relu {
namespace {

using test::In;
using test::Tensor;

template <typename T>
std::vector<T> Relu(DML_TENSOR_DATA_TYPE type, const std::vector<T>& x) {
  const Tensor tensor(type, {static_cast<UINT>(x.size())});
  const DML_ACTIVATION_RELU_OPERATOR_DESC desc = {tensor, tensor};
  return test::RunOn<T>(DML_OPERATOR_ACTIVATION_RELU, &desc, {In(x)}, x.size());
}

std::string RefuseRelu(const DML_TENSOR_DESC* x, const DML_TENSOR_DESC* y,
                       const DeviceOptions& options = {}) {
  const DML_ACTIVATION_RELU_OPERATOR_DESC desc = {x, y};
  return test::Refuse(DML_OPERATOR_ACTIVATION_RELU, &desc, options);
}

// f(x) = max(0, x); bits, because -0.0 becomes +0.0 (B4) and subnormals stay (B25).
TEST(Relu, GivesTheLargerOfZeroAndX) {
  EXPECT_EQ(Relu<uint32_t>(DML_TENSOR_DATA_TYPE_FLOAT32,
                           {0xBF800000, 0x80000000, 0x00000000, 0x00000001, 0x80000001, 0x40000000,
                            0x7F800000, 0xFF800000}),
            (std::vector<uint32_t>{0, 0, 0, 0x00000001, 0, 0x40000000, 0x7F800000, 0}));
}

// B1, forward: NaN propagates, of either sign and with its payload.
TEST(Relu, PassesNanOn) {
  const std::vector<uint32_t> floats = {0x7FC00000, 0xFFC12345, 0x7F800001, 0xFFFFFFFF};
  EXPECT_EQ(Relu(DML_TENSOR_DATA_TYPE_FLOAT32, floats), floats);
  const std::vector<uint16_t> halves = {0x7E00, 0xFE55, 0x7C01, 0xFC01, 0xFFFF};
  EXPECT_EQ(Relu(DML_TENSOR_DATA_TYPE_FLOAT16, halves), halves);
}

TEST(Relu, HandlesExtremeIntegers) {
  EXPECT_EQ(Relu<int32_t>(DML_TENSOR_DATA_TYPE_INT32, {INT32_MIN, -1, 0, 1, INT32_MAX}),
            (std::vector<int32_t>{0, 0, 0, 1, INT32_MAX}));
  EXPECT_EQ(Relu<int16_t>(DML_TENSOR_DATA_TYPE_INT16, {INT16_MIN, -1, 0, 1, INT16_MAX}),
            (std::vector<int16_t>{0, 0, 0, 1, INT16_MAX}));
  EXPECT_EQ(Relu<int8_t>(DML_TENSOR_DATA_TYPE_INT8, {-128, -1, 0, 1, 127}),
            (std::vector<int8_t>{0, 0, 0, 1, 127}));
}

TEST(Relu, TakesEveryHalfByItsValue) {
  std::vector<uint16_t> x(65536), expected(65536);
  for (uint32_t i = 0; i < 65536; ++i) {
    x[i] = static_cast<uint16_t>(i);
    const float value = ToFloat({x[i]});
    expected[i] = value > 0 || std::isnan(value) ? x[i] : 0;
  }
  EXPECT_EQ(Relu(DML_TENSOR_DATA_TYPE_FLOAT16, x), expected);
}

template <typename T>
void CheckTails(DML_TENSOR_DATA_TYPE type) {
  for (int n = 1; n <= 67; ++n) {
    std::vector<T> x(n), expected(n);
    for (int i = 0; i < n; ++i) {
      x[i] = static_cast<T>(test::Pattern(i, 11, 7));
      expected[i] = static_cast<T>(std::max(0, test::Pattern(i, 11, 7)));
    }
    EXPECT_EQ(Relu<T>(type, x), expected) << n;
  }
}

TEST(Relu, HandlesEveryTailLength) {
  CheckTails<float>(DML_TENSOR_DATA_TYPE_FLOAT32);
  CheckTails<int32_t>(DML_TENSOR_DATA_TYPE_INT32);
  CheckTails<int16_t>(DML_TENSOR_DATA_TYPE_INT16);
  CheckTails<int8_t>(DML_TENSOR_DATA_TYPE_INT8);
}

// "The output tensor is permitted to alias InputTensor during binding."
TEST(Relu, RunsInPlace) {
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {7});
  const DML_ACTIVATION_RELU_OPERATOR_DESC desc = {tensor, tensor};
  const std::vector<float> x = {-3, 2, -1, 0, 1, -2, 3}, expected = {0, 2, 0, 0, 1, 0, 3};
  const auto results = test::RunEachStrategy(DML_OPERATOR_ACTIVATION_RELU, &desc, {In(x)}, 0);
  EXPECT_GE(results.size(), 2u);
  for (const auto& result : results) EXPECT_EQ(result, test::BytesOf(expected));
}

TEST(Relu, ReadsBroadcastAndWritesPaddedTensors) {
  const Tensor x(DML_TENSOR_DATA_TYPE_INT16, {2, 3}, {0, 1});
  const Tensor y(DML_TENSOR_DATA_TYPE_INT16, {2, 3}, {4, 1});
  const DML_ACTIVATION_RELU_OPERATOR_DESC desc = {x, y};
  const auto gap = static_cast<int16_t>(0xC5C5);  // never written
  EXPECT_EQ(
      test::RunOn<int16_t>(DML_OPERATOR_ACTIVATION_RELU, &desc, {In<int16_t>({-1, 5, 2, 0})}, 7),
      (std::vector<int16_t>{0, 5, 2, gap, 0, 5, 2}));
}

TEST(Relu, RefusesTensorsThatDisagree) {
  const Tensor four(DML_TENSOR_DATA_TYPE_FLOAT32, {4}), half(DML_TENSOR_DATA_TYPE_FLOAT16, {4});
  const Tensor two_two(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 2});
  const Tensor five(DML_TENSOR_DATA_TYPE_FLOAT32, {5});
  EXPECT_EQ(RefuseRelu(four, half),
            "ACTIVATION_RELU: OutputTensor.DataType = FLOAT16 must equal InputTensor.DataType = "
            "FLOAT32");
  EXPECT_EQ(RefuseRelu(four, two_two),
            "ACTIVATION_RELU: OutputTensor.DimensionCount = 2 must equal "
            "InputTensor.DimensionCount = 1");
  EXPECT_EQ(RefuseRelu(four, five),
            "ACTIVATION_RELU: OutputTensor.Sizes = {5} must equal InputTensor.Sizes = {4}");
  EXPECT_EQ(RefuseRelu(nullptr, four), "ACTIVATION_RELU: InputTensor must not be null");
}

TEST(Relu, RefusesTypesOutsideItsTable) {
  for (auto [type, name] : {std::pair{DML_TENSOR_DATA_TYPE_UINT8, "UINT8"},
                            {DML_TENSOR_DATA_TYPE_FLOAT64, "FLOAT64"},
                            {DML_TENSOR_DATA_TYPE_INT64, "INT64"}}) {
    const Tensor tensor(type, {4});
    EXPECT_EQ(RefuseRelu(tensor, tensor), std::string("ACTIVATION_RELU: InputTensor.DataType = ") +
                                              name +
                                              " must be FLOAT32, FLOAT16, INT32, INT16 or INT8");
  }
}

// The page's rows: 4 dimensions at 1_0, 4 to 5 at 2_0, 1 to 8 at 3_0, integers at 5_1.
TEST(Relu, NamesTheFeatureLevelThatItNeeds) {
  const Tensor integers(DML_TENSOR_DATA_TYPE_INT8, {4});
  EXPECT_EQ(RefuseRelu(integers, integers, {.feature_level = FeatureLevel::k5_0}),
            "ACTIVATION_RELU: InputTensor.DataType = INT8 needs feature level 5_1 or above; this "
            "device has 5_0");
  EXPECT_EQ(RefuseRelu(integers, integers, {.feature_level = FeatureLevel::k5_1}), "");
  const Tensor eight(DML_TENSOR_DATA_TYPE_FLOAT16, {1, 2, 1, 2, 1, 2, 1, 2});
  const Tensor one(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  EXPECT_EQ(RefuseRelu(eight, eight, {.feature_level = FeatureLevel::k3_0}), "");
  EXPECT_EQ(RefuseRelu(one, one, {.feature_level = FeatureLevel::k2_1}),
            "ACTIVATION_RELU: InputTensor.DimensionCount = 1 needs feature level 3_0 or above; "
            "this device has 2_1");
  const Tensor five(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 2, 1, 2, 1});
  EXPECT_EQ(RefuseRelu(five, five, {.feature_level = FeatureLevel::k2_0}), "");
  EXPECT_EQ(RefuseRelu(five, five, {.feature_level = FeatureLevel::k1_0}),
            "ACTIVATION_RELU: InputTensor.DimensionCount = 5 needs feature level 2_0 or above; "
            "this device has 1_0");
  const Tensor image(DML_TENSOR_DATA_TYPE_FLOAT16, {1, 2, 3, 4});
  EXPECT_EQ(RefuseRelu(image, image, {.feature_level = FeatureLevel::k1_0}), "");
}

}  // namespace
}  // namespace anydml::relu
