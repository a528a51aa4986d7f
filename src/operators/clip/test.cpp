// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about ELEMENT_WISE_CLIP and ELEMENT_WISE_CLIP1: every sentence
// of their pages, and the rulings B2, B5, B26, O2, O3 and O4.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/run.h"
#include "support/scalar_union.h"

namespace anydml::clip {
namespace {

using test::Bound;
using test::In;
using test::Tensor;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename T>
std::vector<T> Clip1(DML_TENSOR_DATA_TYPE type, T min, T max, const std::vector<T>& x,
                     const DML_SCALE_BIAS* scale_bias = nullptr) {
  const Tensor tensor(type, {static_cast<UINT>(x.size())});
  const DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC desc = {tensor, tensor,     scale_bias,
                                                     type,   Bound(min), Bound(max)};
  return test::RunOn<T>(DML_OPERATOR_ELEMENT_WISE_CLIP1, &desc, {In(x)}, x.size());
}

template <typename T>
std::vector<T> Clip(DML_TENSOR_DATA_TYPE type, float min, float max, const std::vector<T>& x,
                    const DML_SCALE_BIAS* scale_bias = nullptr) {
  const Tensor tensor(type, {static_cast<UINT>(x.size())});
  const DML_ELEMENT_WISE_CLIP_OPERATOR_DESC desc = {tensor, tensor, scale_bias, min, max};
  return test::RunOn<T>(DML_OPERATOR_ELEMENT_WISE_CLIP, &desc, {In(x)}, x.size());
}

// f(x) = max(Min, min(x, Max)): below Min gives Min, above Max gives Max.
TEST(Clip, KeepsXInsideTheClosedInterval) {
  EXPECT_EQ(
      Clip<float>(DML_TENSOR_DATA_TYPE_FLOAT32, -2.5f, 2.5f,
                  {-4, -3, -2.5f, -2, -1, 0, 1, 2, 2.5f, 3, 4, -kInfinity, kInfinity}),
      (std::vector<float>{-2.5f, -2.5f, -2.5f, -2, -1, 0, 1, 2, 2.5f, 2.5f, 2.5f, -2.5f, 2.5f}));
}

// B5: max(Min, .) comes last. PyTorch and ONNX give Max here.
TEST(Clip, GivesMinWhenMinIsAboveMax) {
  EXPECT_EQ(Clip<float>(DML_TENSOR_DATA_TYPE_FLOAT32, 1, -1, {-2, 0, 2}),
            (std::vector<float>{1, 1, 1}));
  EXPECT_EQ(Clip1<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16, 0x3C00, 0xBC00, {0xC000, 0, 0x4000}),
            (std::vector<uint16_t>{0x3C00, 0x3C00, 0x3C00}));
  EXPECT_EQ(Clip1<uint8_t>(DML_TENSOR_DATA_TYPE_UINT8, 9, 3, {0, 5, 255}),
            (std::vector<uint8_t>{9, 9, 9}));
}

// B2
TEST(Clip, IgnoresANanBound) {
  EXPECT_EQ(Clip<float>(DML_TENSOR_DATA_TYPE_FLOAT32, kNan, 1, {-2, 0, 2}),
            (std::vector<float>{-2, 0, 1}));
  EXPECT_EQ(Clip<float>(DML_TENSOR_DATA_TYPE_FLOAT32, -1, kNan, {-2, 0, 2}),
            (std::vector<float>{-1, 0, 2}));
  EXPECT_EQ(Clip1<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16, 0x7E00, 0xFE00, {0xC000, 0, 0x4000}),
            (std::vector<uint16_t>{0xC000, 0, 0x4000}));
}

template <typename T>
void ExpectPassedOn(DML_TENSOR_DATA_TYPE type, const std::vector<T>& x) {
  const Tensor tensor(type, {static_cast<UINT>(x.size())});
  const DML_ELEMENT_WISE_CLIP_OPERATOR_DESC desc = {tensor, tensor, nullptr, -1, 1};
  const auto results = test::RunEachStrategy(DML_OPERATOR_ELEMENT_WISE_CLIP, &desc, {In(x)});
  EXPECT_GE(results.size(), 2u);
  for (const auto& result : results) EXPECT_EQ(result, test::BytesOf(x));
}

// O4. Bit for bit, as long as nothing is calculated.
TEST(Clip, PassesNanOn) {
  ExpectPassedOn<uint32_t>(DML_TENSOR_DATA_TYPE_FLOAT32, {0x7FC12345, 0xFFC00000, 0x7F800001});
  ExpectPassedOn<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16, {0x7E55, 0xFE00, 0x7C01, 0xFC01});
}

