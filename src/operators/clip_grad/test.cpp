// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about ELEMENT_WISE_CLIP_GRAD and ELEMENT_WISE_CLIP_GRAD1: every
// sentence of their pages, and the acceptance cases CG.
#include <gtest/gtest.h>

#include <limits>

#include "support/run.h"
#include "support/scalar_union.h"

namespace anydml::clip_grad {
namespace {

using test::Bound;
using test::In;
using test::Tensor;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename T>
std::vector<T> ClipGrad1(DML_TENSOR_DATA_TYPE type, T min, T max, const std::vector<T>& x,
                         const std::vector<T>& dy) {
  const Tensor tensor(type, {static_cast<UINT>(x.size())});
  const DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC desc = {tensor, tensor,     tensor,
                                                          type,   Bound(min), Bound(max)};
  return test::RunOn<T>(DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD1, &desc, {In(x), In(dy)}, x.size());
}

template <typename T>
std::vector<T> ClipGrad(DML_TENSOR_DATA_TYPE type, float min, float max, const std::vector<T>& x,
                        const std::vector<T>& dy) {
  const Tensor tensor(type, {static_cast<UINT>(x.size())});
  const DML_ELEMENT_WISE_CLIP_GRAD_OPERATOR_DESC desc = {tensor, tensor, tensor, min, max};
  return test::RunOn<T>(DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD, &desc, {In(x), In(dy)}, x.size());
}

std::vector<float> ClipGrad1(float min, float max, const std::vector<float>& x,
                             const std::vector<float>& dy) {
  return ClipGrad1<float>(DML_TENSOR_DATA_TYPE_FLOAT32, min, max, x, dy);
}

// CG-01
TEST(ClipGrad1, PassesTheGradientStrictlyBetweenTheBoundsAndAtNan) {
  EXPECT_EQ(ClipGrad1(-1, 1, {-2, -1, 0, 1, 2, kNan}, {1, 2, 3, 4, 5, 6}),
            (std::vector<float>{0, 0, 3, 0, 0, 6}));
}

// CG-02, B5
TEST(ClipGrad1, GivesZeroEverywhereButAtNanWhenMinIsAboveMax) {
  EXPECT_EQ(ClipGrad1(1, -1, {-2, 0, 2, kNan}, {1, 2, 3, 4}), (std::vector<float>{0, 0, 0, 4}));
}

// CG-03, B2
TEST(ClipGrad1, IgnoresANanBound) {
  EXPECT_EQ(ClipGrad1(kNan, 1, {-2, 0, 2}, {1, 2, 3}), (std::vector<float>{1, 2, 0}));
  EXPECT_EQ(ClipGrad1(-1, kNan, {-2, 0, 2}, {1, 2, 3}), (std::vector<float>{0, 2, 3}));
}

// CG-04
TEST(ClipGrad1, ClosesInfiniteBoundsToo) {
  EXPECT_EQ(ClipGrad1(-kInfinity, kInfinity, {-kInfinity, -3e38f, 0, 3e38f, kInfinity, kNan},
                      {1, 2, 3, 4, 5, 6}),
            (std::vector<float>{0, 2, 3, 4, 0, 6}));
}

// CG-05: doubles cannot tell these apart.
TEST(ClipGrad1, ComparesWideIntegersExactly) {
  const uint64_t base = uint64_t{1} << 53;
  EXPECT_EQ(ClipGrad1<uint64_t>(DML_TENSOR_DATA_TYPE_UINT64, base, base + 2,
                                {base, base + 1, base + 2}, {7, 8, 9}),
            (std::vector<uint64_t>{0, 8, 0}));
  EXPECT_EQ(
      ClipGrad1<int64_t>(DML_TENSOR_DATA_TYPE_INT64, INT64_MIN, INT64_MAX,
                         {INT64_MIN, INT64_MIN + 1, 0, INT64_MAX - 1, INT64_MAX}, {1, 2, 3, 4, 5}),
      (std::vector<int64_t>{0, 2, 3, 4, 0}));
}

// CG-06
TEST(ClipGrad1, ComparesUnsignedBytesAsUnsigned) {
  EXPECT_EQ(ClipGrad1<uint8_t>(DML_TENSOR_DATA_TYPE_UINT8, 0, 255, {0, 1, 127, 254, 255},
                               {9, 8, 7, 6, 5}),
            (std::vector<uint8_t>{0, 8, 7, 6, 0}));
}

// CG-07. The union has no half member: the bits are in UInt16.
TEST(ClipGrad1, ReadsHalfBoundsAsBits) {
  const auto half = [](float value) { return ToFloat16(value).bits; };
  EXPECT_EQ(
      ClipGrad1<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16, 0xBC00, 0x3C00,
                          {half(-1), half(-0.99951171875f), half(0), half(0.99951171875f), half(1)},
                          {half(1), half(2), half(3), half(4), half(5)}),
      (std::vector<uint16_t>{0, half(2), half(3), half(4), 0}));
}

// CG-08, B4, B25
TEST(ClipGrad1, TakesZerosAsEqualAndSubnormalsAsNumbers) {
  EXPECT_EQ(ClipGrad1(0, 6, {-0.0f, 5e-45f}, {1, 2}), (std::vector<float>{0, 2}));
  EXPECT_EQ(ClipGrad1(-6, -0.0f, {0.0f, -5e-45f}, {1, 2}), (std::vector<float>{0, 2}));
}

std::string RefuseClipGrad1(const DML_TENSOR_DESC* x, const DML_TENSOR_DESC* dy,
                            const DML_TENSOR_DESC* dx, DML_TENSOR_DATA_TYPE type,
                            const DeviceOptions& options = {}) {
  const DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC desc = {x, dy, dx, type, Bound(0.0), Bound(1.0)};
  return test::Refuse(DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD1, &desc, options);
}

// CG-09, C1 to C3
TEST(ClipGrad1, RefusesTensorsAndBoundsThatDisagree) {
  const Tensor four(DML_TENSOR_DATA_TYPE_FLOAT32, {4}), five(DML_TENSOR_DATA_TYPE_FLOAT32, {5});
  const Tensor half(DML_TENSOR_DATA_TYPE_FLOAT16, {4});
  const Tensor two_two(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 2});
  const auto type = DML_TENSOR_DATA_TYPE_FLOAT32;
  EXPECT_EQ(RefuseClipGrad1(four, four, four, DML_TENSOR_DATA_TYPE_INT32),
            "ELEMENT_WISE_CLIP_GRAD1: MinMaxDataType = INT32 must equal "
            "OutputGradientTensor.DataType = FLOAT32");
  EXPECT_EQ(RefuseClipGrad1(four, half, four, type),
            "ELEMENT_WISE_CLIP_GRAD1: InputGradientTensor.DataType = FLOAT16 must equal "
            "InputTensor.DataType = FLOAT32");
  EXPECT_EQ(RefuseClipGrad1(four, four, two_two, type),
            "ELEMENT_WISE_CLIP_GRAD1: OutputGradientTensor.DimensionCount = 2 must equal "
            "InputTensor.DimensionCount = 1");
  EXPECT_EQ(RefuseClipGrad1(four, five, four, type),
            "ELEMENT_WISE_CLIP_GRAD1: InputGradientTensor.Sizes = {5} must equal "
            "InputTensor.Sizes = {4}");
}

