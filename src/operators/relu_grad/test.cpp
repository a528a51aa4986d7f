// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about ACTIVATION_RELU_GRAD: every sentence of its page, and
// the acceptance cases RG.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "support/run.h"

namespace anydml::relu_grad {
namespace {

using test::In;
using test::Tensor;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename T>
std::vector<T> ReluGrad(DML_TENSOR_DATA_TYPE type, const std::vector<T>& x,
                        const std::vector<T>& dy) {
  const Tensor tensor(type, {static_cast<UINT>(x.size())});
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {tensor, tensor, tensor};
  return test::RunOn<T>(DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc, {In(x), In(dy)}, x.size());
}

std::string RefuseReluGrad(const DML_TENSOR_DESC* x, const DML_TENSOR_DESC* dy,
                           const DML_TENSOR_DESC* dx, const DeviceOptions& options = {}) {
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {x, dy, dx};
  return test::Refuse(DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc, options);
}

// RG-01. 1e-40 is subnormal and counts as positive.
TEST(ReluGrad, PassesTheGradientWhereTheInputIsPositive) {
  EXPECT_EQ(ReluGrad<float>(DML_TENSOR_DATA_TYPE_FLOAT32,
                            {-1, -0.0f, 0, 1e-40f, 2, kNan, kInfinity, -kInfinity},
                            {1, 2, 3, 4, 5, 6, 7, 8}),
            (std::vector<float>{0, 0, 0, 4, 5, 0, 7, 0}));
}

// RG-02. A product of mask and gradient would give NaN twice.
TEST(ReluGrad, SelectsAndDoesNotMultiply) {
  const auto result = ReluGrad<float>(DML_TENSOR_DATA_TYPE_FLOAT32, {-1, 1}, {kNan, kNan});
  EXPECT_EQ(result[0], 0);
  EXPECT_TRUE(std::isnan(result[1]));
}

// RG-03
TEST(ReluGrad, KeepsTheSignOfAPassedZeroAndWritesPositiveZeroElsewhere) {
  const auto result = ReluGrad<float>(DML_TENSOR_DATA_TYPE_FLOAT32, {1, -1}, {-0.0f, -0.0f});
  EXPECT_EQ(std::bit_cast<uint32_t>(result[0]), 0x80000000u);
  EXPECT_EQ(std::bit_cast<uint32_t>(result[1]), 0u);
}

// RG-04
TEST(ReluGrad, HandlesExtremeIntegers) {
  EXPECT_EQ(ReluGrad<int32_t>(DML_TENSOR_DATA_TYPE_INT32, {INT32_MIN, -1, 0, 1, INT32_MAX},
                              {10, 20, 30, 40, 50}),
            (std::vector<int32_t>{0, 0, 0, 40, 50}));
  EXPECT_EQ(
      ReluGrad<int8_t>(DML_TENSOR_DATA_TYPE_INT8, {-128, -1, 0, 1, 127}, {-1, -2, -3, -4, -5}),
      (std::vector<int8_t>{0, 0, 0, -4, -5}));
}

// RG-05
TEST(ReluGrad, ReadsBroadcastAndPaddedInputs) {
  const Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3}, {0, 1});
  const Tensor dy(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3}, {5, 1});
  const Tensor dx(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3});
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {x, dy, dx};
  EXPECT_EQ(test::RunOn<float>(DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc,
                               {In<float>({-1, 0, 2}), In<float>({1, 2, 3, -9, -9, 4, 5, 6})}, 6),
            (std::vector<float>{0, 0, 3, 0, 0, 6}));
}

template <typename T>
void CheckTails(DML_TENSOR_DATA_TYPE type) {
  for (int n = 1; n <= 67; ++n) {
    std::vector<T> x(n), dy(n), expected(n);
    for (int i = 0; i < n; ++i) {
      x[i] = static_cast<T>(test::Pattern(i, 11, 7));
      dy[i] = static_cast<T>(test::Pattern(i, 101, 13));
      expected[i] = test::Pattern(i, 11, 7) > 0 ? dy[i] : T{0};
    }
    EXPECT_EQ(ReluGrad<T>(type, x, dy), expected) << n;
  }
}

