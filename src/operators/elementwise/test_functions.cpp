// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about the exact functions and the activations made of them: special
// values, tails, compositions. That each is correctly rounded is asked by tests/math.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "support/run.h"

namespace anydml {
namespace {

using test::In;
using test::Tensor;
using Floats = std::vector<float>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

Floats Activate(DML_OPERATOR_TYPE type, const Floats& x, float first = 0, float second = 0) {
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {static_cast<UINT>(x.size())});
  const DML_ACTIVATION_LINEAR_OPERATOR_DESC desc = {tensor, tensor, first, second};
  return test::RunOn<float>(type, &desc, {In(x)}, x.size());
}
Floats Function(DML_OPERATOR_TYPE type, const Floats& x,
                const DML_SCALE_BIAS* scale_bias = nullptr) {
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {static_cast<UINT>(x.size())});
  const DML_ELEMENT_WISE_EXP_OPERATOR_DESC desc = {tensor, tensor, scale_bias};
  return test::RunOn<float>(type, &desc, {In(x)}, x.size());
}

// NaN equal to NaN, everything else by its bits.
void ExpectSame(const Floats& actual, const Floats& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    const bool nan = std::isnan(expected[i]);
    EXPECT_TRUE(nan ? std::isnan(actual[i])
                    : std::bit_cast<uint32_t>(actual[i]) == std::bit_cast<uint32_t>(expected[i]))
        << i << ": " << actual[i] << " is not " << expected[i];
  }
}

// B100: limits at infinity, NaN outside the domain, signs of zeros, subnormal results.
TEST(Functions, HaveTheirSpecialValues) {
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_EXP,
                      {-kInfinity, -200, 0, -0.0f, 89, kInfinity, kNan, -103}),
             {0, 0, 1, 1, kInfinity, kInfinity, kNan, 0x1p-149f});
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_LOG,
                      {-1, -0.0f, 0, 1, kInfinity, kNan, 0x1p-149f, -kInfinity}),
             {kNan, -kInfinity, -kInfinity, 0, kInfinity, kNan, -103.278929f, kNan});
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_TANH, {-kInfinity, -0.0f, 1e-30f, 9.5f, kNan}),
             {-1, -0.0f, 1e-30f, 1, kNan});
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_ERF, {-kInfinity, -0.0f, 0.5f, 4, kNan}),
             {-1, -0.0f, 0.520499877f, 1, kNan});
}

// H4: ln of this argument is nearest of all to a midpoint of floats.
TEST(Functions, RoundTheHardestArgumentOfTheLogarithm) {
  const float x = std::bit_cast<float>(0x65D890D3u);
  EXPECT_EQ(Function(DML_OPERATOR_ELEMENT_WISE_LOG, {x}),
            Floats{std::bit_cast<float>(0x4254D1F9u)});
}

// B110.
TEST(Functions, TakeAScaleBias) {
  const DML_SCALE_BIAS scale_bias = {2, -1};
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_EXP, {1}, &scale_bias), {2.71828175f});
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_LOG, {1}, &scale_bias), {0});
}

// B104, B108: the function is meant, not the arithmetic of the page, which loses the tails.
TEST(Activations, KeepTheirTails) {
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_SIGMOID, {-100, -kInfinity, kInfinity, 0, kNan}),
             {std::bit_cast<float>(0x1Bu), 0, 1, 0.5f, kNan});
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_GELU, {-kInfinity, -5, -0.0f, 1, kInfinity, kNan}),
             {-0.0f, -1.43325786e-06f, -0.0f, 0.841344774f, kInfinity, kNan});
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_ELU, {1e-20f, -1e-20f}, 1), {1e-20f, -1e-20f});
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_TANH, {-0.0f, -50}), {-0.0f, -1});
}

// Halves of odd subnormal numbers are midpoints, above which gelu lies.
TEST(Activations, RoundTheGeluOfSubnormalNumbersUpward) {
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_GELU, {0x1p-149f, -0x1p-149f, 0x3p-149f, -0x3p-149f}),
             {0x1p-149f, -0.0f, 0x1p-148f, -0x1p-149f});
}

// 1/2 + x/4 may be a midpoint, and the truth lies nearer to 1/2.
TEST(Activations, RoundTheSigmoidOfSmallNumbersTowardOneHalf) {
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_SIGMOID, {0x1p-23f, 0x3p-23f, -0x1p-24f, -0x3p-24f}),
             {0.5f, 0.5f + 0x1p-24f, 0.5f, 0.5f - 0x1p-25f});
}

TEST(Activations, HaveTheirSpecialValues) {
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_ELU, {-2, -0.0f, 0, 3, kNan, -kInfinity}, 0.5f),
             {-0.432332367f, -0.0f, 0, 3, kNan, -0.5f});
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_CELU, {-1, 2, -kInfinity}, 2),
             {2 * -0.39346933f, 2, -2});
  ExpectSame(
      Activate(DML_OPERATOR_ACTIVATION_SCALED_ELU, {1, 0, -kInfinity}, 1.67326319f, 1.05070102f),
      {1.05070102f, 0, 1.05070102f * -1.67326319f});
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_LEAKY_RELU, {-1, -0.0f, kNan}, 0.5f),
             {-0.5f, -0.0f, kNan});
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_THRESHOLDED_RELU, {1, 1.5f, kNan, -3}, 1),
             {0, 1.5f, 0, 0});
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_HARD_SIGMOID, {-9, 0, 9, kNan}, 0.2f, 0.5f),
             {0, 0.5f, 1, kNan});
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_SOFTSIGN, {1, -3, kInfinity, -0.0f}),
             {0.5f, -0.75f, kNan, -0.0f});
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_SCALED_TANH, {2}, 3, 0.5f), {3 * 0.761594176f});
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_LINEAR, {2}, 3, 4), {10});
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_IDENTITY, {2, -0.0f, kNan}), {2, -0.0f, kNan});
}

// B102: two roundings. (1 + 2^-12)^2 - 1 - 2^-11 would be 2^-24 if it were fused.
TEST(Activations, RoundTheProductOfLinear) {
  EXPECT_EQ(Activate(DML_OPERATOR_ACTIVATION_LINEAR, Floats(9, 1 + 0x1p-12f), 1 + 0x1p-12f,
                     -1 - 0x1p-11f),
            Floats(9, 0));
}

// B101: the float32 result is rounded to half.
TEST(Functions, RoundHalvesFromTheFloatResult) {
  const auto half = [](float value) { return ToFloat16(value).bits; };
  const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT16, {3});
  const DML_ELEMENT_WISE_EXP_OPERATOR_DESC desc = {t, t, nullptr};
  EXPECT_EQ(test::RunOn<uint16_t>(DML_OPERATOR_ELEMENT_WISE_EXP, &desc,
                                  {In<uint16_t>({half(1), half(-20), half(12)})}, 3),
            (std::vector<uint16_t>{half(2.71828175f), half(2.06115369e-09f), 0x7C00}));
}

TEST(Activations, NameTheFeatureLevelThatTheyNeed) {
  const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT32, {2});
  const DML_ACTIVATION_GELU_OPERATOR_DESC desc = {t, t};
  EXPECT_EQ(
      test::Refuse(DML_OPERATOR_ACTIVATION_GELU, &desc, {.feature_level = FeatureLevel::k5_0}),
      "ACTIVATION_GELU: this operator needs feature level 5_1 or above; this device has 5_0");
}

}  // namespace
}  // namespace anydml