// CG-09, C6
TEST(ClipGrad1, RefusesDoubles) {
  const Tensor doubles(DML_TENSOR_DATA_TYPE_FLOAT64, {4});
  EXPECT_EQ(RefuseClipGrad1(doubles, doubles, doubles, DML_TENSOR_DATA_TYPE_FLOAT64),
            "ELEMENT_WISE_CLIP_GRAD1: InputTensor.DataType = FLOAT64 must be FLOAT32, FLOAT16, "
            "UINT32, UINT16, UINT8, INT32, INT16, INT8, UINT64 or INT64");
}

// CG-10, C7
TEST(ClipGrad1, RunsInPlaceOnEitherInput) {
  const Tensor tensor(DML_TENSOR_DATA_TYPE_INT16, {1000});
  const DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC desc = {
      tensor, tensor, tensor, DML_TENSOR_DATA_TYPE_INT16, Bound<int16_t>(-50), Bound<int16_t>(50)};
  std::vector<int16_t> x(1000), dy(1000), expected(1000);
  for (int i = 0; i < 1000; ++i) {
    x[i] = static_cast<int16_t>(test::Pattern(i, 211, 17));
    dy[i] = static_cast<int16_t>(test::Pattern(i, 997, 31));
    expected[i] = -50 < x[i] && x[i] < 50 ? dy[i] : int16_t{0};
  }
  for (size_t input : {0, 1}) {
    const auto results =
        test::RunEachStrategy(DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD1, &desc, {In(x), In(dy)}, input);
    EXPECT_GE(results.size(), 2u);
    for (const auto& result : results) EXPECT_EQ(result, test::BytesOf(expected)) << input;
  }
}

