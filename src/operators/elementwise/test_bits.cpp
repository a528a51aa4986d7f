// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about moduli, rounding, logic, bits, quantization and the activations beside
// them: the rulings, and small cases whose results were computed by hand from the pages.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "operators/gradient_writer.h"
#include "schema/output_tensors.h"
#include "support/expect_same.h"
#include "support/run.h"

namespace anydml {
namespace {

using test::ExpectSame;
using test::In;
using test::Tensor;
using Floats = std::vector<float>;
using Bytes = std::vector<uint8_t>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename T>
constexpr auto kType = static_cast<DML_TENSOR_DATA_TYPE>(kDataTypeOf<T>);

// Two inputs and an output of one type.
template <typename T>
std::vector<T> Two(DML_OPERATOR_TYPE type, const std::vector<T>& a, const std::vector<T>& b) {
  const Tensor tensor(kType<T>, {static_cast<UINT>(a.size())});
  const DML_ELEMENT_WISE_MEAN_OPERATOR_DESC desc = {tensor, tensor, tensor};
  return test::RunOn<T>(type, &desc, {In(a), In(b)}, a.size());
}
// One input, an output of this or of another type.
template <typename Out, typename T>
std::vector<Out> One(DML_OPERATOR_TYPE type, const std::vector<T>& x) {
  const Tensor in(kType<T>, {static_cast<UINT>(x.size())});
  const Tensor out(kType<Out>, {static_cast<UINT>(x.size())});
  const DML_ELEMENT_WISE_CEIL_OPERATOR_DESC desc = {in, out, nullptr};
  return test::RunOn<Out>(type, &desc, {In(x)}, x.size());
}

// B116: of floats too the remainder is exact.
TEST(Modulus, OfFloatsIsExact) {
  ExpectSame(Two<float>(DML_OPERATOR_ELEMENT_WISE_MODULUS_TRUNCATE,
                        {5.5f, -5.5f, 5, kInfinity, 1, -4, 0x1p100f, 1, kNan},
                        {2, 2, kInfinity, 2, 0, 2, 3, -0.0f, 1}),
             {1.5f, -1.5f, 5, kNan, kNan, -0.0f, 1, kNan, kNan});
  ExpectSame(
      Two<float>(DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR, {5.5f, -5.5f, -5, 4, -4, 5, 1, -0x1p100f},
                 {-2, 2, kInfinity, -2, 2, kInfinity, 0, 3}),
      {-0.5f, 0.5f, kInfinity, -0.0f, 0, 5, kNan, 2});
}

// B115, B114: no trap, whatever the width and the instruction set.
template <typename T>
class ModulusOfIntegers : public testing::Test {};
using Integers =
    testing::Types<int64_t, int32_t, int16_t, int8_t, uint64_t, uint32_t, uint16_t, uint8_t>;
TYPED_TEST_SUITE(ModulusOfIntegers, Integers);
TYPED_TEST(ModulusOfIntegers, ByZeroHasAllBitsAndNeverTraps) {
  using T = TypeParam;
  constexpr T kMin = std::numeric_limits<T>::min(), kMax = std::numeric_limits<T>::max();
  const auto ones = static_cast<T>(~T{0});
  for (DML_OPERATOR_TYPE type :
       {DML_OPERATOR_ELEMENT_WISE_MODULUS_TRUNCATE, DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR}) {
    EXPECT_EQ(Two<T>(type, {9, 0, kMin, kMax, 7, kMin}, {0, 0, 0, 0, 2, ones}),
              (std::vector<T>{ones, ones, ones, ones, 1, 0}));
  }
  if constexpr (std::is_signed_v<T>) {
    const std::vector<T> a = {7, -7, 7, -7, 6}, b = {-3, 3, 3, -3, -3};
    EXPECT_EQ(Two<T>(DML_OPERATOR_ELEMENT_WISE_MODULUS_TRUNCATE, a, b),
              (std::vector<T>{1, -1, 1, -1, 0}));
    EXPECT_EQ(Two<T>(DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR, a, b),
              (std::vector<T>{-2, 2, 1, -1, 0}));
  }
}

// B123.
TEST(Mean, OverflowsInFloatsAndTruncatesInIntegers) {
  ExpectSame(Two<float>(DML_OPERATOR_ELEMENT_WISE_MEAN, {3e38f, 0x1p-149f, 1}, {3e38f, 0, 2}),
             {kInfinity, 0, 1.5f});
  EXPECT_EQ(Two<int32_t>(DML_OPERATOR_ELEMENT_WISE_MEAN, {INT32_MAX, -3, -3, INT32_MIN, 3},
                         {INT32_MAX, -2, 3, INT32_MIN, 4}),
            (std::vector<int32_t>{INT32_MAX, -2, 0, INT32_MIN, 3}));
  EXPECT_EQ(Two<uint32_t>(DML_OPERATOR_ELEMENT_WISE_MEAN, {UINT32_MAX, 1}, {UINT32_MAX, 4}),
            (std::vector<uint32_t>{UINT32_MAX, 2}));
  const auto half = [](float value) { return ToFloat16(value).bits; };
  const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT16, {1});
  const DML_ELEMENT_WISE_MEAN_OPERATOR_DESC desc = {t, t, t};
  const std::vector<uint16_t> x = {half(60000)};  // the sum is no half, but a float
  EXPECT_EQ(test::RunOn<uint16_t>(DML_OPERATOR_ELEMENT_WISE_MEAN, &desc, {In(x), In(x)}, 1), x);
}

// B114, B102: (1 + 2^-12)^2 is rounded; a fused product would not matter, a fused sum would.
TEST(DifferenceSquare, RoundsTwiceAndWraps) {
  EXPECT_EQ(Two<uint32_t>(DML_OPERATOR_ELEMENT_WISE_DIFFERENCE_SQUARE, {1, 0x10001}, {3, 0}),
            (std::vector<uint32_t>{4, 0x20001}));
  ExpectSame(Two<float>(DML_OPERATOR_ELEMENT_WISE_DIFFERENCE_SQUARE,
                        {0x1p25f, 1, kInfinity, -3e20f}, {1, 3, kInfinity, 0}),
             {0x1p50f, 4, kNan, kInfinity});
}

// B125: CLIP without Max.
TEST(Threshold, ConvertsMinAndPassesNan) {
  const auto threshold = [](const auto& x, float min, const DML_SCALE_BIAS* scale_bias = nullptr) {
    using T = std::decay_t<decltype(x[0])>;
    const Tensor tensor(kType<T>, {static_cast<UINT>(x.size())});
    const DML_ELEMENT_WISE_THRESHOLD_OPERATOR_DESC desc = {tensor, tensor, scale_bias, min};
    return test::RunOn<T>(DML_OPERATOR_ELEMENT_WISE_THRESHOLD, &desc, {In(x)}, x.size());
  };
  ExpectSame(threshold(Floats{-1, -0.0f, kNan, 3, kInfinity}, 0), {0, -0.0f, kNan, 3, kInfinity});
  ExpectSame(threshold(Floats{-kInfinity, 5}, kNan), {-kInfinity, 5});
  EXPECT_EQ(threshold(std::vector<int8_t>{-5, 3, 127}, 1.9f), (std::vector<int8_t>{1, 3, 127}));
  EXPECT_EQ(threshold(std::vector<int8_t>{-5, 3}, kNan), (std::vector<int8_t>{0, 3}));
  EXPECT_EQ(threshold(std::vector<uint32_t>{5, UINT32_MAX}, -1),
            (std::vector<uint32_t>{5, UINT32_MAX}));
  const DML_SCALE_BIAS scale_bias = {0.5f, 0};  // 3 * 0.5 is 1 before it is compared
  EXPECT_EQ(threshold(std::vector<int16_t>{3, 8}, 2, &scale_bias), (std::vector<int16_t>{2, 4}));
}

// B106.
TEST(Sign, OfNanAndOfBothZerosIsZero) {
  ExpectSame(
      One<float>(DML_OPERATOR_ELEMENT_WISE_SIGN, Floats{-2, -0.0f, 0, kNan, kInfinity, -0x1p-149f}),
      {-1, 0, 0, 0, 1, -1});
  EXPECT_EQ(One<uint8_t>(DML_OPERATOR_ELEMENT_WISE_SIGN, Bytes{0, 7, 255}), (Bytes{0, 1, 1}));
  EXPECT_EQ(One<int64_t>(DML_OPERATOR_ELEMENT_WISE_SIGN, std::vector<int64_t>{INT64_MIN, 0, 9}),
            (std::vector<int64_t>{-1, 0, 1}));
}

// B107: exact, a zero has the sign of its argument, and "toward infinity" is away from zero.
TEST(Rounding, KeepsSignsAndInfinity) {
  ExpectSame(One<float>(DML_OPERATOR_ELEMENT_WISE_CEIL,
                        Floats{-0.5f, 1.1f, -0.0f, kNan, -kInfinity, 0x1p-149f}),
             {-0.0f, 2, -0.0f, kNan, -kInfinity, 1});
  ExpectSame(One<float>(DML_OPERATOR_ELEMENT_WISE_FLOOR, Floats{-0.5f, 1.1f, -0.0f, kInfinity}),
             {-1, 1, -0.0f, kInfinity});
  const auto round = [](DML_ROUNDING_MODE mode) {
    const Floats x = {-2.5f, -1.5f, -0.5f,     0.5f,    1.5f,        2.5f, 0.49999997f,
                      -0.4f, kNan,  kInfinity, 8388609, -8388607.5f, 0.75f};
    const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT32, {static_cast<UINT>(x.size())});
    const DML_ELEMENT_WISE_ROUND_OPERATOR_DESC desc = {t, t, mode};
    return test::RunOn<float>(DML_OPERATOR_ELEMENT_WISE_ROUND, &desc, {In(x)}, x.size());
  };
  ExpectSame(round(DML_ROUNDING_MODE_HALVES_TO_NEAREST_EVEN),
             {-2, -2, -0.0f, 0, 2, 2, 0, -0.0f, kNan, kInfinity, 8388609, -8388608, 1});
  ExpectSame(round(DML_ROUNDING_MODE_TOWARD_ZERO),
             {-2, -1, -0.0f, 0, 1, 2, 0, -0.0f, kNan, kInfinity, 8388609, -8388607, 0});
  ExpectSame(round(DML_ROUNDING_MODE_TOWARD_INFINITY),
             {-3, -2, -1, 1, 2, 3, 0, -0.0f, kNan, kInfinity, 8388609, -8388608, 1});
}