// RG-06, with FLOAT16 below since C++ has no type for it.
TEST(ReluGrad, HandlesEveryTailLength) {
  CheckTails<float>(DML_TENSOR_DATA_TYPE_FLOAT32);
  CheckTails<int32_t>(DML_TENSOR_DATA_TYPE_INT32);
  CheckTails<int16_t>(DML_TENSOR_DATA_TYPE_INT16);
  CheckTails<int8_t>(DML_TENSOR_DATA_TYPE_INT8);
}

uint16_t Half(float value) { return ToFloat16(value).bits; }

TEST(ReluGrad, HandlesEveryTailLengthInHalfPrecision) {
  for (int n = 1; n <= 67; ++n) {
    std::vector<uint16_t> x(n), dy(n), expected(n);
    for (int i = 0; i < n; ++i) {
      x[i] = Half(static_cast<float>(test::Pattern(i, 11, 7)));
      dy[i] = Half(static_cast<float>(test::Pattern(i, 101, 13)));
      expected[i] = test::Pattern(i, 11, 7) > 0 ? dy[i] : 0;
    }
    EXPECT_EQ(ReluGrad<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16, x, dy), expected) << n;
  }
}

// B3: FLOAT16 is never converted, so all 65,536 inputs select exactly.
TEST(ReluGrad, SelectsEveryHalfByItsValue) {
  std::vector<uint16_t> x(65536), dy(65536), expected(65536);
  for (uint32_t i = 0; i < 65536; ++i) {
    x[i] = static_cast<uint16_t>(i);
    dy[i] = static_cast<uint16_t>(i * 40503u);
    expected[i] = ToFloat({x[i]}) > 0 ? dy[i] : 0;
  }
  EXPECT_EQ(ReluGrad<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16, x, dy), expected);
}

// RG-07
TEST(ReluGrad, GivesThePackedResultInMixedLayouts) {
  const std::vector<UINT> sizes = {1, 3, 4, 5}, nhwc = {60, 1, 15, 3};
  const Tensor x(DML_TENSOR_DATA_TYPE_FLOAT16, sizes);
  const Tensor dy(DML_TENSOR_DATA_TYPE_FLOAT16, sizes, nhwc);
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {x, dy, dy};
  std::vector<uint16_t> x_data(60), dy_data(60), expected(60);
  for (int i = 0; i < 60; ++i) {
    const int at = i / 20 + i / 5 % 4 * 15 + i % 5 * 3;
    x_data[i] = Half(static_cast<float>(test::Pattern(i, 11, 7)));
    dy_data[at] = Half(static_cast<float>(test::Pattern(i, 101, 13)));
    expected[at] = test::Pattern(i, 11, 7) > 0 ? dy_data[at] : 0;
  }
  EXPECT_EQ(test::RunOn<uint16_t>(DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc,
                                  {In(x_data), In(dy_data)}, 60),
            expected);
}

// R4, B23: the page is silent; programs rely on it.
TEST(ReluGrad, RunsInPlaceOnEitherInput) {
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {7});
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {tensor, tensor, tensor};
  const std::vector<float> x = {-3, 2, -1, 0, 1, -2, 3}, dy = {1, 2, 3, 4, 5, 6, 7};
  const std::vector<float> expected = {0, 2, 0, 0, 5, 0, 7};
  for (size_t input : {0, 1}) {
    const auto results =
        test::RunEachStrategy(DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc, {In(x), In(dy)}, input);
    EXPECT_GE(results.size(), 2u);
    for (const auto& result : results) EXPECT_EQ(result, test::BytesOf(expected)) << input;
  }
}

