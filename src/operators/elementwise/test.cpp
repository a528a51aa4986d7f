// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about each element-wise operator: every sentence of its page and every
// ruling. What all of them share is in tests/conformance and tests/schema.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "support/run.h"
#include "support/scalar_union.h"

namespace anydml {
namespace {

using test::Bound;
using test::In;
using test::Tensor;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

// What is special about ELEMENT_WISE_IDENTITY: every sentence of its page, and the
// rulings B26, O1 and O7.
namespace identity_test {
namespace {

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
}  // namespace identity_test

// What is special about ACTIVATION_RELU: every sentence of its page, and B1, B4.
namespace relu_test {
namespace {

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
}  // namespace relu_test

// What is special about ACTIVATION_RELU_GRAD: every sentence of its page, and
// the acceptance cases RG.
namespace relu_grad_test {
namespace {

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
}  // namespace relu_grad_test

// What is special about ELEMENT_WISE_CLIP and ELEMENT_WISE_CLIP1: every sentence
// of their pages, and the rulings B2, B5, B26, O2, O3 and O4.
namespace clip_test {
namespace {

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

// O12. Programs leave MinMaxDataType unset.
TEST(Clip1, TakesAnUnknownTypeOfItsBoundsForThatOfTheTensors) {
  const Tensor halves(DML_TENSOR_DATA_TYPE_FLOAT16, {3});
  DML_SCALAR_UNION min = {}, max = {};
  min.UInt16 = 0x3C00;  // 1
  max.UInt16 = 0x4000;  // 2
  const std::vector<uint16_t> x = {0, 0x3E00, 0x4200}, one = {0x3C00, 0x3C00, 0x3C00};
  const DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC desc = {
      halves, halves, nullptr, DML_TENSOR_DATA_TYPE_UNKNOWN, min, max};
  EXPECT_EQ(test::RunOn<uint16_t>(DML_OPERATOR_ELEMENT_WISE_CLIP1, &desc, {In(x)}, 3),
            (std::vector<uint16_t>{0x3C00, 0x3E00, 0x4000}));
  const DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC gradient = {
      halves, halves, halves, DML_TENSOR_DATA_TYPE_UNKNOWN, min, max};
  EXPECT_EQ(
      test::RunOn<uint16_t>(DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD1, &gradient, {In(x), In(one)}, 3),
      (std::vector<uint16_t>{0, 0x3C00, 0}));
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
}  // namespace clip_test

// What is special about ELEMENT_WISE_CLIP_GRAD and ELEMENT_WISE_CLIP_GRAD1: every
// sentence of their pages, and the acceptance cases CG.
namespace clip_grad_test {
namespace {

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
}  // namespace clip_grad_test

}  // namespace anydml
