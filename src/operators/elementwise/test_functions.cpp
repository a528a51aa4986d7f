// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about the exact functions and the activations made of them: special
// values, tails, compositions. That each is correctly rounded is asked by tests/math.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "support/expect_same.h"
#include "support/run.h"

namespace anydml {
namespace {

using test::ExpectSame;
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

// Of the largest float 384 bits of 2/pi are left out, of pi/2 itself none.
TEST(Functions, ReduceAnglesOfAnySize) {
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_SIN,
                      {0x1.fffffep127f, 1e22f, 3.14159274f, -0.0f, kInfinity, kNan, 1e-40f}),
             {-0.521876514f, -0.734081507f, -8.74227766e-08f, -0.0f, kNan, kNan, 1e-40f});
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_COS, {1.57079637f, -0.0f, -kInfinity}),
             {-4.37113883e-08f, 1, kNan});
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_TAN, {1.57079637f, -0.0f, kInfinity}),
             {-22877332.0f, -0.0f, kNan});
}

TEST(Functions, HaveNoInverseOutsideTheirDomain) {
  constexpr float kHalfPi = 1.57079637f;
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_ASIN, {-1, 1, 1.0000001f, -0.0f, -kInfinity}),
             {-kHalfPi, kHalfPi, kNan, -0.0f, kNan});
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_ACOS, {-1, 1, -1.0000001f, 0, kInfinity}),
             {3.14159274f, 0, kNan, kHalfPi, kNan});
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_ATAN, {kInfinity, -kInfinity, -0.0f, kNan}),
             {kHalfPi, -kHalfPi, -0.0f, kNan});
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_ACOSH, {1, 0.99999994f, -2, kInfinity, -kInfinity}),
             {0, kNan, kNan, kInfinity, kNan});
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_ATANH, {1, -1, 1.5f, -0.0f, kInfinity}),
             {kInfinity, -kInfinity, kNan, -0.0f, kNan});
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_ASINH, {-kInfinity, kInfinity, -0.0f, 1e-40f}),
             {-kInfinity, kInfinity, -0.0f, 1e-40f});
}

TEST(Functions, OverflowAsHyperbolicOnesDo) {
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_SINH, {-90, 90, -0.0f, -kInfinity, kNan}),
             {-kInfinity, kInfinity, -0.0f, -kInfinity, kNan});
  ExpectSame(Function(DML_OPERATOR_ELEMENT_WISE_COSH, {-90, 0, -kInfinity, kNan}),
             {kInfinity, 1, kInfinity, kNan});
}

Floats AnglesOf(const Floats& y, const Floats& x) {
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {static_cast<UINT>(y.size())});
  const DML_ELEMENT_WISE_ATAN_YX_OPERATOR_DESC desc = {tensor, tensor, tensor};
  return test::RunOn<float>(DML_OPERATOR_ELEMENT_WISE_ATAN_YX, &desc, {In(y), In(x)}, y.size());
}

// B112: C's atan2. An angle lies below the quotient, also where that is a midpoint.
TEST(Functions, GiveTheAngleOfAPoint) {
  constexpr float kPi = 3.14159274f;
  ExpectSame(AnglesOf({0, -0.0f, 0, -0.0f, 1, kInfinity, -kInfinity, 3, kNan},
                      {0, 0, -0.0f, -1, 0, -kInfinity, kInfinity, -kInfinity, 1}),
             {0, -0.0f, kPi, -kPi, kPi / 2, 2.3561945f, -kPi / 4, kPi, kNan});
  ExpectSame(AnglesOf({0x1p-149f, 0x3p-149f, -0x3p-149f}, {2, 2, 2}), {0, 0x1p-149f, -0x1p-149f});
}

template <typename T, typename E>
std::vector<T> Powers(DML_TENSOR_DATA_TYPE type, const std::vector<T>& x, DML_TENSOR_DATA_TYPE of,
                      const std::vector<E>& e, const DML_SCALE_BIAS* scale_bias = nullptr) {
  const auto count = static_cast<UINT>(x.size());
  const Tensor base(type, {count}), exponent(of, {count});
  const DML_ELEMENT_WISE_POW_OPERATOR_DESC desc = {base, exponent, base, scale_bias};
  return test::RunOn<T>(DML_OPERATOR_ELEMENT_WISE_POW, &desc, {In(x), In(e)}, count);
}
constexpr auto kFloat32 = DML_TENSOR_DATA_TYPE_FLOAT32;

// B111: Annex F of C.
TEST(Powers, HaveTheirSpecialValues) {
  ExpectSame(Powers<float, float>(kFloat32,
                                  {-2, -2, 0, -0.0f, -0.0f, 1, kNan, 2, -1, -1, 0.5f, -kInfinity,
                                   -kInfinity, 0, kNan},
                                  kFloat32,
                                  {3, 0.5f, 0, -3, 3, kNan, -0.0f, 0.5f, kInfinity, -kInfinity,
                                   -kInfinity, 3, 0.5f, -kInfinity, 1}),
             {-8, kNan, 1, -kInfinity, -0.0f, 1, 1, 1.41421354f, 1, 1, kInfinity, -kInfinity,
              kInfinity, kInfinity, kNan});
}