// B118.
TEST(Logic, TakesAnyNumberButZeroForTrue) {
  const Bytes a = {0, 2, 3, 0}, b = {0, 0, 5, 128};
  EXPECT_EQ(Two(DML_OPERATOR_ELEMENT_WISE_LOGICAL_AND, a, b), (Bytes{0, 0, 1, 0}));
  EXPECT_EQ(Two(DML_OPERATOR_ELEMENT_WISE_LOGICAL_OR, a, b), (Bytes{0, 1, 1, 1}));
  EXPECT_EQ(Two(DML_OPERATOR_ELEMENT_WISE_LOGICAL_XOR, a, b), (Bytes{0, 1, 0, 1}));
  EXPECT_EQ(One<uint8_t>(DML_OPERATOR_ELEMENT_WISE_LOGICAL_NOT, b), (Bytes{1, 1, 0, 0}));
  EXPECT_EQ(
      One<uint32_t>(DML_OPERATOR_ELEMENT_WISE_LOGICAL_NOT, std::vector<uint32_t>{0, 0x80000000}),
      (std::vector<uint32_t>{1, 0}));
}

// B119: the payload of a signalling NaN is as good as any number.
TEST(Bits, AreThoseOfTheEncoding) {
  const std::vector<uint32_t> a = {0x7F800001, 0xFFC12345}, b = {0x80000000, 0x0000FFFF};
  const auto on_floats = [&](DML_OPERATOR_TYPE type) {
    const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT32, {2});
    const DML_ELEMENT_WISE_BIT_AND_OPERATOR_DESC desc = {t, t, t};
    return test::RunOn<uint32_t>(type, &desc, {In(a), In(b)}, 2);
  };
  EXPECT_EQ(on_floats(DML_OPERATOR_ELEMENT_WISE_BIT_AND), (std::vector<uint32_t>{0, 0x2345}));
  EXPECT_EQ(on_floats(DML_OPERATOR_ELEMENT_WISE_BIT_OR),
            (std::vector<uint32_t>{0xFF800001, 0xFFC1FFFF}));
  EXPECT_EQ(on_floats(DML_OPERATOR_ELEMENT_WISE_BIT_XOR),
            (std::vector<uint32_t>{0xFF800001, 0xFFC1DCBA}));
  EXPECT_EQ(One<uint8_t>(DML_OPERATOR_ELEMENT_WISE_BIT_NOT, Bytes{0, 128, 42, 255}),
            (Bytes{255, 127, 213, 0}));
}