// B3: a selection, never a product; what passes keeps its bits.
TEST(ClipGrad1, KeepsTheBitsOfWhatPassesAndWritesPositiveZeroElsewhere) {
  const auto one = 0x3F800000u, minus_one = 0xBF800000u, two = 0x40000000u;
  EXPECT_EQ(ClipGrad1<uint32_t>(DML_TENSOR_DATA_TYPE_FLOAT32, minus_one, one, {0, 0, 0, two, two},
                                {0x7FC12345, 0x80000000, 0x7F800001, 0x7FC12345, 0x80000000}),
            (std::vector<uint32_t>{0x7FC12345, 0x80000000, 0x7F800001, 0, 0}));
  EXPECT_EQ(ClipGrad1<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16, 0xBC00, 0x3C00, {0, 0, 0x4000},
                                {0x7C01, 0x8000, 0x7E55}),
            (std::vector<uint16_t>{0x7C01, 0x8000, 0}));
}

// All 65,536 halves against bounds of every kind: zeros, infinities, NaN, subnormals.
TEST(ClipGrad1, SelectsEveryHalfByItsValue) {
  std::vector<uint16_t> x(65536), dy(65536), expected(65536);
  const uint16_t bounds[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x3C00, 0xBC00,
                             0x7C00, 0xFC00, 0x7BFF, 0xFBFF, 0x7E00, 0xFE00};
  for (uint16_t min : bounds) {
    for (uint16_t max : bounds) {
      for (uint32_t i = 0; i < 65536; ++i) {
        x[i] = static_cast<uint16_t>(i);
        dy[i] = static_cast<uint16_t>(i * 40503u);
        const float value = ToFloat({x[i]});
        expected[i] = value <= ToFloat({min}) || value >= ToFloat({max}) ? 0 : dy[i];
      }
      EXPECT_EQ(ClipGrad1<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16, min, max, x, dy), expected)
          << min << " " << max;
    }
  }
}

TEST(ClipGrad1, ReadsBroadcastAndPaddedInputs) {
  const Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3}, {0, 1});
  const Tensor dy(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3}, {5, 1});
  const Tensor dx(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3});
  const DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC desc = {
      x, dy, dx, DML_TENSOR_DATA_TYPE_FLOAT32, Bound(0.0f), Bound(2.0f)};
  EXPECT_EQ(test::RunOn<float>(DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD1, &desc,
                               {In<float>({1, 0, 2}), In<float>({1, 2, 3, -9, -9, 4, 5, 6})}, 6),
            (std::vector<float>{1, 0, 0, 4, 0, 0}));
}

// B26: the bounds are converted before the comparison. As real numbers, -2 and 2 would pass.
TEST(ClipGrad, TruncatesItsBoundsForIntegers) {
  EXPECT_EQ(ClipGrad<int32_t>(DML_TENSOR_DATA_TYPE_INT32, -2.5f, 2.5f, {-3, -2, -1, 1, 2, 3},
                              {1, 2, 3, 4, 5, 6}),
            (std::vector<int32_t>{0, 0, 3, 4, 0, 0}));
}