// B4: zeros are equal, so each keeps its sign at a bound of the other.
TEST(Clip, KeepsTheSignOfAZeroThatEqualsABound) {
  EXPECT_EQ(Clip1<uint32_t>(DML_TENSOR_DATA_TYPE_FLOAT32, 0x00000000, 0x80000000,
                            {0x80000000, 0x00000000, 0x00000001, 0x80000001}),
            (std::vector<uint32_t>{0x80000000, 0x00000000, 0x80000000, 0x00000000}));
  EXPECT_EQ(Clip1<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16, 0x0000, 0x8000,
                            {0x8000, 0x0000, 0x0001, 0x8001}),
            (std::vector<uint16_t>{0x8000, 0x0000, 0x8000, 0x0000}));
}

// All 65,536 halves against bounds of every kind.
TEST(Clip, ClipsEveryHalfByItsValue) {
  std::vector<uint16_t> x(65536), expected(65536);
  const uint16_t bounds[] = {0x0000, 0x8000, 0x8001, 0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7E00};
  for (uint16_t min : bounds) {
    for (uint16_t max : bounds) {
      for (uint32_t i = 0; i < 65536; ++i) {
        x[i] = static_cast<uint16_t>(i);
        const uint16_t upper = ToFloat({x[i]}) > ToFloat({max}) ? max : x[i];
        expected[i] = ToFloat({upper}) < ToFloat({min}) ? min : upper;
      }
      EXPECT_EQ(Clip1<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16, min, max, x), expected)
          << min << " " << max;
    }
  }
}

// Neither double nor float tells these apart.
TEST(Clip1, ComparesWideIntegersExactly) {
  const uint64_t base = uint64_t{1} << 53;
  EXPECT_EQ(Clip1<uint64_t>(DML_TENSOR_DATA_TYPE_UINT64, base + 1, base + 3,
                            {base, base + 1, base + 2, base + 4}),
            (std::vector<uint64_t>{base + 1, base + 1, base + 2, base + 3}));
  EXPECT_EQ(Clip1<int64_t>(DML_TENSOR_DATA_TYPE_INT64, INT64_MIN + 1, INT64_MAX - 1,
                           {INT64_MIN, 0, INT64_MAX}),
            (std::vector<int64_t>{INT64_MIN + 1, 0, INT64_MAX - 1}));
}

// "Cast to the tensor type before clipping": integers truncate toward zero, and saturate (B26).
TEST(Clip, ConvertsItsBoundsToIntegers) {
  EXPECT_EQ(Clip<int32_t>(DML_TENSOR_DATA_TYPE_INT32, -2.9f, 2.9f, {-9, -2, 0, 2, 9}),
            (std::vector<int32_t>{-2, -2, 0, 2, 2}));
  EXPECT_EQ(Clip<int8_t>(DML_TENSOR_DATA_TYPE_INT8, -1e9f, kInfinity, {-128, 0, 127}),
            (std::vector<int8_t>{-128, 0, 127}));
  EXPECT_EQ(Clip<uint32_t>(DML_TENSOR_DATA_TYPE_UINT32, -5, 1e30f, {0, 7, UINT32_MAX}),
            (std::vector<uint32_t>{0, 7, UINT32_MAX}));
  EXPECT_EQ(Clip<int64_t>(DML_TENSOR_DATA_TYPE_INT64, -0x1p63f, 0x1p63f, {INT64_MIN, INT64_MAX}),
            (std::vector<int64_t>{INT64_MIN, INT64_MAX}));
}

// "Rounding to the nearest even": 1 + 2^-11 lies half way between two halves and becomes 1,
// 1 + 3 * 2^-11 becomes 1 + 2^-9 (0x3C02).
TEST(Clip, RoundsItsBoundsToTheNearestEvenHalf) {
  EXPECT_EQ(Clip<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16, 1 + 0x1p-11f, 1 + 0x3p-11f,
                           {0x0000, 0x3C01, 0x4000}),
            (std::vector<uint16_t>{0x3C00, 0x3C01, 0x3C02}));
}

// O2
TEST(Clip, TakesANanBoundAsZeroForIntegers) {
  EXPECT_EQ(Clip<int16_t>(DML_TENSOR_DATA_TYPE_INT16, kNan, 5, {-3, 3, 9}),
            (std::vector<int16_t>{0, 3, 5}));
}