// RG-08, R1, R2
TEST(ReluGrad, RefusesTensorsThatDisagree) {
  const Tensor four(DML_TENSOR_DATA_TYPE_FLOAT32, {4}), half(DML_TENSOR_DATA_TYPE_FLOAT16, {4});
  const Tensor five(DML_TENSOR_DATA_TYPE_FLOAT32, {5});
  const Tensor two_three(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3});
  const Tensor three_two(DML_TENSOR_DATA_TYPE_FLOAT32, {3, 2});
  const Tensor one_three(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 3});
  EXPECT_EQ(RefuseReluGrad(four, half, four),
            "ACTIVATION_RELU_GRAD: InputGradientTensor.DataType = FLOAT16 must equal "
            "InputTensor.DataType = FLOAT32");
  EXPECT_EQ(RefuseReluGrad(four, five, four),
            "ACTIVATION_RELU_GRAD: InputGradientTensor.Sizes = {5} must equal "
            "InputTensor.Sizes = {4}");
  EXPECT_EQ(RefuseReluGrad(two_three, two_three, three_two),
            "ACTIVATION_RELU_GRAD: OutputGradientTensor.Sizes = {3, 2} must equal "
            "InputTensor.Sizes = {2, 3}");
  EXPECT_EQ(RefuseReluGrad(two_three, one_three, two_three),
            "ACTIVATION_RELU_GRAD: InputGradientTensor.Sizes = {1, 3} must equal "
            "InputTensor.Sizes = {2, 3}");
  EXPECT_EQ(RefuseReluGrad(four, four, two_three),
            "ACTIVATION_RELU_GRAD: OutputGradientTensor.DimensionCount = 2 must equal "
            "InputTensor.DimensionCount = 1");
}

// RG-09, R3
TEST(ReluGrad, RefusesTypesAndDimensionCountsOutsideItsTable) {
  for (auto [type, name] : {std::pair{DML_TENSOR_DATA_TYPE_UINT8, "UINT8"},
                            {DML_TENSOR_DATA_TYPE_FLOAT64, "FLOAT64"},
                            {DML_TENSOR_DATA_TYPE_INT64, "INT64"},
                            {DML_TENSOR_DATA_TYPE_UNKNOWN, "UNKNOWN"}}) {
    const Tensor tensor(type, {4});
    EXPECT_EQ(RefuseReluGrad(tensor, tensor, tensor),
              std::string("ACTIVATION_RELU_GRAD: InputTensor.DataType = ") + name +
                  " must be FLOAT32, FLOAT16, INT32, INT16 or INT8");
  }
  const Tensor none(DML_TENSOR_DATA_TYPE_FLOAT32, {});
  EXPECT_EQ(RefuseReluGrad(none, none, none),
            "ACTIVATION_RELU_GRAD: InputTensor.DimensionCount = 0 must be 1 to 8");
  Tensor nine(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 1, 1, 1, 1, 1, 1});
  nine.buffer().DimensionCount = 9;
  EXPECT_EQ(RefuseReluGrad(nine, nine, nine),
            "ACTIVATION_RELU_GRAD: InputTensor.DimensionCount = 9 must be 1 to 8");
}

// RG-10
TEST(ReluGrad, RefusesAnOutputWhoseElementsOverlap) {
  const Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3});
  const Tensor zero_stride(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3}, {0, 1});
  const Tensor short_stride(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3}, {2, 1});
  EXPECT_EQ(RefuseReluGrad(x, x, zero_stride),
            "ACTIVATION_RELU_GRAD: OutputGradientTensor.Strides = {0, 1} with Sizes = {2, 3} must "
            "not map two elements to one address");
  EXPECT_NE(RefuseReluGrad(x, x, short_stride), "");
  const Tensor one_row(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 3}, {0, 1});
  EXPECT_EQ(RefuseReluGrad(one_row, one_row, one_row), "");
}

// The page's rows: integers came with 5_1, the operator with 3_0.
TEST(ReluGrad, NamesTheFeatureLevelThatHasTheType) {
  const Tensor integers(DML_TENSOR_DATA_TYPE_INT16, {4});
  EXPECT_EQ(RefuseReluGrad(integers, integers, integers, {.feature_level = FeatureLevel::k5_0}),
            "ACTIVATION_RELU_GRAD: InputTensor.DataType = INT16 needs feature level 5_1 or above; "
            "this device has 5_0");
  EXPECT_EQ(RefuseReluGrad(integers, integers, integers, {.feature_level = FeatureLevel::k5_1}),
            "");
  const Tensor floats(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 2, 1, 2, 1, 2, 1, 2});
  EXPECT_EQ(RefuseReluGrad(floats, floats, floats, {.feature_level = FeatureLevel::k3_0}), "");
  EXPECT_EQ(RefuseReluGrad(floats, floats, floats, {.feature_level = FeatureLevel::k2_1}),
            "ACTIVATION_RELU_GRAD: this operator needs feature level 3_0 or above; this device has "
            "2_1");
}

}  // namespace
}  // namespace anydml::relu_grad