TEST(ClipGrad, SaturatesItsBoundsForIntegers) {
  EXPECT_EQ(ClipGrad<int8_t>(DML_TENSOR_DATA_TYPE_INT8, -1e9f, kInfinity, {-128, -127, 126, 127},
                             {1, 2, 3, 4}),
            (std::vector<int8_t>{0, 2, 3, 0}));
  EXPECT_EQ(ClipGrad<uint64_t>(DML_TENSOR_DATA_TYPE_UINT64, -5, 1e30f,
                               {0, 1, UINT64_MAX - 1, UINT64_MAX}, {1, 2, 3, 4}),
            (std::vector<uint64_t>{0, 2, 3, 0}));
  EXPECT_EQ(ClipGrad<int64_t>(DML_TENSOR_DATA_TYPE_INT64, -1e30f, 0x1p63f,
                              {INT64_MIN, INT64_MIN + 1, INT64_MAX - 1, INT64_MAX}, {1, 2, 3, 4}),
            (std::vector<int64_t>{0, 2, 3, 0}));
}

// O2
TEST(ClipGrad, TakesANanBoundAsZeroForIntegersAndIgnoresItForFloats) {
  EXPECT_EQ(ClipGrad<int16_t>(DML_TENSOR_DATA_TYPE_INT16, kNan, 9, {-1, 0, 1, 9}, {1, 2, 3, 4}),
            (std::vector<int16_t>{0, 0, 3, 0}));
  EXPECT_EQ(ClipGrad<float>(DML_TENSOR_DATA_TYPE_FLOAT32, kNan, 9, {-1, 0, 1, 9}, {1, 2, 3, 4}),
            (std::vector<float>{1, 2, 3, 0}));
}

// 1 + 2^-11 lies half way between two halves and becomes 1, the even one; 1 + 3 * 2^-11 becomes
// 1 + 2^-9 (0x3C02).
TEST(ClipGrad, RoundsItsBoundsToTheNearestEvenHalf) {
  EXPECT_EQ(ClipGrad<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16, 1 + 0x1p-11f, 1 + 0x3p-11f,
                               {0x3C00, 0x3C01, 0x3C02}, {1, 2, 3}),
            (std::vector<uint16_t>{0, 2, 0}));
}

// The pages' rows: CLIP_GRAD from 3_1, 64-bit integers and CLIP_GRAD1 from 5_0.
TEST(ClipGrad, NamesTheFeatureLevelThatItNeeds) {
  const auto refuse = [](const Tensor& tensor, FeatureLevel level) {
    const DML_ELEMENT_WISE_CLIP_GRAD_OPERATOR_DESC desc = {tensor, tensor, tensor, 0, 1};
    return test::Refuse(DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD, &desc, {.feature_level = level});
  };
  const Tensor wide(DML_TENSOR_DATA_TYPE_UINT64, {4}), narrow(DML_TENSOR_DATA_TYPE_UINT16, {4});
  const Tensor eight(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 2, 1, 2, 1, 2, 1, 2});
  EXPECT_EQ(refuse(wide, FeatureLevel::k4_1),
            "ELEMENT_WISE_CLIP_GRAD: InputTensor.DataType = UINT64 needs feature level 5_0 or "
            "above; this device has 4_1");
  EXPECT_EQ(refuse(wide, FeatureLevel::k5_0), "");
  EXPECT_EQ(refuse(narrow, FeatureLevel::k3_1), "");
  EXPECT_EQ(refuse(eight, FeatureLevel::k3_1), "");
  EXPECT_EQ(refuse(narrow, FeatureLevel::k3_0),
            "ELEMENT_WISE_CLIP_GRAD: this operator needs feature level 3_1 or above; this device "
            "has 3_0");
  EXPECT_EQ(RefuseClipGrad1(wide, wide, wide, DML_TENSOR_DATA_TYPE_UINT64,
                            {.feature_level = FeatureLevel::k4_1}),
            "ELEMENT_WISE_CLIP_GRAD1: this operator needs feature level 5_0 or above; this device "
            "has 4_1");
  EXPECT_EQ(RefuseClipGrad1(wide, wide, wide, DML_TENSOR_DATA_TYPE_UINT64,
                            {.feature_level = FeatureLevel::k5_0}),
            "");
}

}  // namespace
}  // namespace anydml::clip_grad