// "x * scale + bias is applied to each input element before clipping."
TEST(Clip, ScalesBeforeItClips) {
  const DML_SCALE_BIAS g = {2, 10};
  EXPECT_EQ(Clip<float>(DML_TENSOR_DATA_TYPE_FLOAT32, 9, 15, {-1, 0, 1, 2, 3}, &g),
            (std::vector<float>{9, 10, 12, 14, 15}));
  EXPECT_EQ(Clip1<uint8_t>(DML_TENSOR_DATA_TYPE_UINT8, 12, 200, {0, 2, 100}, &g),
            (std::vector<uint8_t>{12, 14, 200}));
}

// (1 + 2^-12)^2 rounds to 1 + 2^-11 in float; fused, 2^-24 would remain of the difference.
TEST(Clip, RoundsTheProductBeforeItAdds) {
  const DML_SCALE_BIAS g = {1 + 0x1p-12f, -1};
  EXPECT_EQ(
      Clip<float>(DML_TENSOR_DATA_TYPE_FLOAT32, -1, 1, std::vector<float>(9, 1 + 0x1p-12f), &g),
      std::vector<float>(9, 0x1p-11f));
}

// O3. 2^-26 is the half +0.0, which is not above -0.0; clipped in float it would become -0.0.
TEST(Clip1, RoundsToTheTypeBeforeItClips) {
  const DML_SCALE_BIAS tiny = {0, 0x1p-26f};
  EXPECT_EQ(Clip1<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16, 0xBC00, 0x8000,
                            std::vector<uint16_t>(9, 0x3C00), &tiny),
            std::vector<uint16_t>(9, 0x0000));
  // The bound 2^53 + 1 is no double.
  const uint64_t base = uint64_t{1} << 53;
  const DML_SCALE_BIAS same = {1, 0};
  EXPECT_EQ(Clip1<uint64_t>(DML_TENSOR_DATA_TYPE_UINT64, 0, base + 1, {base, base + 2}, &same),
            (std::vector<uint64_t>{base, base + 1}));
  // 0 * infinity is NaN, the integer 0, and then Min.
  const DML_SCALE_BIAS infinite = {kInfinity, 0};
  EXPECT_EQ(Clip1<int32_t>(DML_TENSOR_DATA_TYPE_INT32, 5, 9, {-1, 0, 1}, &infinite),
            (std::vector<int32_t>{5, 5, 9}));
}

TEST(Clip1, PassesOnANanThatTheScaleMakes) {
  const DML_SCALE_BIAS infinite = {kInfinity, 0};
  const auto result = Clip1<float>(DML_TENSOR_DATA_TYPE_FLOAT32, -1, 1, {-1, 0, 1}, &infinite);
  EXPECT_EQ(result[0], -1);
  EXPECT_TRUE(std::isnan(result[1]));
  EXPECT_EQ(result[2], 1);
}

// "OutputTensor is permitted to alias InputTensor during binding."
TEST(Clip1, RunsInPlace) {
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT16, {5});
  const DML_SCALE_BIAS g = {-2, 1};
  const std::vector<uint16_t> x = {0x3C00, 0xBC00, 0x0000, 0x4000, 0xC000};  // 1 -1 0 2 -2
  const std::vector<uint16_t> clipped = {0x3C00, 0xBC00, 0x0000, 0x3C00, 0xBC00};
  const std::vector<uint16_t> scaled = {0xBC00, 0x3C00, 0x3C00, 0xBC00, 0x3C00};
  for (const DML_SCALE_BIAS* scale_bias : {static_cast<const DML_SCALE_BIAS*>(nullptr), &g}) {
    const DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC desc = {tensor,
                                                       tensor,
                                                       scale_bias,
                                                       DML_TENSOR_DATA_TYPE_FLOAT16,
                                                       Bound<uint16_t>(0xBC00),
                                                       Bound<uint16_t>(0x3C00)};
    const auto results = test::RunEachStrategy(DML_OPERATOR_ELEMENT_WISE_CLIP1, &desc, {In(x)}, 0);
    EXPECT_GE(results.size(), 2u);
    for (const auto& result : results) {
      EXPECT_EQ(result, test::BytesOf(scale_bias == nullptr ? clipped : scaled));
    }
  }
}

std::string RefuseClip1(const DML_TENSOR_DESC* x, const DML_TENSOR_DESC* y,
                        DML_TENSOR_DATA_TYPE type, const DeviceOptions& options = {}) {
  const DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC desc = {x, y, nullptr, type, Bound(0.0), Bound(1.0)};
  return test::Refuse(DML_OPERATOR_ELEMENT_WISE_CLIP1, &desc, options);
}