TEST(Bits, AreCountedUpTo64) {
  EXPECT_EQ(One<uint32_t>(DML_OPERATOR_ELEMENT_WISE_BIT_COUNT,
                          std::vector<uint32_t>{0, 123, 456, 789, UINT32_MAX}),
            (std::vector<uint32_t>{0, 6, 4, 5, 32}));
  EXPECT_EQ(One<uint8_t>(DML_OPERATOR_ELEMENT_WISE_BIT_COUNT,
                         std::vector<uint64_t>{UINT64_MAX, 0x8000000100000000}),
            (Bytes{64, 2}));
  EXPECT_EQ(One<uint8_t>(DML_OPERATOR_ELEMENT_WISE_BIT_COUNT, Floats{-0.0f, 1}), (Bytes{1, 7}));
}

// B117: x86 and Direct3D would take the low bits of the count.
TEST(Shifts, BeyondTheWidthAreZero) {
  EXPECT_EQ(
      Two<uint8_t>(DML_OPERATOR_ELEMENT_WISE_BIT_SHIFT_LEFT, {1, 3, 1, 1, 255}, {7, 7, 8, 200, 0}),
      (Bytes{128, 128, 0, 0, 255}));
  EXPECT_EQ(Two<uint32_t>(DML_OPERATOR_ELEMENT_WISE_BIT_SHIFT_RIGHT, {0x80000000, 5, 5, 0xFF},
                          {31, 32, UINT32_MAX, 4}),
            (std::vector<uint32_t>{1, 0, 0, 0xF}));
  EXPECT_EQ(Two<uint64_t>(DML_OPERATOR_ELEMENT_WISE_BIT_SHIFT_LEFT, {1, 1}, {63, 1ull << 32}),
            (std::vector<uint64_t>{1ull << 63, 0}));
}

