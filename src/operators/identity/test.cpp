// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about ELEMENT_WISE_IDENTITY: every sentence of its page, and the
// rulings B26, O1 and O7.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/run.h"

namespace anydml::identity {
namespace {

using test::In;
using test::Tensor;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename T>
std::vector<T> Scale(DML_TENSOR_DATA_TYPE type, DML_SCALE_BIAS g, const std::vector<T>& x) {
  const Tensor tensor(type, {static_cast<UINT>(x.size())});
  const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC desc = {tensor, tensor, &g};
  return test::RunOn<T>(DML_OPERATOR_ELEMENT_WISE_IDENTITY, &desc, {In(x)}, x.size());
}

template <typename T>
void ExpectCopy(DML_TENSOR_DATA_TYPE type, const std::vector<T>& x) {
  const Tensor tensor(type, {static_cast<UINT>(x.size())});
  const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC desc = {tensor, tensor, nullptr};
  const auto results = test::RunEachStrategy(DML_OPERATOR_ELEMENT_WISE_IDENTITY, &desc, {In(x)});
  EXPECT_GE(results.size(), 2u);
  for (const auto& result : results) EXPECT_EQ(result, test::BytesOf(x));
}

// f(x) = x. NaN of every kind, signalling ones too, keep sign and payload.
TEST(Identity, CopiesTheBitsOfEveryType) {
  ExpectCopy<uint64_t>(DML_TENSOR_DATA_TYPE_FLOAT64,
                       {0x7FF8000000000000, 0x7FF0000000000001, 0xFFF8000012345678, 1,
                        0x8000000000000000, 0x7FF0000000000000});
  ExpectCopy<uint32_t>(DML_TENSOR_DATA_TYPE_FLOAT32,
                       {0x7FC12345, 0x7F800001, 0xFFFFFFFF, 1, 0x80000000, 0xFF800000});
  ExpectCopy<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16,
                       {0x7E55, 0x7C01, 0xFE01, 0x8000, 0x0001, 0x7C00, 0xFC00});
  ExpectCopy<int64_t>(DML_TENSOR_DATA_TYPE_INT64, {INT64_MIN, -1, 0, 1, INT64_MAX});
  ExpectCopy<int32_t>(DML_TENSOR_DATA_TYPE_INT32, {INT32_MIN, -1, 0, 1, INT32_MAX});
  ExpectCopy<int16_t>(DML_TENSOR_DATA_TYPE_INT16, {INT16_MIN, -1, 0, 1, INT16_MAX});
  ExpectCopy<int8_t>(DML_TENSOR_DATA_TYPE_INT8, {-128, -1, 0, 1, 127});
  ExpectCopy<uint64_t>(DML_TENSOR_DATA_TYPE_UINT64, {0, 1, UINT64_MAX});
  ExpectCopy<uint32_t>(DML_TENSOR_DATA_TYPE_UINT32, {0, 1, UINT32_MAX});
  ExpectCopy<uint16_t>(DML_TENSOR_DATA_TYPE_UINT16, {0, 1, UINT16_MAX});
  ExpectCopy<uint8_t>(DML_TENSOR_DATA_TYPE_UINT8, {0, 1, 255});
}

// Remarks: it changes a layout when input and output have different strides.
TEST(Identity, ChangesTheLayout) {
  const Tensor nchw(DML_TENSOR_DATA_TYPE_INT8, {1, 2, 2, 3});
  const Tensor nhwc(DML_TENSOR_DATA_TYPE_INT8, {1, 2, 2, 3}, {12, 1, 6, 2});
  const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC desc = {nchw, nhwc, nullptr};
  EXPECT_EQ(test::RunOn<int8_t>(DML_OPERATOR_ELEMENT_WISE_IDENTITY, &desc,
                                {In<int8_t>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})}, 12),
            (std::vector<int8_t>{1, 7, 2, 8, 3, 9, 4, 10, 5, 11, 6, 12}));
}

TEST(Identity, RepeatsABroadcastInput) {
  const Tensor row(DML_TENSOR_DATA_TYPE_FLOAT64, {3, 2}, {0, 1});
  const Tensor packed(DML_TENSOR_DATA_TYPE_FLOAT64, {3, 2});
  const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC desc = {row, packed, nullptr};
  EXPECT_EQ(test::RunOn<double>(DML_OPERATOR_ELEMENT_WISE_IDENTITY, &desc, {In<double>({1, 2})}, 6),
            (std::vector<double>{1, 2, 1, 2, 1, 2}));
}