TEST(Clip1, RefusesTensorsAndBoundsThatDisagree) {
  const Tensor four(DML_TENSOR_DATA_TYPE_FLOAT32, {4}), five(DML_TENSOR_DATA_TYPE_FLOAT32, {5});
  const Tensor integers(DML_TENSOR_DATA_TYPE_INT32, {4});
  const Tensor two_two(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 2});
  const auto type = DML_TENSOR_DATA_TYPE_FLOAT32;
  EXPECT_EQ(RefuseClip1(four, four, DML_TENSOR_DATA_TYPE_FLOAT16),
            "ELEMENT_WISE_CLIP1: MinMaxDataType = FLOAT16 must equal OutputTensor.DataType = "
            "FLOAT32");
  EXPECT_EQ(RefuseClip1(integers, four, type),
            "ELEMENT_WISE_CLIP1: OutputTensor.DataType = FLOAT32 must equal InputTensor.DataType = "
            "INT32");
  EXPECT_EQ(RefuseClip1(four, two_two, type),
            "ELEMENT_WISE_CLIP1: OutputTensor.DimensionCount = 2 must equal "
            "InputTensor.DimensionCount = 1");
  EXPECT_EQ(RefuseClip1(four, five, type),
            "ELEMENT_WISE_CLIP1: OutputTensor.Sizes = {5} must equal InputTensor.Sizes = {4}");
  const Tensor doubles(DML_TENSOR_DATA_TYPE_FLOAT64, {4});
  EXPECT_EQ(RefuseClip1(doubles, doubles, DML_TENSOR_DATA_TYPE_FLOAT64),
            "ELEMENT_WISE_CLIP1: InputTensor.DataType = FLOAT64 must be FLOAT32, FLOAT16, UINT32, "
            "UINT16, UINT8, INT32, INT16, INT8, UINT64 or INT64");
}

// The pages' rows: CLIP has integers from 2_1, other than 4 dimensions from 3_0, 64-bit integers
// from 5_0; CLIP1 exists from 5_0.
TEST(Clip, NamesTheFeatureLevelThatItNeeds) {
  const auto refuse = [](const Tensor& tensor, FeatureLevel level) {
    const DML_ELEMENT_WISE_CLIP_OPERATOR_DESC desc = {tensor, tensor, nullptr, 0, 1};
    return test::Refuse(DML_OPERATOR_ELEMENT_WISE_CLIP, &desc, {.feature_level = level});
  };
  const Tensor wide(DML_TENSOR_DATA_TYPE_INT64, {4});
  EXPECT_EQ(refuse(wide, FeatureLevel::k4_1),
            "ELEMENT_WISE_CLIP: InputTensor.DataType = INT64 needs feature level 5_0 or above; "
            "this device has 4_1");
  EXPECT_EQ(refuse(wide, FeatureLevel::k5_0), "");
  const Tensor five(DML_TENSOR_DATA_TYPE_UINT8, {1, 2, 1, 2, 1});
  EXPECT_EQ(refuse(five, FeatureLevel::k3_0), "");
  EXPECT_EQ(refuse(five, FeatureLevel::k2_1),
            "ELEMENT_WISE_CLIP: InputTensor.DimensionCount = 5 needs feature level 3_0 or above; "
            "this device has 2_1");
  const Tensor bytes(DML_TENSOR_DATA_TYPE_UINT8, {1, 2, 1, 2});
  EXPECT_EQ(refuse(bytes, FeatureLevel::k2_1), "");
  EXPECT_EQ(refuse(bytes, FeatureLevel::k2_0),
            "ELEMENT_WISE_CLIP: InputTensor.DataType = UINT8 needs feature level 2_1 or above; "
            "this device has 2_0");
  const Tensor halves(DML_TENSOR_DATA_TYPE_FLOAT16, {1, 2, 1, 2});
  EXPECT_EQ(refuse(halves, FeatureLevel::k1_0), "");
  EXPECT_EQ(RefuseClip1(halves, halves, DML_TENSOR_DATA_TYPE_FLOAT16,
                        {.feature_level = FeatureLevel::k4_1}),
            "ELEMENT_WISE_CLIP1: this operator needs feature level 5_0 or above; this device has "
            "4_1");
  EXPECT_EQ(
      RefuseClip1(wide, wide, DML_TENSOR_DATA_TYPE_INT64, {.feature_level = FeatureLevel::k5_0}),
      "");
}

}  // namespace
}  // namespace anydml::clip
