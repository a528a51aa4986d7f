// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about DYNAMIC_QUANTIZE_LINEAR: the examples of ONNX, and B122.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operators/dynamic_quantization/desc.h"
#include "support/run.h"

namespace anydml::dynamic_quantization {
namespace {

using test::In;
using test::Tensor;
using Floats = std::vector<float>;
using Uints = std::vector<uint8_t>;
using Ints = std::vector<int8_t>;

constexpr DML_TENSOR_DATA_TYPE kFloat = DML_TENSOR_DATA_TYPE_FLOAT32;
constexpr DML_TENSOR_DATA_TYPE kInt8 = DML_TENSOR_DATA_TYPE_INT8;
constexpr DML_TENSOR_DATA_TYPE kUint8 = DML_TENSOR_DATA_TYPE_UINT8;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <typename Out>
struct Quantized {
  std::vector<Out> y;
  float scale;
  Out zero_point;
};

template <typename Out, typename T = float>
Quantized<Out> Quantize(const std::vector<T>& x,
                        DML_TENSOR_DATA_TYPE type = DML_TENSOR_DATA_TYPE_FLOAT32) {
  const auto count = static_cast<UINT>(x.size());
  const DML_TENSOR_DATA_TYPE out = std::is_signed_v<Out> ? kInt8 : kUint8;
  const Tensor input(type, {count}), output(out, {count}), scale(kFloat, {1}), zero(out, {1});
  const DML_DYNAMIC_QUANTIZE_LINEAR_OPERATOR_DESC desc = {input, output, scale, zero};
  constexpr auto kType = DML_OPERATOR_DYNAMIC_QUANTIZE_LINEAR;
  return {test::RunOn<Out>(kType, &desc, {In(x)}, count),
          test::RunOn<float>(kType, &desc, {In(x)}, 1, 1)[0],
          test::RunOn<Out>(kType, &desc, {In(x)}, 1, 2)[0]};
}

TEST(DynamicQuantizeLinear, GivesTheExamplesOfOnnx) {
  const auto plain = Quantize<uint8_t>(Floats{0, 2, -3, -2.5f, 1.34f, 0.5f});
  EXPECT_EQ(plain.y, (Uints{153, 255, 0, 26, 221, 179}));
  EXPECT_EQ(plain.scale, 0.0196078438f);
  EXPECT_EQ(plain.zero_point, 153);
  // The range includes 0 (B122).
  const auto negative = Quantize<uint8_t>(Floats{-1, -2.1f, -1.3f, -2.5f, -3.34f, -4});
  EXPECT_EQ(negative.y, (Uints{191, 121, 172, 96, 42, 0}));
  EXPECT_EQ(negative.zero_point, 255);
  const auto positive = Quantize<uint8_t>(Floats{1, 2.1f, 1.3f, 2.5f, 3.34f, 4});
  EXPECT_EQ(positive.y, (Uints{64, 134, 83, 159, 213, 255}));
  EXPECT_EQ(positive.zero_point, 0);
}

// Min is -128: zero is -128 + 4 / (4 / 255) = 127.
TEST(DynamicQuantizeLinear, QuantizesToSignedBytes) {
  const auto negative = Quantize<int8_t>(Floats{-4, -2, 0});
  EXPECT_EQ(negative.scale, 4.0f / 255);
  EXPECT_EQ(negative.zero_point, 127);
  EXPECT_EQ(negative.y[0], -128);
  EXPECT_EQ(negative.y[2], 127);
  // All whole: the scale is 1, and the zero point -128 + 100.
  const auto whole = Quantize<int8_t>(Floats{-100, 155, 0, 2.5f, 3.5f, -2.5f});
  EXPECT_EQ(whole.scale, 1);
  EXPECT_EQ(whole.zero_point, -28);
  EXPECT_EQ(whole.y, (Ints{-128, 127, -28, -26, -24, -30}));
}

TEST(DynamicQuantizeLinear, WidensHalves) {
  std::vector<Float16> x;
  for (float element : {-100.0f, 155.0f, 0.0f, 2.5f}) x.push_back(ToFloat16(element));
  const auto quantized = Quantize<uint8_t>(x, DML_TENSOR_DATA_TYPE_FLOAT16);
  EXPECT_EQ(quantized.scale, 1);
  EXPECT_EQ(quantized.zero_point, 100);
  EXPECT_EQ(quantized.y, (Uints{0, 255, 100, 102}));
}

TEST(DynamicQuantizeLinear, TakesTheScaleOneForZeros) {
  for (const Floats& x : {Floats{0, 0}, Floats{-0.0f, 0}, Floats{-0.0f, -0.0f}}) {
    const auto quantized = Quantize<uint8_t>(x);
    EXPECT_EQ(quantized.scale, 1);
    EXPECT_EQ(quantized.zero_point, 0);
    EXPECT_EQ(quantized.y, (Uints{0, 0}));
  }
  EXPECT_EQ(Quantize<int8_t>(Floats{0, 0}).zero_point, -128);
  EXPECT_EQ(Quantize<int8_t>(Floats{0, 0}).y, (Ints{-128, -128}));
}

// B122: every output is the zero point, which is 0 for a NaN.
TEST(DynamicQuantizeLinear, GivesTheZeroPointForANan) {
  for (const Floats& x : {Floats{kNan, 1, -3}, Floats{1, -kNan, kInfinity}, Floats{-1, 2, kNan}}) {
    const auto quantized = Quantize<int8_t>(x);
    EXPECT_TRUE(std::isnan(quantized.scale));
    EXPECT_EQ(quantized.zero_point, 0);
    EXPECT_EQ(quantized.y, (Ints{0, 0, 0}));
  }
}

TEST(DynamicQuantizeLinear, FollowsTheFormulaToInfinity) {
  const auto high = Quantize<int8_t>(Floats{1, kInfinity});  // Min - 0 / inf
  EXPECT_EQ(high.scale, kInfinity);
  EXPECT_EQ(high.zero_point, -128);
  EXPECT_EQ(high.y, (Ints{-128, -128}));
  const auto low = Quantize<int8_t>(Floats{1, -kInfinity});  // inf / inf is NaN
  EXPECT_EQ(low.zero_point, 0);
  EXPECT_EQ(low.y, (Ints{0, 0}));
  const auto wide = Quantize<int8_t>(Floats{3e38f, -3e38f});  // the difference overflows
  EXPECT_EQ(wide.scale, kInfinity);
  EXPECT_EQ(wide.y, (Ints{-128, -128}));
}

TEST(DynamicQuantizeLinear, RefusesWhatDoesNotFit) {
  const Tensor x(kFloat, {2, 3}), y(kUint8, {2, 3}), scale(kFloat, {1, 1}), zero(kUint8, {1, 1}),
      signed_zero(kInt8, {1, 1}), narrow(kUint8, {2, 1}), flat(kFloat, {1}), pair(kFloat, {1, 2}),
      zeros(kUint8, {2, 1}), half(DML_TENSOR_DATA_TYPE_FLOAT16, {1, 1});
  const auto refuse = [&](const Tensor& output, const Tensor& by, const Tensor& from,
                          FeatureLevel level = kNewestFeatureLevel) {
    const DML_DYNAMIC_QUANTIZE_LINEAR_OPERATOR_DESC desc = {x, output, by, from};
    return test::Refuse(DML_OPERATOR_DYNAMIC_QUANTIZE_LINEAR, &desc, {level});
  };
  EXPECT_EQ(refuse(y, scale, zero, FeatureLevel::k4_0), "");
  EXPECT_EQ(refuse(y, scale, zero, FeatureLevel::k3_1),
            "DYNAMIC_QUANTIZE_LINEAR: this operator needs feature level 4_0 or above; this device "
            "has 3_1");
  EXPECT_EQ(refuse(y, scale, signed_zero),
            "DYNAMIC_QUANTIZE_LINEAR: OutputZeroPointTensor.DataType = INT8 must equal "
            "OutputTensor.DataType = UINT8");
  EXPECT_EQ(refuse(narrow, scale, zero),
            "DYNAMIC_QUANTIZE_LINEAR: OutputTensor.Sizes = {2, 1} must equal InputTensor.Sizes = "
            "{2, 3}");
  EXPECT_EQ(refuse(y, flat, zero),
            "DYNAMIC_QUANTIZE_LINEAR: OutputScaleTensor.DimensionCount = 1 must equal "
            "InputTensor.DimensionCount = 2");
  EXPECT_EQ(refuse(y, pair, zero),
            "DYNAMIC_QUANTIZE_LINEAR: OutputScaleTensor.Sizes = {1, 2} must be 1 in every entry");
  EXPECT_EQ(refuse(y, scale, zeros),
            "DYNAMIC_QUANTIZE_LINEAR: OutputZeroPointTensor.Sizes = {2, 1} must be 1 in every "
            "entry");
  EXPECT_EQ(refuse(y, half, zero),
            "DYNAMIC_QUANTIZE_LINEAR: OutputScaleTensor.DataType = FLOAT16 must be FLOAT32");
}

}  // namespace
}  // namespace anydml::dynamic_quantization