// With ScaleBias, x * scale + bias. The values are those of DxDispatch's model of the operator.
TEST(Identity, ScalesAndAddsTheBias) {
  EXPECT_EQ(Scale<float>(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 10}, {1, 2, 3}),
            (std::vector<float>{12, 14, 16}));
  EXPECT_EQ(Scale<double>(DML_TENSOR_DATA_TYPE_FLOAT64, {2, 10}, {1, 2, 3}),
            (std::vector<double>{12, 14, 16}));
  EXPECT_EQ(Scale<uint16_t>(DML_TENSOR_DATA_TYPE_UINT16, {2, 10}, {1, 2, 3}),
            (std::vector<uint16_t>{12, 14, 16}));
}

// B26. (1 + 2^-12)^2 rounds to 1 + 2^-11 in float; fused, 2^-24 would remain of the difference.
TEST(Identity, RoundsTheProductBeforeItAdds) {
  EXPECT_EQ(Scale<float>(DML_TENSOR_DATA_TYPE_FLOAT32, {1 + 0x1p-12f, -1},
                         std::vector<float>(9, 1 + 0x1p-12f)),
            std::vector<float>(9, 0x1p-11f));
}

// The sum is rounded to half once, and overflows to infinity: 2048 + 1 + 1 in steps of halves
// would stay 2048, 60000 * 2 is beyond 65504.
TEST(Identity, CalculatesHalvesInFloat) {
  const auto half = [](float value) { return ToFloat16(value).bits; };
  EXPECT_EQ(Scale<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16, {1 + 0x1p-11f, 1},
                            std::vector<uint16_t>(9, half(2048))),
            std::vector<uint16_t>(9, half(2050)));
  EXPECT_EQ(Scale<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16, {2, 0}, {half(60000), half(-60000)}),
            (std::vector<uint16_t>{0x7C00, 0xFC00}));
}

// B26, O1: float holds none of these numbers.
TEST(Identity, CalculatesWideTypesInDouble) {
  EXPECT_EQ(Scale<int32_t>(DML_TENSOR_DATA_TYPE_INT32, {1, 0}, {16777217, INT32_MAX, INT32_MIN}),
            (std::vector<int32_t>{16777217, INT32_MAX, INT32_MIN}));
  EXPECT_EQ(Scale<uint64_t>(DML_TENSOR_DATA_TYPE_UINT64, {1, 1}, {uint64_t{1} << 40}),
            (std::vector<uint64_t>{(uint64_t{1} << 40) + 1}));
  EXPECT_EQ(Scale<double>(DML_TENSOR_DATA_TYPE_FLOAT64, {1, 1}, {0x1p-40, 1e300}),
            (std::vector<double>{1 + 0x1p-40, 1e300}));
}

// B26: 4096 - 2^-12 + 3 * 2^-14 rounds to 4096 in float and truncates to 4095 in double.
TEST(Identity, CalculatesNarrowIntegersInFloat) {
  EXPECT_EQ(Scale<int16_t>(DML_TENSOR_DATA_TYPE_INT16, {0x3p-14f, 4096 - 0x1p-12f}, {1}),
            (std::vector<int16_t>{4096}));
  EXPECT_EQ(Scale<int32_t>(DML_TENSOR_DATA_TYPE_INT32, {0x3p-14f, 4096 - 0x1p-12f}, {1}),
            (std::vector<int32_t>{4095}));
}

// B26: back to an integer truncates toward zero and saturates.
TEST(Identity, TruncatesAndSaturatesIntegers) {
  EXPECT_EQ(Scale<int8_t>(DML_TENSOR_DATA_TYPE_INT8, {1, 0.75f}, {7, -7, 0, -1, 127}),
            (std::vector<int8_t>{7, -6, 0, 0, 127}));
  EXPECT_EQ(Scale<int8_t>(DML_TENSOR_DATA_TYPE_INT8, {2, 0}, {100, -100, 5}),
            (std::vector<int8_t>{127, -128, 10}));
  EXPECT_EQ(Scale<uint32_t>(DML_TENSOR_DATA_TYPE_UINT32, {-1, 0.5f}, {0, 1, 9}),
            (std::vector<uint32_t>{0, 0, 0}));
  EXPECT_EQ(Scale<int64_t>(DML_TENSOR_DATA_TYPE_INT64, {2, 0}, {INT64_MAX, INT64_MIN, -3}),
            (std::vector<int64_t>{INT64_MAX, INT64_MIN, -6}));
  EXPECT_EQ(Scale<uint64_t>(DML_TENSOR_DATA_TYPE_UINT64, {1, 0}, {UINT64_MAX}),
            (std::vector<uint64_t>{UINT64_MAX}));
}

