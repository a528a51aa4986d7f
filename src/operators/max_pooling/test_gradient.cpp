// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about the results of MAX_POOLING_GRAD: every sentence of its
// page, and the acceptance cases MG. Every run compares the reference with all
// strategies.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/pooling.h"
#include "support/run.h"

namespace anydml::max_pooling {
namespace {

using test::Full;
using test::In;
using test::Tensor;
using test::Uints;
using test::Window;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename T>
std::vector<T> RunAs(DML_TENSOR_DATA_TYPE type, const Uints& x_sizes, const std::vector<T>& x,
                     const Uints& dy_sizes, const std::vector<T>& dy, const Window& window) {
  const Tensor x_tensor(type, Full(x_sizes)), dy_tensor(type, Full(dy_sizes));
  const auto desc = test::MaxPoolingGrad(x_tensor, dy_tensor, x_tensor, window);
  return test::RunOn<T>(DML_OPERATOR_MAX_POOLING_GRAD, &desc, {In(x), In(dy)}, x.size());
}

using Values = std::vector<float>;

Values Grad(const Uints& x_sizes, const Values& x, const Uints& dy_sizes, const Values& dy,
            const Window& window) {
  return RunAs(DML_TENSOR_DATA_TYPE_FLOAT32, x_sizes, x, dy_sizes, dy, window);
}

// MG-01. 4 is the largest element of two windows, whose gradients are summed;
// elements that no window chose are zeroed.
TEST(MaxPoolingGrad, GivesTheDocumentedExample) {
  EXPECT_EQ(Grad({3, 3}, {1, 2, 3, 2, 4, 2, 5, 6, 7}, {2, 2}, {1, 2, 4, 5}, {.size = {2, 2}}),
            (Values{0, 0, 0, 0, 3, 0, 0, 4, 5}));
}

// MG-02, B6: the result that TensorFlow's DirectML plugin pins.
TEST(MaxPoolingGrad, FirstOfSeveralNansWins) {
  EXPECT_EQ(Grad({4, 4}, Values(16, kNan), {3, 3}, {11, 12, 13, 15, 16, 17, 19, 20, 21},
                 {.size = {2, 2}}),
            (Values{11, 12, 13, 0, 15, 16, 17, 0, 19, 20, 21, 0, 0, 0, 0, 0}));
}

// B6, example 4 of A5: wherever in the window the NaN sits.
TEST(MaxPoolingGrad, NanBeatsEveryNumber) {
  EXPECT_EQ(Grad({1, 5}, {1, kNan, 9, kNan, 2}, {1, 4}, {1, 2, 4, 8}, {.size = {1, 2}}),
            (Values{0, 3, 0, 12, 0}));
  EXPECT_EQ(Grad({1, 3}, {1, kInfinity, -kNan}, {1, 1}, {5}, {.size = {1, 3}}), (Values{0, 0, 5}));
}

// MG-03: "the element with the lowest logical element index".
TEST(MaxPoolingGrad, TieGoesToLowestLogicalIndex) {
  EXPECT_EQ(Grad({3, 3}, Values(9, 1.0f), {2, 2}, {1, 2, 4, 8}, {.size = {2, 2}}),
            (Values{1, 2, 0, 4, 8, 0, 0, 0, 0}));
}

// MG-04, B4, B6
TEST(MaxPoolingGrad, InfinitiesAndZerosOfBothSignsTie) {
  EXPECT_EQ(Grad({2, 2}, Values(4, -kInfinity), {1, 1}, {3}, {.size = {2, 2}}),
            (Values{3, 0, 0, 0}));
  EXPECT_EQ(Grad({1, 2}, {0.0f, -0.0f}, {1, 1}, {3}, {.size = {1, 2}}), (Values{3, 0}));
  EXPECT_EQ(Grad({1, 2}, {-0.0f, 0.0f}, {1, 1}, {3}, {.size = {1, 2}}), (Values{3, 0}));
}

// B6 in rows that are long enough for vectors.
TEST(MaxPoolingGrad, TiesAndNansFollowTheRuleInLongRows) {
  for (UINT stride : {1u, 2u}) {
    for (float value : {-kInfinity, kNan, 2.0f}) {
      const UINT windows = 79 / stride;
      Values expected(80, 0.0f);
      for (UINT o = 0; o < windows; ++o) expected[o * stride] = 1;
      EXPECT_EQ(Grad({1, 80}, Values(80, value), {1, windows}, Values(windows, 1.0f),
                     {.size = {1, 1 + stride}, .strides = {1, stride}}),
                expected);
    }
  }
}

// MG-05: all inputs are negative, and padding must not win as a 0 would.
TEST(MaxPoolingGrad, PaddingTakesNoPart) {
  Values x(16);
  for (int i = 0; i < 16; ++i) x[i] = static_cast<float>(-1 - i);
  EXPECT_EQ(
      Grad({4, 4}, x, {2, 2}, {1, 2, 4, 8}, {.size = {3, 3}, .strides = {2, 2}, .start = {1, 1}}),
      (Values{1, 2, 0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

// MG-06, example 3 of A5
TEST(MaxPoolingGrad, TakesDifferentPaddingOnEachSide) {
  EXPECT_EQ(Grad({2, 3}, {4, 1, 3, 2, 9, 0}, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8},
                 {.size = {2, 2}, .start = {1, 1}, .end = {0, 1}}),
            (Values{8, 0, 15, 0, 13, 0}));
}

// MG-07, example 6 of A5
TEST(MaxPoolingGrad, DilationTakesEveryNthElement) {
  Values x(25), expected(25, 0.0f);
  for (int i = 0; i < 25; ++i) x[i] = static_cast<float>(test::Pattern(i, 23, 5));
  expected[0 * 5 + 4] = 3;
  expected[1 * 5 + 4] = 6;
  expected[2 * 5 + 2] = 1;
  expected[2 * 5 + 3] = 10;
  expected[3 * 5 + 2] = 4;
  expected[3 * 5 + 3] = 5;
  expected[4 * 5 + 2] = 16;
  EXPECT_EQ(
      Grad({5, 5}, x, {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {.size = {2, 2}, .dilations = {2, 2}}),
      expected);
}

// MG-08, B15
TEST(MaxPoolingGrad, TakesFloorAndCeilSizes) {
  const Window window = {.size = {1, 2}, .strides = {1, 2}};
  EXPECT_EQ(Grad({1, 3}, {1, 2, 3}, {1, 1}, {5}, window), (Values{0, 5, 0}));
  EXPECT_EQ(Grad({1, 3}, {1, 2, 3}, {1, 2}, {5, 7}, window), (Values{0, 5, 7}));
}

// MG-09, B14: both taps miss the only element.
TEST(MaxPoolingGrad, DropsTheGradientOfAWindowWithoutTaps) {
  EXPECT_EQ(Grad({1, 1}, {3}, {1, 1}, {5},
                 {.size = {1, 2}, .start = {0, 1}, .end = {0, 1}, .dilations = {1, 2}}),
            (Values{0}));
}

// B14, example 5 of A5: eight of eleven windows see only padding.
TEST(MaxPoolingGrad, TakesPaddingBeyondTheWindow) {
  Values dy(11);
  std::iota(dy.begin(), dy.end(), 1.0f);
  EXPECT_EQ(Grad({1, 2}, {3, 1}, {1, 11}, dy, {.size = {1, 2}, .start = {0, 5}, .end = {0, 5}}),
            (Values{11, 7}));
}

uint16_t Half(float value) { return ToFloat16(value).bits; }

std::vector<uint16_t> HalfGrad(const Values& x, const Values& dy, const Window& window) {
  std::vector<uint16_t> half_x, half_dy;
  for (float value : x) half_x.push_back(Half(value));
  for (float value : dy) half_dy.push_back(Half(value));
  return RunAs(DML_TENSOR_DATA_TYPE_FLOAT16, {1, 1, 1, static_cast<UINT>(x.size())}, half_x,
               {1, 1, 1, static_cast<UINT>(dy.size())}, half_dy, window);
}

// MG-10
TEST(MaxPoolingGrad, HalfSumBeyondTheRangeIsInfinity) {
  EXPECT_EQ(HalfGrad({0, 1, 0}, {60000, 60000}, {.size = {1, 2}}),
            (std::vector<uint16_t>{0, 0x7C00, 0}));
}

// B13: 2048 + 1 is not a half, 2048 + 1 + 1 is.
TEST(MaxPoolingGrad, RoundsAHalfSumOnce) {
  EXPECT_EQ(HalfGrad({1}, {2048, 1, 1}, {.size = {1, 3}, .start = {0, 2}, .end = {0, 2}}),
            (std::vector<uint16_t>{Half(2050)}));
}

// B13: 1e8 + 1 is 1e8 in float32, so every order but the defined one shows.
TEST(MaxPoolingGrad, AddsInAscendingLogicalIndexOfTheGradient) {
  const Window one_row = {.size = {1, 3}, .start = {0, 2}, .end = {0, 2}};
  EXPECT_EQ(Grad({1, 1}, {7}, {1, 3}, {1e8f, 1, -1e8f}, one_row), (Values{0}));
  EXPECT_EQ(Grad({1, 1}, {7}, {1, 3}, {1e8f, -1e8f, 1}, one_row), (Values{1}));
  const Window square = {.size = {2, 2}, .start = {1, 1}, .end = {1, 1}};
  EXPECT_EQ(Grad({1, 1}, {7}, {2, 2}, {1e8f, 1, -1e8f, 1}, square), (Values{1}));
}

// B13: the sum starts from +0, whatever its one term.
TEST(MaxPoolingGrad, NegativeZeroAloneBecomesPositiveZero) {
  const Values result = Grad({1, 2}, {1, 2}, {1, 1}, {-0.0f}, {.size = {1, 2}});
  EXPECT_EQ(std::bit_cast<uint32_t>(result[0]), 0u);
  EXPECT_EQ(std::bit_cast<uint32_t>(result[1]), 0u);
}

// B13: as IEEE says. B3: a NaN gradient stays where it belongs.
TEST(MaxPoolingGrad, OppositeInfinitiesGiveNan) {
  const Values result = Grad({1, 3}, {0, 1, 0}, {1, 2}, {kInfinity, -kInfinity}, {.size = {1, 2}});
  EXPECT_EQ(result[0], 0);
  EXPECT_TRUE(std::isnan(result[1]));
  EXPECT_EQ(result[2], 0);
}

// MG-11
TEST(MaxPoolingGrad, GivesTheChecksumsOfAPaddedImage) {
  Values x(2 * 3 * 32 * 32), dy(2 * 3 * 17 * 17);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(test::Pattern(i, 1009, 613));
  for (size_t i = 0; i < dy.size(); ++i) dy[i] = static_cast<float>(test::Pattern(i, 257, 97));
  const Values dx = Grad({2, 3, 32, 32}, x, {2, 3, 17, 17}, dy,
                         {.size = {3, 3}, .strides = {2, 2}, .start = {1, 1}, .end = {1, 1}});
  double s1 = 0, s2 = 0;
  for (size_t j = 0; j < dx.size(); ++j) {
    s1 += dx[j];
    s2 += static_cast<double>(j % 101 + 1) * dx[j];
  }
  EXPECT_EQ(s1, -266);
  EXPECT_EQ(s2, -23509);
}

// The table from 4_0 on: depth comes first, and the tie rule counts it.
TEST(MaxPoolingGrad, TakesVolumes) {
  EXPECT_EQ(
      Grad({1, 1, 2, 1, 3}, {1, 5, 2, 5, 4, 6}, {1, 1, 1, 1, 2}, {10, 20}, {.size = {2, 1, 2}}),
      (Values{0, 10, 0, 0, 0, 20}));
}

// P11: no upper limit. Only arithmetic can step over four billion taps.
TEST(MaxPoolingGrad, TakesAttributesNearTwoToThe32) {
  constexpr UINT kMax = 0xFFFFFFFF;
  EXPECT_EQ(Grad({1, 3}, {1, 3, 2}, {1, 2}, {5, 7},
                 {.size = {1, kMax}, .strides = {1, kMax}, .start = {0, kMax}, .end = {0, kMax}}),
            (Values{0, 7, 0}));
  EXPECT_EQ(Grad({1, 2}, {1, 3}, {1, 2}, {5, 7},
                 {.size = {1, 3},
                  .strides = {1, 0x80000001},
                  .start = {0, 0x80000000},
                  .end = {0, kMax - 1},
                  .dilations = {1, 0x80000000}}),
            (Values{5, 7}));
  EXPECT_EQ(Grad({2, 2}, {1, 3, 4, 2}, {1, 1}, {5}, {.size = {2, 2}, .strides = {kMax, kMax}}),
            (Values{0, 0, 5, 0}));
}

// B15: the overhang of a ceil size may be nearly one stride.
TEST(MaxPoolingGrad, DropsTheGradientOfAnOverhangWithoutTaps) {
  EXPECT_EQ(Grad({1, 3}, {1, 3, 2}, {1, 2}, {5, 7}, {.size = {1, 2}, .strides = {1, 0xFFFFFFFF}}),
            (Values{0, 5, 0}));
}

}  // namespace
}  // namespace anydml::max_pooling