// Midpoints: 4097^2 = 2^24 + 8193 lies between two floats, 2^-150 between 0 and the least one.
TEST(Powers, RoundMidpointsToEven) {
  ExpectSame(Powers<float, float>(kFloat32, {4097, 4099, 2, 0x3p-75f}, kFloat32, {2, 2, -150, 2}),
             {16785408, 16801800, 0, 0x4p-149f});
}

// B113.
TEST(Powers, OfIntegersAreExactAndWrap) {
  using Ints = std::vector<int32_t>;
  constexpr auto kInt32 = DML_TENSOR_DATA_TYPE_INT32;
  EXPECT_EQ((Powers<int32_t, int32_t>(kInt32, {3, -2, 2, 5, -1, 0, 0}, kInt32,
                                      {4, 3, 40, -1, -3, -1, 0})),
            (Ints{81, -8, 0, 0, -1, -1, 1}));
  EXPECT_EQ((Powers<int32_t, float>(kInt32, {2, -2, 10, -10}, kFloat32, {0.5f, 0.5f, 12, 11})),
            (Ints{1, 0, 2147483647, -2147483647 - 1}));
  EXPECT_EQ((Powers<uint8_t, int8_t>(DML_TENSOR_DATA_TYPE_UINT8, {3, 0, 255},
                                     DML_TENSOR_DATA_TYPE_INT8, {6, -2, -1})),
            (std::vector<uint8_t>{729 % 256, 255, 0}));
  // 2^24 + 1 is odd, and no float.
  EXPECT_EQ((Powers<float, int32_t>(kFloat32, {-1}, kInt32, {(1 << 24) + 1})), Floats{-1});
  // 3 * 1.5 - 0.25 = 4.25 becomes 4 before the power.
  const DML_SCALE_BIAS scale_bias = {1.5f, -0.25f};
  EXPECT_EQ((Powers<int32_t, int32_t>(kInt32, {3}, kInt32, {2}, &scale_bias)), Ints{16});
}

TEST(Powers, HaveExponentsOfTheirOwnTypeSinceLevel3) {
  const Tensor x(kFloat32, {1, 1, 1, 2}), e(DML_TENSOR_DATA_TYPE_FLOAT16, {1, 1, 1, 2});
  const DML_ELEMENT_WISE_POW_OPERATOR_DESC desc = {x, e, x, nullptr};
  EXPECT_EQ(
      test::Refuse(DML_OPERATOR_ELEMENT_WISE_POW, &desc, {.feature_level = FeatureLevel::k2_1}),
      "ELEMENT_WISE_POW: ExponentTensor.DataType = FLOAT16 must equal InputTensor.DataType = "
      "FLOAT32 below feature level 3_0; this device has 2_1");
}

TEST(Activations, KeepTheTailOfSoftplus) {
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_SOFTPLUS,
                      {-20, 0, 100, -kInfinity, kInfinity, kNan, -103}, 1),
             {2.06115369e-09f, 0.693147182f, 100, 0, kInfinity, kNan, 0x1p-149f});
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_PARAMETRIC_SOFTPLUS, {0}, 2, 1), {1.38629436f});
  ExpectSame(Activate(DML_OPERATOR_ACTIVATION_SWISH, {0, -kInfinity, kInfinity, 1}, 1),
             {0, kNan, kInfinity, 0.731058598f});
}

// B124, also where it is fused.
TEST(Activations, LimitSteepnessBelowLevel6_4) {
  const Tensor t(kFloat32, {2});
  const DML_ACTIVATION_SOFTPLUS_OPERATOR_DESC desc = {t, t, 0.5f};
  const std::string rule =
      "Steepness = 0.5 must be 1 or more below feature level 6_4; this device has 6_3";
  EXPECT_EQ(
      test::Refuse(DML_OPERATOR_ACTIVATION_SOFTPLUS, &desc, {.feature_level = FeatureLevel::k6_3}),
      "ACTIVATION_SOFTPLUS: " + rule);
  const DML_ACTIVATION_SOFTPLUS_OPERATOR_DESC fused = {nullptr, nullptr, 0.5f};
  const DML_OPERATOR_DESC activation = {DML_OPERATOR_ACTIVATION_SOFTPLUS, &fused};
  const DML_ELEMENT_WISE_ADD1_OPERATOR_DESC add = {t, t, t, &activation};
  EXPECT_EQ(
      test::Refuse(DML_OPERATOR_ELEMENT_WISE_ADD1, &add, {.feature_level = FeatureLevel::k6_3}),
      "ELEMENT_WISE_ADD1: FusedActivation: ACTIVATION_SOFTPLUS: " + rule);
  EXPECT_EQ(Activate(DML_OPERATOR_ACTIVATION_SOFTPLUS, {2}, 0.5f), Floats{2.62652326f});
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
