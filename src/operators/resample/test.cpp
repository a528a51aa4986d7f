// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about the RESAMPLE family: the sentences of its five pages
// and the rulings B7, B8, B12, B13, B26 and B84.
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cfloat>
#include <limits>

#include "support/run.h"

namespace anydml::resample {
namespace {

using test::Count;
using test::In;
using test::Tensor;
using Floats = std::vector<float>;
using Sizes = std::vector<UINT>;

constexpr auto kNearest = DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR;
constexpr auto kLinear = DML_INTERPOLATION_MODE_LINEAR;
constexpr auto kCeil = DML_AXIS_DIRECTION_INCREASING;
constexpr auto kFloor = DML_AXIS_DIRECTION_DECREASING;

template <typename T>
constexpr DML_TENSOR_DATA_TYPE TypeOf() {
  if (std::is_same_v<T, int8_t>) return DML_TENSOR_DATA_TYPE_INT8;
  if (std::is_same_v<T, uint8_t>) return DML_TENSOR_DATA_TYPE_UINT8;
  return sizeof(T) == 2 ? DML_TENSOR_DATA_TYPE_FLOAT16 : DML_TENSOR_DATA_TYPE_FLOAT32;
}

// One description. The same two offsets serve every axis.
struct Settings {
  DML_INTERPOLATION_MODE mode = kNearest;
  DML_AXIS_DIRECTION rounding = kFloor;
  Floats scales = {1};
  float in = 0;
  float out = 0;
};

template <typename T>
std::vector<T> Resample(const Sizes& from, const Sizes& to, const Settings& s,
                        const std::vector<T>& x) {
  const Tensor input(TypeOf<T>(), from), output(TypeOf<T>(), to);
  const DML_RESAMPLE_OPERATOR_DESC desc = {input, output, s.mode, static_cast<UINT>(from.size()),
                                           s.scales.data()};
  return test::RunOn<T>(DML_OPERATOR_RESAMPLE, &desc, {In(x)}, Count(to));
}

template <typename T>
std::vector<T> Resample1(const Sizes& from, const Sizes& to, const Settings& s,
                         const std::vector<T>& x) {
  const Tensor input(TypeOf<T>(), from), output(TypeOf<T>(), to);
  const Floats in(from.size(), s.in), out(from.size(), s.out);
  const DML_RESAMPLE1_OPERATOR_DESC desc = {
      input,           output,    s.mode,    static_cast<UINT>(from.size()),
      s.scales.data(), in.data(), out.data()};
  return test::RunOn<T>(DML_OPERATOR_RESAMPLE1, &desc, {In(x)}, Count(to));
}

// RESAMPLE2, and RESAMPLE3 without antialiasing, which must agree.
template <typename T>
std::vector<T> Resample2(const Sizes& from, const Sizes& to, const Settings& s,
                         const std::vector<T>& x) {
  const Tensor input(TypeOf<T>(), from), output(TypeOf<T>(), to);
  const Floats in(from.size(), s.in), out(from.size(), s.out);
  const auto count = static_cast<UINT>(from.size());
  const DML_RESAMPLE2_OPERATOR_DESC desc = {input, output,          s.mode,    s.rounding,
                                            count, s.scales.data(), in.data(), out.data()};
  const DML_RESAMPLE3_OPERATOR_DESC desc3 = {
      input, output, s.mode, s.rounding, count, s.scales.data(), in.data(), out.data(), FALSE};
  const auto result = test::RunOn<T>(DML_OPERATOR_RESAMPLE2, &desc, {In(x)}, Count(to));
  const auto result3 = test::RunOn<T>(DML_OPERATOR_RESAMPLE3, &desc3, {In(x)}, Count(to));
  EXPECT_EQ(std::memcmp(result.data(), result3.data(), result.size() * sizeof(T)), 0);
  return result;
}

// The picture on the gradients' pages: NEAREST, 1.5 times the width, half the height.
TEST(Resample2, GivesTheDocumentedExample) {
  const Settings s = {.scales = {0.5f, 1.5f}, .in = 0.5f, .out = -0.5f};
  EXPECT_EQ(Resample2<float>({2, 2}, {1, 3}, s, {1, 2, 3, 4}), (Floats{1, 1, 2}));
}

// "Increasing" is ceil and "decreasing" is floor.
TEST(Resample2, RoundsAsTheRoundingDirectionSays) {
  Settings s = {.rounding = kFloor, .scales = {2}};
  EXPECT_EQ(Resample2<float>({3}, {5}, s, {1, 2, 3}), (Floats{1, 1, 2, 2, 3}));
  s.rounding = kCeil;
  EXPECT_EQ(Resample2<float>({3}, {5}, s, {1, 2, 3}), (Floats{1, 2, 2, 3, 3}));
}

// RESAMPLE1 has no RoundingDirection: floor(x + 0.5) (B8).
TEST(Resample1, RoundsHalvesUp) {
  EXPECT_EQ(Resample1<float>({3}, {5}, {.scales = {2}}, {1, 2, 3}), (Floats{1, 2, 2, 3, 3}));
  EXPECT_EQ(Resample1<float>({3}, {9}, {.scales = {4}}, {1, 2, 3}),
            (Floats{1, 1, 2, 2, 2, 2, 3, 3, 3}));
}

// "To obtain the behaviour of RESAMPLE": offsets 0.5 and -0.5.
TEST(Resample, IsResample1AtTheCentresOfPixels) {
  const Floats x = {1, 2, 4, 8};
  const Settings nearest = {.scales = {2}, .in = 0.5f, .out = -0.5f};
  EXPECT_EQ(Resample<float>({4}, {8}, nearest, x), (Floats{1, 1, 2, 2, 4, 4, 8, 8}));
  EXPECT_EQ(Resample1<float>({4}, {8}, nearest, x), (Floats{1, 1, 2, 2, 4, 4, 8, 8}));
  const Settings linear = {.mode = kLinear, .scales = {2}, .in = 0.5f, .out = -0.5f};
  const Floats expected = {1, 1.25f, 1.75f, 2.5f, 3.5f, 5, 7, 8};
  EXPECT_EQ(Resample<float>({4}, {8}, linear, x), expected);
  EXPECT_EQ(Resample1<float>({4}, {8}, linear, x), expected);
  EXPECT_EQ(Resample2<float>({4}, {8}, linear, x), expected);
}

// "A weighted average of the 2 nearest neighbours per dimension": 4 elements in
// two dimensions, 16 in four.
TEST(Resample2, AveragesNeighboursInEveryDimension) {
  const Settings two = {.mode = kLinear, .scales = {1, 1}, .in = -0.5f};
  EXPECT_EQ(Resample2<float>({2, 2}, {1, 1}, two, {1, 2, 4, 9}), (Floats{4}));
  Floats x(16);
  for (int i = 0; i < 16; ++i) x[i] = static_cast<float>(i);
  const Settings four = {.mode = kLinear, .scales = {1, 1, 1, 1}, .in = -0.5f};
  EXPECT_EQ(Resample2<float>({2, 2, 2, 2}, {1, 1, 1, 1}, four, x), (Floats{7.5f}));
}

// Batch and channel are axes like all others.
TEST(Resample2, ResamplesBatchAndChannelToo) {
  const Settings s = {.scales = {2, 0.5f, 1, 1}};
  EXPECT_EQ(Resample2<float>({1, 2, 1, 2}, {2, 1, 1, 2}, s, {1, 2, 3, 4}), (Floats{1, 2, 1, 2}));
}

// Scales need not be OutputSize / InputSize: "cropped" and "clamped" (B12).
TEST(Resample2, CropsWhatIsTooLargeAndRepeatsTheEdge) {
  EXPECT_EQ(Resample2<float>({4}, {3}, {.scales = {2}}, {1, 2, 3, 4}), (Floats{1, 1, 2}));
  EXPECT_EQ(Resample2<float>({2}, {5}, {.scales = {1}}, {1, 2}), (Floats{1, 2, 2, 2, 2}));
  const Settings linear = {.mode = kLinear, .scales = {1}, .in = 0.5f};
  EXPECT_EQ(Resample2<float>({2}, {5}, linear, {1, 2}), (Floats{1, 1.5f, 2, 2, 2}));
  EXPECT_EQ(Resample2<float>({5}, {3}, {.scales = {FLT_MAX}}, {7, 2, 3, 4, 5}), (Floats{7, 7, 7}));
}

// B11: every quotient is 0, so that the offset of the input says which pixel is read.
TEST(Resample2, ReadsOnePlaceWhereTheScaleIsInfinite) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Floats x = {7, 2, 3, 4, 5};
  EXPECT_EQ(Resample2<float>({5}, {3}, {.scales = {kInfinity}}, x), (Floats{7, 7, 7}));
  EXPECT_EQ(Resample2<float>({5}, {3}, {.rounding = kCeil, .scales = {kInfinity}}, x),
            (Floats{7, 7, 7}));
  EXPECT_EQ(Resample2<float>({5}, {2}, {.scales = {kInfinity}, .in = -3, .out = 9}, x),
            (Floats{4, 4}));
  const Settings between = {.mode = kLinear, .scales = {kInfinity}, .in = -1.5f};
  EXPECT_EQ(Resample2<float>({5}, {2}, between, x), (Floats{2.5f, 2.5f}));
  EXPECT_EQ(Resample<float>({2}, {3}, {.scales = {kInfinity}}, {7, 2}), (Floats{7, 7, 7}));
}

// OutputX = (InputX + InputPixelOffset) * Scale + OutputPixelOffset.
TEST(Resample2, AppliesTheInputOffsetBeforeScalingAndTheOutputOffsetAfter) {
  const Floats x = {1, 2, 3, 4};
  EXPECT_EQ(Resample2<float>({4}, {8}, {.scales = {2}, .in = 1}, x),
            (Floats{1, 1, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(Resample2<float>({4}, {8}, {.scales = {2}, .out = 1}, x),
            (Floats{1, 1, 1, 2, 2, 3, 3, 4}));
}

// The page's recipe "OutputPixelOffsets adjusted an additional -0.5" makes
// RESAMPLE1 of RESAMPLE2 at Scale 1 only; the input offset does so always (B8).
TEST(Resample2, IsResample1WithHalfLessOnTheInputOffset) {
  const Floats x = {1, 2, 3, 4, 5, 6};
  const Settings one = {.scales = {1.0f / 3}, .in = 0.5f, .out = -0.5f};
  EXPECT_EQ(Resample1<float>({6}, {2}, one, x), (Floats{2, 5}));
  const Settings by_input = {.scales = {1.0f / 3}, .in = 0, .out = -0.5f};
  EXPECT_EQ(Resample2<float>({6}, {2}, by_input, x), (Floats{2, 5}));
  const Settings by_page = {.scales = {1.0f / 3}, .in = 0.5f, .out = -1};
  EXPECT_EQ(Resample2<float>({6}, {2}, by_page, x), (Floats{3, 6}));
}

// B26: the float result is rounded to nearest even and saturated.
TEST(Resample2, RoundsIntegersToNearestEven) {
  const Settings halfway = {.mode = kLinear, .scales = {1}, .in = -0.5f};
  EXPECT_EQ(Resample2<uint8_t>({5}, {4}, halfway, {0, 1, 2, 3, 5}),
            (std::vector<uint8_t>{0, 2, 2, 4}));
  EXPECT_EQ(Resample2<int8_t>({5}, {4}, halfway, {0, -1, -2, -3, 4}),
            (std::vector<int8_t>{0, -2, -2, 0}));
  EXPECT_EQ(Resample2<uint8_t>({2}, {1}, halfway, {254, 255}), (std::vector<uint8_t>{254}));
  EXPECT_EQ(Resample2<int8_t>({2}, {1}, halfway, {-128, -127}), (std::vector<int8_t>{-128}));
}

TEST(Resample, ResamplesIntegersInEveryVersion) {
  const std::vector<int8_t> x = {-128, 127}, expected = {-128, -128, 127, 127};
  EXPECT_EQ(Resample<int8_t>({2}, {4}, {.scales = {2}}, x), expected);
  EXPECT_EQ(Resample1<int8_t>({2}, {4}, {.scales = {2}, .in = 0.5f, .out = -0.5f}, x), expected);
  EXPECT_EQ(Resample2<int8_t>({2}, {4}, {.scales = {2}}, x), expected);
}

// B13: float between the axes, rounded once at the end.
TEST(Resample2, RoundsHalvesOnce) {
  const auto half = [](float value) { return ToFloat16(value).bits; };
  const Settings halfway = {.mode = kLinear, .scales = {1, 1}, .in = -0.5f};
  // The rows give 1 and 1025.5, which average to 513.25: the half 513. A half
  // between the axes would make 1026 of 1025.5, and then 513.5.
  EXPECT_EQ(
      Resample2<uint16_t>({2, 2}, {1, 1}, halfway, {half(1), half(1), half(1), half(2050)})[0],
      half(513));
}

// B13: if every axis is skipped the result is a bit copy; otherwise sums start
// from +0, so that a single -0 becomes +0.
TEST(Resample2, CopiesBitsOnlyWhenNoAxisChanges) {
  const std::vector<uint16_t> halves = {0x8000, 0x7D01, 0xFE55, 0x0001};
  EXPECT_EQ(Resample2<uint16_t>({4}, {4}, {.mode = kLinear}, halves), halves);
  EXPECT_EQ(Resample2<uint16_t>({1}, {2}, {.scales = {2}}, {0x8000}),
            (std::vector<uint16_t>{0, 0}));
}

// B7: 1 / float(1/3) is 3 in single precision and less in double, which axes
// above 2^22 elements use.
TEST(Resample2, ComputesCoordinatesInThePrecisionOfTheAxis) {
  for (auto [size, pixel] : {std::pair{1u << 22, 3}, {(1u << 22) + 1, 2}}) {
    Floats x(size);
    for (int i = 0; i < 6; ++i) x[i] = static_cast<float>(i);
    EXPECT_EQ(Resample2<float>({size}, {2}, {.scales = {1.0f / 3}}, x),
              (Floats{0, static_cast<float>(pixel)}));
  }
}

// Too long for a table of taps.
TEST(Resample2, HandlesLongAxes) {
  const UINT n = (1u << 21) + 1, m = 2 * n;
  Floats x(n), expected(m);
  for (UINT i = 0; i < n; ++i) x[i] = static_cast<float>(test::Pattern(i, 101, 13));
  for (UINT o = 0; o < m; ++o) {
    expected[o] = o % 2 == 0 || o + 1 == m ? x[o / 2] : (x[o / 2] + x[o / 2 + 1]) / 2;
  }
  EXPECT_TRUE(Resample2<float>({n}, {m}, {.mode = kLinear, .scales = {2}}, x) == expected);
}

// B7, B25: coordinates are IEEE arithmetic even where the application rounds
// down, which would turn 1 / float(1/3) into 2.9999998.
TEST(Resample2, DoesNotDependOnTheApplicationsRounding) {
  const Tensor input(DML_TENSOR_DATA_TYPE_FLOAT32, {6}), output(DML_TENSOR_DATA_TYPE_FLOAT32, {2});
  const float scale = 1.0f / 3, zero = 0;
  const DML_RESAMPLE2_OPERATOR_DESC desc = {input, output, kNearest, kFloor,
                                            1,     &scale, &zero,    &zero};
  const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_RESAMPLE2, &desc};
  const Floats x = {0, 1, 2, 3, 4, 5};
  Floats y(2);
  Bindings bindings;
  bindings.inputs[0] = x.data();
  bindings.outputs[0] = y.data();
  std::fesetround(FE_DOWNWARD);
  const Result<Operator> op = CreateOperator(&operator_desc, {});
  const Result<CpuProgram> program = Compile(op.value());
  const Status status = anydml::Run(program.value(), bindings, cpu::Executor(1));
  std::fesetround(FE_TONEAREST);
  ASSERT_TRUE(status.ok());
  EXPECT_EQ(y, (Floats{0, 3}));
}

std::string_view StrategyFor(DML_TENSOR_DATA_TYPE type, const Sizes& from, const Sizes& to,
                             const Sizes& from_strides = {}, const Sizes& to_strides = {}) {
  const Tensor input(type, from, from_strides), output(type, to, to_strides);
  Floats scales(from.size());
  for (size_t i = 0; i < from.size(); ++i) {
    scales[i] = static_cast<float>(to[i]) / static_cast<float>(from[i]);
  }
  const DML_RESAMPLE_OPERATOR_DESC desc = {input, output, kLinear, static_cast<UINT>(from.size()),
                                           scales.data()};
  const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_RESAMPLE, &desc};
  return Compile(CreateOperator(&operator_desc, {}).value()).value().strategy->name;
}

TEST(Resample, ChoosesByWhatTheDataLooksLike) {
  const auto type = DML_TENSOR_DATA_TYPE_FLOAT16;
  EXPECT_EQ(StrategyFor(type, {1, 3, 4, 5}, {1, 3, 8, 10}), "windowed_rows");
  EXPECT_EQ(StrategyFor(type, {1, 3, 4, 20}, {1, 3, 8, 40}), "doubled_rows");
  EXPECT_EQ(StrategyFor(type, {1, 3, 4, 40}, {1, 3, 8, 20}), "divided_rows");
  const Sizes channels_last = {60, 1, 15, 3}, larger_channels_last = {240, 1, 30, 3};
  EXPECT_EQ(StrategyFor(type, {1, 3, 4, 5}, {1, 3, 8, 10}, channels_last, larger_channels_last),
            "windowed_rows");
  const Sizes many_channels = {400, 1, 100, 20}, more_channels = {1600, 1, 200, 20};
  EXPECT_EQ(StrategyFor(type, {1, 20, 4, 5}, {1, 20, 8, 10}, many_channels, more_channels),
            "channels_last");
  const Sizes padded = {96, 32, 8, 1};
  EXPECT_EQ(StrategyFor(type, {1, 3, 4, 5}, {1, 3, 8, 10}, padded), "windowed_rows");
  EXPECT_EQ(StrategyFor(DML_TENSOR_DATA_TYPE_UINT8, {4, 5}, {8, 10}), "windowed_rows");
  EXPECT_EQ(StrategyFor(type, {2, 3, 4, 20}, {4, 6, 8, 20}), "pixel_rows");
  EXPECT_EQ(StrategyFor(type, {1, 3, 4, 5}, {1, 3, 8, 10}, channels_last), "strided");
  EXPECT_EQ(StrategyFor(type, {1, 3, 4, 5}, {1, 3, 4, 5}), "unchanged");
  EXPECT_EQ(StrategyFor(type, {1u << 21}, {1}), "long_axis");  // no table
}

std::vector<float> Upsample(const Sizes& from, DML_SIZE_2D scale, DML_INTERPOLATION_MODE mode,
                            const Floats& x, const Sizes& from_strides = {}) {
  Sizes to = from;
  to[to.size() - 1] *= scale.Width;
  to[to.size() - 2] *= scale.Height;
  const Tensor input(DML_TENSOR_DATA_TYPE_FLOAT32, from, from_strides);
  const Tensor output(DML_TENSOR_DATA_TYPE_FLOAT32, to);
  const DML_UPSAMPLE_2D_OPERATOR_DESC desc = {input, output, scale, mode};
  return test::RunOn<float>(DML_OPERATOR_UPSAMPLE_2D, &desc, {In(x)}, Count(to));
}

// in[h div Height, w div Width]; DML_SIZE_2D has the width first.
TEST(Upsample2D, RepeatsTheNearestPixel) {
  EXPECT_EQ(Upsample({1, 1, 1, 2}, {2, 3}, kNearest, {1, 2}),
            (Floats{1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2}));
}

// B84: RESAMPLE with the scales {1, 1, Height, Width}.
TEST(Upsample2D, IsResampleOfTheLastTwoDimensions) {
  Floats x(24);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * i % 17);
  for (const auto mode : {kNearest, kLinear}) {
    const Settings s = {.mode = mode, .scales = {1, 1, 3, 2}};
    EXPECT_EQ(Upsample({2, 1, 3, 4}, {2, 3}, mode, x),
              Resample<float>({2, 1, 3, 4}, {2, 1, 9, 8}, s, x));
  }
}

// "Samples are averaged across the width and height dimensions only", also of five: a volume is
// as many images, whatever the strides.
TEST(Upsample2D, LeavesBatchesChannelsAndDepthsApart) {
  Floats x(72), rotated(72);
  for (UINT i = 0; i < 72; ++i) x[i] = static_cast<float>(i * i % 31);
  const Sizes volume = {2, 3, 2, 2, 3}, images = {12, 1, 2, 3};
  for (UINT i = 0; i < 72; ++i) {  // the depth outermost
    rotated[(i / 6 % 2) * 36 + (i / 12) * 6 + i % 6] = x[i];
  }
  for (const auto mode : {kNearest, kLinear}) {
    const Floats expected = Upsample(images, {3, 2}, mode, x);
    EXPECT_EQ(Upsample(volume, {3, 2}, mode, x), expected);
    EXPECT_EQ(Upsample(volume, {3, 2}, mode, rotated, {18, 6, 36, 3, 1}), expected);
  }
}

}  // namespace
}  // namespace anydml::resample
