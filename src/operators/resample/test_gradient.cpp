// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about RESAMPLE_GRAD and RESAMPLE_GRAD1: every sentence of
// their pages, the acceptance cases RS, and the rulings B7 to B13.
#include <gtest/gtest.h>

#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>

#include "support/run.h"

namespace anydml::resample {
namespace {

using test::Count;
using test::In;
using test::Tensor;
using Floats = std::vector<float>;
using Sizes = std::vector<UINT>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr auto kNearest = DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR;
constexpr auto kLinear = DML_INTERPOLATION_MODE_LINEAR;
constexpr auto kCeil = DML_AXIS_DIRECTION_INCREASING;
constexpr auto kFloor = DML_AXIS_DIRECTION_DECREASING;

// One description. The same two offsets serve every axis.
struct Settings {
  DML_INTERPOLATION_MODE mode = kNearest;
  DML_AXIS_DIRECTION rounding = kFloor;
  Floats scales = {1};
  float in = 0;
  float out = 0;
  DeviceOptions options = {};
};

template <typename T = float>
std::vector<T> Grad1(const Sizes& from, const Sizes& to, const Settings& s,
                     const std::vector<T>& dy) {
  const auto type = sizeof(T) == 2 ? DML_TENSOR_DATA_TYPE_FLOAT16 : DML_TENSOR_DATA_TYPE_FLOAT32;
  const Tensor input(type, from), output(type, to);
  const Floats in(from.size(), s.in), out(from.size(), s.out);
  const DML_RESAMPLE_GRAD1_OPERATOR_DESC desc = {
      input,           output,    s.mode,    s.rounding, static_cast<UINT>(from.size()),
      s.scales.data(), in.data(), out.data()};
  return test::RunOn<T>(DML_OPERATOR_RESAMPLE_GRAD1, &desc, {In(dy)}, Count(to), 0, s.options);
}

Floats Grad(const Sizes& from, const Sizes& to, const Settings& s, const Floats& dy) {
  const Tensor input(DML_TENSOR_DATA_TYPE_FLOAT32, from), output(DML_TENSOR_DATA_TYPE_FLOAT32, to);
  const Floats in(from.size(), s.in), out(from.size(), s.out);
  const DML_RESAMPLE_GRAD_OPERATOR_DESC desc = {
      input,           output,    s.mode,    static_cast<UINT>(from.size()),
      s.scales.data(), in.data(), out.data()};
  return test::RunOn<float>(DML_OPERATOR_RESAMPLE_GRAD, &desc, {In(dy)}, Count(to), 0, s.options);
}

// RS-01, RS-P4 to RS-P7. The page gives no offsets; these lead to its picture (B9).
TEST(ResampleGrad1, GivesTheDocumentedExample) {
  const Floats expected = {9, 6, 0, 0}, scales = {0.5f, 1.5f};
  for (auto [in, out] : {std::pair{0.5f, -0.5f}, {0.0f, 0.0f}, {0.0f, 0.5f}, {-0.5f, 0.5f}}) {
    const Settings s = {.rounding = kFloor, .scales = scales, .in = in, .out = out};
    EXPECT_EQ(Grad1<float>({1, 3}, {2, 2}, s, {4, 5, 6}), expected) << in << ' ' << out;
  }
  for (auto [in, out] : {std::pair{0.5f, 0.5f}, {1.0f, -0.5f}, {1.0f, 0.0f}}) {
    const Settings s = {.rounding = kCeil, .scales = scales, .in = in, .out = out};
    EXPECT_EQ(Grad1<float>({1, 3}, {2, 2}, s, {4, 5, 6}), expected) << in << ' ' << out;
  }
}

// RS-02, RS-P13
TEST(ResampleGrad1, RoundsAsTheRoundingDirectionSays) {
  Settings s = {.rounding = kCeil, .scales = {0.5f, 1.5f}, .in = 0.5f, .out = -0.5f};
  EXPECT_EQ(Grad1<float>({1, 3}, {2, 2}, s, {4, 5, 6}), (Floats{0, 0, 4, 11}));
  s = {.rounding = kFloor, .scales = {0.5f, 1.5f}, .in = 0, .out = -0.5f};
  EXPECT_EQ(Grad1<float>({1, 3}, {2, 2}, s, {4, 5, 6}), (Floats{0, 0, 4, 11}));
}

// RS-03, B8, B9
TEST(ResampleGrad, RoundsHalvesUp) {
  Settings s = {.scales = {0.5f, 1.5f}, .in = 0.5f, .out = -0.5f};
  EXPECT_EQ(Grad({1, 3}, {2, 2}, s, {4, 5, 6}), (Floats{0, 0, 4, 11}));
  for (auto [in, out] : {std::pair{0.5f, 0.0f}, {0.0f, 0.5f}, {0.5f, 0.5f}, {1.0f, -0.5f}}) {
    s.in = in;
    s.out = out;
    EXPECT_EQ(Grad({1, 3}, {2, 2}, s, {4, 5, 6}), (Floats{9, 6, 0, 0})) << in << ' ' << out;
  }
}

// RS-04 and RS-P19: the two versions agree for LINEAR.
TEST(ResampleGrad1, SpreadsALinearGradientOverTwoNeighbours) {
  Settings s = {.mode = kLinear, .scales = {2}, .in = 0.5f, .out = -0.5f};
  EXPECT_EQ(Grad1<float>({4}, {2}, s, {1, 2, 4, 8}), (Floats{3.5f, 11.5f}));
  EXPECT_EQ(Grad({4}, {2}, s, {1, 2, 4, 8}), (Floats{3.5f, 11.5f}));
  s.scales = {1.5f};
  EXPECT_EQ(Grad1<float>({3}, {2}, s, {1, 2, 4}), (Floats{2, 5}));
  EXPECT_EQ(Grad({3}, {2}, s, {1, 2, 4}), (Floats{2, 5}));
}

// B10: "each offset belongs to its own tensor", an option of the device.
TEST(ResampleGrad1, ExchangesThePixelOffsetsWhenTheDeviceSaysSo) {
  const Settings s = {.mode = kLinear,
                      .scales = {2},
                      .in = 0.5f,
                      .out = -0.5f,
                      .options = {.exchange_pixel_offsets = true}};
  EXPECT_EQ(Grad1<float>({4}, {2}, s, {1, 2, 4, 8}), (Floats{1.25f, 13.75f}));
  EXPECT_EQ(Grad({4}, {2}, s, {1, 2, 4, 8}), (Floats{1.25f, 13.75f}));
}

// B8 shifts the forward operator's input offset, so it follows an exchange:
// arrays in 0 / out 0.5 exchanged are in 0.5 / out 0, floor(o / 2) at scale 2.
TEST(ResampleGrad, RoundsHalvesUpAfterAnExchange) {
  const Settings s = {
      .scales = {2}, .in = 0, .out = 0.5f, .options = {.exchange_pixel_offsets = true}};
  EXPECT_EQ(Grad({4}, {2}, s, {1, 2, 4, 8}), (Floats{3, 12}));
}

// RS-05
TEST(ResampleGrad1, IgnoresTheRoundingDirectionInLinearMode) {
  for (auto rounding : {kFloor, kCeil}) {
    const Settings s = {.mode = kLinear, .rounding = rounding, .scales = {2}};
    EXPECT_EQ(Grad1<float>({5}, {3}, s, {1, 2, 4, 8, 16}), (Floats{2, 9, 20}));
  }
}

// RS-06 and B7: coordinates are single precision with a true division; double
// would give {0, 2}, a reciprocal other taps again.
TEST(ResampleGrad1, ComputesCoordinatesInSinglePrecision) {
  EXPECT_EQ(Grad1<float>({2}, {6}, {.scales = {1.0f / 3}}, {1, 2}), (Floats{1, 0, 0, 2, 0, 0}));
  Floats dy(10), expected(30);
  for (int i = 0; i < 10; ++i) expected[3 * i] = dy[i] = static_cast<float>(i + 1);
  EXPECT_EQ(Grad1<float>({10}, {30}, {.scales = {1.0f / 3}}, dy), expected);
  Floats seventh(14);
  seventh[0] = 1;
  seventh[6] = 2;  // the quotient is 6.9999995
  EXPECT_EQ(Grad1<float>({2}, {14}, {.scales = {1.0f / 7}}, {1, 2}), seventh);
}

// B7: above 2^22 elements the same expression is double, where 1 / float(1/3)
// is less than 3.
TEST(ResampleGrad1, ComputesCoordinatesOfLongAxesInDoublePrecision) {
  for (auto [size, pixel] : {std::pair{1u << 22, 3}, {(1u << 22) + 1, 2}}) {
    const Floats dx = Grad1<float>({2}, {size}, {.scales = {1.0f / 3}}, {1, 2});
    EXPECT_EQ(dx[0], 1);
    EXPECT_EQ(dx[pixel], 2) << size;
    EXPECT_EQ(dx[5 - pixel], 0) << size;
  }
}

// RS-07, B11: onnxruntime says "everything maps to pixel 0" with FLT_MAX.
TEST(ResampleGrad1, TakesTheLargestScaleAndSubnormalOnes) {
  EXPECT_EQ(Grad1<float>({3}, {5}, {.scales = {FLT_MAX}}, {1, 2, 4}), (Floats{7, 0, 0, 0, 0}));
  // 1 / 1e-45 overflows to infinity, and the clamp follows.
  EXPECT_EQ(Grad1<float>({3}, {5}, {.scales = {1e-45f}}, {1, 2, 4}), (Floats{1, 0, 0, 0, 6}));
  const Settings far = {.mode = kLinear, .scales = {1}, .in = -FLT_MAX};
  EXPECT_EQ(Grad1<float>({3}, {2}, far, {1, 2, 4}), (Floats{0, 7}));
}

// B11: the gradient of all samples comes to the place that they read.
TEST(ResampleGrad1, GathersAtOnePlaceWhereTheScaleIsInfinite) {
  const Floats dy = {1, 2, 4};
  EXPECT_EQ(Grad1<float>({3}, {5}, {.scales = {kInfinity}}, dy), (Floats{7, 0, 0, 0, 0}));
  EXPECT_EQ(Grad1<float>({3}, {5}, {.scales = {kInfinity}, .in = -3}, dy), (Floats{0, 0, 0, 7, 0}));
  const Settings between = {.mode = kLinear, .scales = {kInfinity}, .in = -1.5f, .out = 9};
  EXPECT_EQ(Grad1<float>({3}, {5}, between, dy), (Floats{0, 3.5f, 3.5f, 0, 0}));
}

// RS-08, B12, RS-P16
TEST(ResampleGrad1, CropsAndAddsClampedSamplesToTheEdge) {
  EXPECT_EQ(Grad1<float>({3}, {4}, {.scales = {2}}, {1, 2, 4}), (Floats{3, 4, 0, 0}));
  EXPECT_EQ(Grad1<float>({5}, {2}, {.scales = {1}}, {1, 2, 4, 8, 16}), (Floats{1, 30}));
  const Settings linear = {.mode = kLinear, .scales = {1}};
  EXPECT_EQ(Grad1<float>({5}, {2}, linear, {1, 2, 4, 8, 16}), (Floats{1, 30}));
}

// RS-09, RS-P17, RS-P18
TEST(ResampleGrad1, ShiftsByEitherOffset) {
  const Floats dy = {1, 2, 4, 8};
  EXPECT_EQ(Grad1<float>({4}, {4}, {.in = 1}, dy), (Floats{3, 4, 8, 0}));
  EXPECT_EQ(Grad1<float>({4}, {4}, {.in = -1}, dy), (Floats{0, 1, 2, 12}));
  EXPECT_EQ(Grad1<float>({4}, {4}, {.out = 2}, dy), (Floats{7, 8, 0, 0}));
}

// RS-10
TEST(ResampleGrad1, GivesWholeWeightToASampleOnAPixel) {
  const Settings s = {.mode = kLinear, .scales = {1.0f / 3}, .in = 0.5f, .out = -0.5f};
  EXPECT_EQ(Grad1<float>({2}, {6}, s, {1, 2}), (Floats{0, 1, 0, 0, 2, 0}));
}

// RS-11, B13: accumulation in half precision would stop at 1024.
TEST(ResampleGrad1, AccumulatesHalvesInSinglePrecision) {
  const std::vector<uint16_t> dy(4096, ToFloat16(0.5f).bits);
  EXPECT_EQ(Grad1<uint16_t>({4096}, {1}, {.scales = {4096}}, dy),
            (std::vector<uint16_t>{ToFloat16(2048).bits}));
}

// B13: rounded once at the end, from 65520 on to infinity.
TEST(ResampleGrad1, RoundsHalvesOnceAndOverflowsToInfinity) {
  const auto half = [](float value) { return ToFloat16(value).bits; };
  const Settings all = {.scales = {3}};
  // 2048 + 1 + 1 is a half; 2048 + 1 is not and rounds back to 2048.
  EXPECT_EQ(Grad1<uint16_t>({3}, {1}, all, {half(2048), half(1), half(1)})[0], half(2050));
  EXPECT_EQ(Grad1<uint16_t>({3}, {1}, all, {half(65504), half(8), half(8)})[0], half(kInfinity));
  EXPECT_EQ(Grad1<uint16_t>({3}, {1}, all, {half(65504), half(8), half(0)})[0], half(65504));
}

// The trap of A3, example 6: (0.5, -0.5) with DECREASING picks {0, 0, 0, 1}.
TEST(ResampleGrad1, NeedsOtherOffsetsThanCentresForTheUsualNearestUpsampling) {
  Floats dy(16);
  for (int i = 0; i < 16; ++i) dy[i] = static_cast<float>(i);
  const Settings centres = {.scales = {2, 2}, .in = 0.5f, .out = -0.5f};
  EXPECT_EQ(Grad1<float>({4, 4}, {2, 2}, centres, dy), (Floats{45, 21, 39, 15}));
  for (float out : {0.0f, -0.5f}) {
    const Settings usual = {.scales = {2, 2}, .in = 0, .out = out};
    EXPECT_EQ(Grad1<float>({4, 4}, {2, 2}, usual, dy), (Floats{10, 18, 42, 50}));
  }
}

// RS-P20: the page's recipe for RESAMPLE_GRAD, "OutputPixelOffsets adjusted by
// an additional -0.5", holds at Scale 1 only; ours shifts the input offset (B8).
TEST(ResampleGrad, FollowsThePagesRecipeAtScaleOneOnly) {
  const Floats dy = {1, 2, 4, 8};
  EXPECT_EQ(Grad({4}, {4}, {.in = 0.25f}, dy), dy);  // floor(o + 0.25)
  EXPECT_EQ(Grad1<float>({4}, {4}, {.scales = {1}, .in = 0.25f, .out = -0.5f}, dy), dy);
  const Settings two = {.scales = {2}, .in = 0.5f, .out = -0.5f};
  EXPECT_EQ(Grad({4}, {2}, two, dy), (Floats{3, 12}));
  EXPECT_EQ(Grad1<float>({4}, {2}, {.scales = {2}, .in = 0.5f, .out = -1}, dy), (Floats{3, 12}));
  const Settings third = {.scales = {1.0f / 3}, .in = 0.5f, .out = -0.5f};
  EXPECT_EQ(Grad({2}, {6}, third, {1, 2}), (Floats{0, 1, 0, 0, 2, 0}));
  EXPECT_EQ(Grad1<float>({2}, {6}, {.scales = {1.0f / 3}, .in = 0.5f, .out = -1}, {1, 2}),
            (Floats{0, 0, 1, 0, 0, 2}));
}

std::vector<uint32_t> Bits(const Floats& values) {
  std::vector<uint32_t> bits;
  for (float value : values) bits.push_back(std::bit_cast<uint32_t>(value));
  return bits;
}

// B13: nothing changes, so nothing is added: signs of zero and NaN survive.
TEST(ResampleGrad1, CopiesBitsWhenNoAxisChanges) {
  const Floats dy = {-0.0f, std::bit_cast<float>(0xFFC12345u), std::bit_cast<float>(0x7F800001u)};
  EXPECT_EQ(Bits(Grad1<float>({1, 3}, {1, 3}, {.scales = {1, 1}}, dy)), Bits(dy));
  const std::vector<uint16_t> halves = {0x8000, 0x7D01, 0xFE55, 0x0001};
  EXPECT_EQ(Grad1<uint16_t>({4}, {4}, {.mode = kLinear}, halves), halves);
}

// B13: every sum starts from +0, also one of a single term or of none.
TEST(ResampleGrad1, WritesPositiveZeroForSumsOfNegativeZeros) {
  EXPECT_EQ(Bits(Grad1<float>({2}, {4}, {.scales = {0.5f}}, {-0.0f, -0.0f})),
            (std::vector<uint32_t>{0, 0, 0, 0}));
}

// Where no tap names an element, infinities elsewhere do not reach it.
TEST(ResampleGrad1, KeepsInfinityAndNanToTheirTaps) {
  const Floats dx = Grad1<float>({3}, {4}, {.mode = kLinear}, {kInfinity, kNan, 1});
  EXPECT_EQ(dx[0], kInfinity);
  EXPECT_TRUE(std::isnan(dx[1]));
  EXPECT_EQ(dx[2], 1);
  EXPECT_EQ(dx[3], 0);
  EXPECT_TRUE(std::isnan(Grad1<float>({2}, {1}, {.scales = {2}}, {kInfinity, -kInfinity})[0]));
}

// B13: a weight that rounds to 0 is no tap. The coordinate is 1e-70, which only
// the double precision of a long axis can hold.
TEST(ResampleGrad1, DropsAWeightThatRoundsToZero) {
  const Settings s = {.mode = kLinear, .scales = {1e30f}, .in = 0, .out = -1e-40f};
  const Floats dx = Grad1<float>({1}, {(1u << 22) + 1}, s, {kInfinity});
  EXPECT_EQ(dx[0], kInfinity);
  EXPECT_EQ(dx[1], 0);
}

// Axis by axis, last axis first, in float: (2^24 + 1) rounds to 2^24 along the
// last axis before the rows meet; rows first would keep the 2.
TEST(ResampleGrad1, AddsAlongTheLastAxisFirst) {
  const Settings s = {.scales = {2, 2}};
  EXPECT_EQ(Grad1<float>({2, 2}, {1, 1}, s, {0x1p24f, 1, 0, 1}), (Floats{0x1p24f}));
  EXPECT_EQ(Grad1<float>({2, 2}, {1, 1}, s, {0x1p24f, 0, 1, 1}), (Floats{0x1p24f + 2}));
}

// Both axes are too long for tables of taps; the longer ones have coordinates in
// double precision (B7).
TEST(ResampleGrad1, HandlesAxesThatAreTooLongForTables) {
  for (const UINT n : {(1u << 20) + 1, (1u << 21) + 1}) {
    const UINT m = 2 * n;
    Floats dy(m), expected(n);
    for (UINT o = 0; o < m; ++o) {  // x = o / 2, and the last sample lies beyond the edge
      dy[o] = static_cast<float>(test::Pattern(o, 101, 13));
      const bool halfway = o % 2 == 1 && o + 1 < m;
      expected[o / 2] += halfway ? dy[o] / 2 : dy[o];
      if (halfway) expected[o / 2 + 1] += dy[o] / 2;
    }
    EXPECT_TRUE(Grad1<float>({m}, {n}, {.mode = kLinear, .scales = {2}}, dy) == expected);
  }
}

TEST(ResampleGrad1, AddsMillionsOfSamplesOfOnePixel) {
  const UINT m = (1u << 22) + 3;
  const Floats dx = Grad1<float>({m}, {3}, {.scales = {0x1p20f}, .in = 1}, Floats(m, 1));
  EXPECT_EQ(dx, (Floats{0x1p21f, 0x1p20f, 0x1p20f + 3}));
}

}  // namespace
}  // namespace anydml::resample