// B26: a NaN becomes the integer 0.
TEST(Identity, GivesZeroForANanIntegerAndNanForAFloat) {
  EXPECT_EQ(Scale<int32_t>(DML_TENSOR_DATA_TYPE_INT32, {kInfinity, 0}, {-1, 0, 1}),
            (std::vector<int32_t>{INT32_MIN, 0, INT32_MAX}));
  EXPECT_EQ(Scale<uint8_t>(DML_TENSOR_DATA_TYPE_UINT8, {1, kNan}, {9}), (std::vector<uint8_t>{0}));
  EXPECT_TRUE(std::isnan(Scale<float>(DML_TENSOR_DATA_TYPE_FLOAT32, {kInfinity, 0}, {0})[0]));
}

// O7: "OutputTensor is permitted to alias InputTensor during binding."
TEST(Identity, RunsInPlace) {
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {5});
  const DML_SCALE_BIAS g = {-2, 1};
  const std::vector<float> x = {1, 2, 3, 4, 5}, scaled = {-1, -3, -5, -7, -9};
  for (const DML_SCALE_BIAS* scale_bias : {static_cast<const DML_SCALE_BIAS*>(nullptr), &g}) {
    const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC desc = {tensor, tensor, scale_bias};
    const auto results =
        test::RunEachStrategy(DML_OPERATOR_ELEMENT_WISE_IDENTITY, &desc, {In(x)}, 0);
    EXPECT_GE(results.size(), 2u);
    for (const auto& result : results) {
      EXPECT_EQ(result, test::BytesOf(scale_bias == nullptr ? x : scaled));
    }
  }
}

std::string RefuseIdentity(const DML_TENSOR_DESC* x, const DML_TENSOR_DESC* y,
                           const DeviceOptions& options = {}) {
  const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC desc = {x, y, nullptr};
  return test::Refuse(DML_OPERATOR_ELEMENT_WISE_IDENTITY, &desc, options);
}

TEST(Identity, RefusesTensorsThatDisagree) {
  const Tensor four(DML_TENSOR_DATA_TYPE_UINT64, {4}), signed_four(DML_TENSOR_DATA_TYPE_INT64, {4});
  const Tensor two_two(DML_TENSOR_DATA_TYPE_UINT64, {2, 2}), five(DML_TENSOR_DATA_TYPE_UINT64, {5});
  EXPECT_EQ(RefuseIdentity(four, signed_four),
            "ELEMENT_WISE_IDENTITY: OutputTensor.DataType = INT64 must equal InputTensor.DataType "
            "= UINT64");
  EXPECT_EQ(RefuseIdentity(four, two_two),
            "ELEMENT_WISE_IDENTITY: OutputTensor.DimensionCount = 2 must equal "
            "InputTensor.DimensionCount = 1");
  EXPECT_EQ(RefuseIdentity(four, five),
            "ELEMENT_WISE_IDENTITY: OutputTensor.Sizes = {5} must equal InputTensor.Sizes = {4}");
}

// The page's rows: 4 to 5 dimensions from 1_0, integers from 2_1, 1 to 8 dimensions from 3_0,
// 64-bit types from 4_1.
TEST(Identity, NamesTheFeatureLevelThatItNeeds) {
  const auto refuse = [](const Tensor& tensor, FeatureLevel level) {
    return RefuseIdentity(tensor, tensor, {.feature_level = level});
  };
  const Tensor wide(DML_TENSOR_DATA_TYPE_FLOAT64, {4});
  EXPECT_EQ(refuse(wide, FeatureLevel::k4_0),
            "ELEMENT_WISE_IDENTITY: InputTensor.DataType = FLOAT64 needs feature level 4_1 or "
            "above; this device has 4_0");
  EXPECT_EQ(refuse(wide, FeatureLevel::k4_1), "");
  const Tensor bytes(DML_TENSOR_DATA_TYPE_INT8, {4});
  EXPECT_EQ(refuse(bytes, FeatureLevel::k3_0), "");
  EXPECT_EQ(refuse(bytes, FeatureLevel::k2_1),
            "ELEMENT_WISE_IDENTITY: InputTensor.DimensionCount = 1 needs feature level 3_0 or "
            "above; this device has 2_1");
  const Tensor volume(DML_TENSOR_DATA_TYPE_INT8, {1, 2, 1, 2, 1});
  EXPECT_EQ(refuse(volume, FeatureLevel::k2_1), "");
  EXPECT_EQ(refuse(volume, FeatureLevel::k2_0),
            "ELEMENT_WISE_IDENTITY: InputTensor.DataType = INT8 needs feature level 2_1 or above; "
            "this device has 2_0");
  const Tensor floats(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 2, 1, 2, 1});
  EXPECT_EQ(refuse(floats, FeatureLevel::k1_0), "");
}

}  // namespace
}  // namespace anydml::identity