TEST(Tests, FindNanAndInfinityOfASign) {
  const Floats x = {-kInfinity, kInfinity, kNan, 3.4e38f, -kNan, 0};
  EXPECT_EQ(One<uint8_t>(DML_OPERATOR_ELEMENT_WISE_IS_NAN, x), (Bytes{0, 0, 1, 0, 1, 0}));
  const auto is_infinity = [&](DML_IS_INFINITY_MODE mode) {
    const Tensor in(DML_TENSOR_DATA_TYPE_FLOAT32, {6}), out(DML_TENSOR_DATA_TYPE_UINT8, {6});
    const DML_ELEMENT_WISE_IS_INFINITY_OPERATOR_DESC desc = {in, out, mode};
    return test::RunOn<uint8_t>(DML_OPERATOR_ELEMENT_WISE_IS_INFINITY, &desc, {In(x)}, 6);
  };
  EXPECT_EQ(is_infinity(DML_IS_INFINITY_MODE_EITHER), (Bytes{1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(is_infinity(DML_IS_INFINITY_MODE_POSITIVE), (Bytes{0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(is_infinity(DML_IS_INFINITY_MODE_NEGATIVE), (Bytes{1, 0, 0, 0, 0, 0}));
}

template <typename Out, typename T, typename S>
std::vector<Out> Quantized(DML_OPERATOR_TYPE type, const std::vector<T>& x,
                           const std::vector<S>& scale, DML_TENSOR_DATA_TYPE zero_type,
                           const test::Memory& zero) {
  const auto count = static_cast<UINT>(x.size());
  const Tensor in(kType<T>, {count}), by(kType<S>, {count}), z(zero_type, {count});
  const Tensor out(kType<Out>, {count});
  const DML_TENSOR_DESC* const zero_point =
      zero.bytes == 0 ? nullptr : static_cast<const DML_TENSOR_DESC*>(z);
  const DML_ELEMENT_WISE_QUANTIZE_LINEAR_OPERATOR_DESC desc = {in, by, zero_point, out};
  return test::RunOn<Out>(type, &desc, {In(x), In(scale), zero}, count);
}

// B121. The first six are ONNX's example.
TEST(Quantize, RoundsToEvenAndSaturates) {
  const Floats x = {0, 2, 3, 1000, -254, -1000, 1, 5, kNan, kInfinity, -1, 0};
  const Floats scale = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0};
  const Bytes zero(x.size(), 128);
  EXPECT_EQ(Quantized<uint8_t>(DML_OPERATOR_ELEMENT_WISE_QUANTIZE_LINEAR, x, scale,
                               DML_TENSOR_DATA_TYPE_UINT8, In(zero)),
            (Bytes{128, 129, 130, 255, 1, 0, 128, 130, 128, 255, 0, 128}));
  const std::vector<int32_t> wide = {INT32_MAX, INT32_MIN, (1 << 24) + 1, -7};
  EXPECT_EQ(Quantized<int8_t>(DML_OPERATOR_ELEMENT_WISE_QUANTIZE_LINEAR, wide,
                              Floats{0x1p24f, 0x1p24f, 0x1p18f, 2}, DML_TENSOR_DATA_TYPE_INT8, {}),
            (std::vector<int8_t>{127, -128, 64, -4}));
}

TEST(Quantize, HasAnOutputOfTheTypeOfTheZeroPoint) {
  for (DataType type : {DataType::kInt8, DataType::kUnknown}) {
    schema::Settings settings = GradientWriter::Call("ELEMENT_WISE_QUANTIZE_LINEAR");
    const std::array sizes = {2u, 3u};
    settings.Tensor("InputTensor", PackedTensor(DataType::kFloat32, sizes));
    if (type != DataType::kUnknown) settings.Tensor("ZeroPointTensor", PackedTensor(type, sizes));
    const TensorDesc output = schema::OutputTensors(settings.arguments()).value()[0];
    EXPECT_EQ(output.data_type, type == DataType::kUnknown ? DataType::kUint8 : type);
    EXPECT_EQ(output.ElementCount(), 6u);
  }
}

// B121: the difference has 33 bits and is rounded to float.
TEST(Dequantize, SubtractsExactly) {
  const Bytes x = {0, 3, 128, 255}, zero(4, 128);
  EXPECT_EQ(Quantized<float>(DML_OPERATOR_ELEMENT_WISE_DEQUANTIZE_LINEAR, x, Floats(4, 2),
                             DML_TENSOR_DATA_TYPE_UINT8, In(zero)),
            (Floats{-256, -250, 0, 254}));
  const std::vector<int32_t> wide = {INT32_MIN, INT32_MAX, 16777217}, zeros = {INT32_MAX, -1, 0};
  EXPECT_EQ(Quantized<float>(DML_OPERATOR_ELEMENT_WISE_DEQUANTIZE_LINEAR, wide, Floats(3, 1),
                             DML_TENSOR_DATA_TYPE_INT32, In(zeros)),
            (Floats{-0x1p32f, 0x1p31f, 16777216}));
  const std::vector<uint32_t> unsigned_wide = {UINT32_MAX};
  EXPECT_EQ(Quantized<float>(DML_OPERATOR_ELEMENT_WISE_DEQUANTIZE_LINEAR, unsigned_wide,
                             Floats{0.5f}, DML_TENSOR_DATA_TYPE_UINT32, {}),
            Floats{0x1p31f});
}

TEST(Quantize, RefusesScalesOfOtherTypesAndOldLevelsWithoutZeroPoint) {
  const Tensor x(DML_TENSOR_DATA_TYPE_INT32, {2}), scale(DML_TENSOR_DATA_TYPE_FLOAT16, {2});
  const Tensor floats(DML_TENSOR_DATA_TYPE_FLOAT32, {2}), y(DML_TENSOR_DATA_TYPE_UINT8, {2});
  const DML_ELEMENT_WISE_QUANTIZE_LINEAR_OPERATOR_DESC mixed = {x, scale, nullptr, y};
  EXPECT_EQ(test::Refuse(DML_OPERATOR_ELEMENT_WISE_QUANTIZE_LINEAR, &mixed),
            "ELEMENT_WISE_QUANTIZE_LINEAR: ScaleTensor.DataType = FLOAT16 must be FLOAT32 for "
            "InputTensor.DataType = INT32");
  const DML_ELEMENT_WISE_QUANTIZE_LINEAR_OPERATOR_DESC without = {floats, floats, nullptr, y};
  EXPECT_EQ(test::Refuse(DML_OPERATOR_ELEMENT_WISE_QUANTIZE_LINEAR, &without,
                         {.feature_level = FeatureLevel::k6_1}),
            "ELEMENT_WISE_QUANTIZE_LINEAR: an absent ZeroPointTensor needs feature level 6_2 or "
            "above; this device has 6_1");
  const DML_ELEMENT_WISE_DEQUANTIZE_LINEAR_OPERATOR_DESC back = {y, floats, nullptr, floats};
  EXPECT_EQ(test::Refuse(DML_OPERATOR_ELEMENT_WISE_DEQUANTIZE_LINEAR, &back), "");
}

// B114.
TEST(ParameterizedRelu, WrapsIntegersAndPassesNan) {
  EXPECT_EQ(Two<int8_t>(DML_OPERATOR_ACTIVATION_PARAMETERIZED_RELU, {-100, 5, -128}, {2, 9, -1}),
            (std::vector<int8_t>{56, 5, -128}));
  ExpectSame(Two<float>(DML_OPERATOR_ACTIVATION_PARAMETERIZED_RELU, {-3, -0.0f, kNan, 2},
                        {0.5f, 7, 1, kNan}),
             {-1.5f, -0.0f, kNan, 2});
}

// B125: by the letter, so a NaN gives 0; integers in float, of 32 bits in double.
TEST(Shrink, GivesZeroForNanAndTruncatesIntegers) {
  const auto shrink = [](const auto& x, float bias, float threshold) {
    using T = std::decay_t<decltype(x[0])>;
    const Tensor tensor(kType<T>, {static_cast<UINT>(x.size())});
    const DML_ACTIVATION_SHRINK_OPERATOR_DESC desc = {tensor, tensor, bias, threshold};
    return test::RunOn<T>(DML_OPERATOR_ACTIVATION_SHRINK, &desc, {In(x)}, x.size());
  };
  ExpectSame(shrink(Floats{-2, 0.5f, 2, kNan, kInfinity, -0.5f}, 1.5f, 0.5f),
             {-0.5f, 0, 0.5f, 0, kInfinity, 0});
  EXPECT_EQ(shrink(std::vector<int8_t>{-3, 1, 3, 127}, 1.5f, 1),
            (std::vector<int8_t>{-1, 0, 1, 125}));
  EXPECT_EQ(shrink(Bytes{0, 1, 3, 9}, 5, 0.5f), (Bytes{0, 0, 0, 4}));
  EXPECT_EQ(shrink(std::vector<int32_t>{INT32_MAX, INT32_MIN}, 1, 0),
            (std::vector<int32_t>{INT32_MAX - 1, INT32_MIN + 1}));
}

// B126.
TEST(Shrink, MayBeFused) {
  const DML_ACTIVATION_SHRINK_OPERATOR_DESC shrink = {nullptr, nullptr, 1.5f, 0.5f};
  const DML_OPERATOR_DESC fused = {DML_OPERATOR_ACTIVATION_SHRINK, &shrink};
  const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT32, {3});
  const DML_ELEMENT_WISE_ADD1_OPERATOR_DESC desc = {t, t, t, &fused};
  ExpectSame(test::RunOn<float>(DML_OPERATOR_ELEMENT_WISE_ADD1, &desc,
                                {In(Floats{-1, 0.25f, 1}), In(Floats{-1, 0.25f, 1})}, 3),
             {-0.5f, 0, 0.5f});
}

// B109: -infinity times 0.
TEST(HardSwish, OfMinusInfinityIsNan) {
  const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT32, {6});
  const DML_ACTIVATION_HARD_SWISH_OPERATOR_DESC desc = {t, t, 0.25f, 0.5f};
  const Floats x = {-2, 0, 2, -kInfinity, 1, kNan};
  ExpectSame(test::RunOn<float>(DML_OPERATOR_ACTIVATION_HARD_SWISH, &desc, {In(x)}, 6),
             {-0.0f, 0, 2, kNan, 0.75f, kNan});
}

TEST(Bits, NameTheFeatureLevelThatTheyNeed) {
  const Tensor x(DML_TENSOR_DATA_TYPE_INT8, {2});
  const DML_ELEMENT_WISE_BIT_AND_OPERATOR_DESC desc = {x, x, x};
  EXPECT_EQ(
      test::Refuse(DML_OPERATOR_ELEMENT_WISE_BIT_AND, &desc, {.feature_level = FeatureLevel::k4_0}),
      "ELEMENT_WISE_BIT_AND: ATensor.DataType = INT8 needs feature level 4_1 or above; this "
      "device has 4_0");
}

}  // namespace
}  // namespace anydml
