// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about arithmetic, comparisons, IF and CAST: the rulings, and the small
// cases whose results were computed by hand from the pages.
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
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();

template <typename T>
constexpr auto kType = static_cast<DML_TENSOR_DATA_TYPE>(kDataTypeOf<T>);

// a and b of one type, and the result of that type or of another.
template <typename Out, typename T>
std::vector<Out> Binary(DML_OPERATOR_TYPE type, const std::vector<T>& a, const std::vector<T>& b) {
  const Tensor in(kType<T>, {static_cast<UINT>(a.size())});
  const Tensor out(kType<Out>, {static_cast<UINT>(a.size())});
  const DML_ELEMENT_WISE_ADD_OPERATOR_DESC desc = {in, in, out};
  return test::RunOn<Out>(type, &desc, {In(a), In(b)}, a.size());
}
template <typename T>
std::vector<T> Two(DML_OPERATOR_TYPE type, const std::vector<T>& a, const std::vector<T>& b) {
  return Binary<T, T>(type, a, b);
}
template <typename T>
std::vector<T> One(DML_OPERATOR_TYPE type, const std::vector<T>& x,
                   const DML_SCALE_BIAS* scale_bias = nullptr) {
  const Tensor tensor(kType<T>, {static_cast<UINT>(x.size())});
  const DML_ELEMENT_WISE_ABS_OPERATOR_DESC desc = {tensor, tensor, scale_bias};
  return test::RunOn<T>(type, &desc, {In(x)}, x.size());
}

// B114.
TEST(Arithmetic, WrapsIntegers) {
  EXPECT_EQ(Two<int8_t>(DML_OPERATOR_ELEMENT_WISE_ADD, {127, -128}, {1, -1}),
            (std::vector<int8_t>{-128, 127}));
  EXPECT_EQ(Two<uint32_t>(DML_OPERATOR_ELEMENT_WISE_SUBTRACT, {0, 5}, {1, 7}),
            (std::vector<uint32_t>{0xFFFFFFFF, 0xFFFFFFFE}));
  EXPECT_EQ(Two<uint16_t>(DML_OPERATOR_ELEMENT_WISE_MULTIPLY, {65535}, {65535}),
            (std::vector<uint16_t>{1}));
  EXPECT_EQ(Two<int64_t>(DML_OPERATOR_ELEMENT_WISE_MULTIPLY, {INT64_MAX, -3}, {2, 5}),
            (std::vector<int64_t>{-2, -15}));
  EXPECT_EQ(One<int32_t>(DML_OPERATOR_ELEMENT_WISE_NEGATE, {INT32_MIN, 7}),
            (std::vector<int32_t>{INT32_MIN, -7}));
  EXPECT_EQ(One<int8_t>(DML_OPERATOR_ELEMENT_WISE_ABS, {-128, -1, 5}),
            (std::vector<int8_t>{-128, 1, 5}));
}

// H2: every pair of bytes, against arithmetic in int.
TEST(Arithmetic, IsRightOnEveryPairOfBytes) {
  std::vector<int8_t> a, b, sum, difference, product, quotient, least;
  for (int i = -128; i < 128; ++i) {
    for (int j = -128; j < 128; ++j) {
      a.push_back(static_cast<int8_t>(i));
      b.push_back(static_cast<int8_t>(j));
      sum.push_back(static_cast<int8_t>(i + j));
      difference.push_back(static_cast<int8_t>(i - j));
      product.push_back(static_cast<int8_t>(i * j));
      quotient.push_back(static_cast<int8_t>(j == 0 ? -1 : i / j));
      least.push_back(static_cast<int8_t>(i < j ? i : j));
    }
  }
  EXPECT_EQ(Two(DML_OPERATOR_ELEMENT_WISE_ADD, a, b), sum);
  EXPECT_EQ(Two(DML_OPERATOR_ELEMENT_WISE_SUBTRACT, a, b), difference);
  EXPECT_EQ(Two(DML_OPERATOR_ELEMENT_WISE_MULTIPLY, a, b), product);
  EXPECT_EQ(Two(DML_OPERATOR_ELEMENT_WISE_DIVIDE, a, b), quotient);
  EXPECT_EQ(Two(DML_OPERATOR_ELEMENT_WISE_MIN, a, b), least);
}

// B115, B114: no trap, whatever the width.
template <typename T>
class DivideIntegers : public testing::Test {};
using Integers =
    testing::Types<int64_t, int32_t, int16_t, int8_t, uint64_t, uint32_t, uint16_t, uint8_t>;
TYPED_TEST_SUITE(DivideIntegers, Integers);
TYPED_TEST(DivideIntegers, ByZeroGivesAllBitsAndNeverTraps) {
  using T = TypeParam;
  constexpr T kMin = std::numeric_limits<T>::min(), kMax = std::numeric_limits<T>::max();
  const auto ones = static_cast<T>(~T{0});
  const std::vector<T> quotients =
      Two<T>(DML_OPERATOR_ELEMENT_WISE_DIVIDE, {9, 0, kMin, kMax, 7, kMin}, {0, 0, 0, 0, 2, ones});
  EXPECT_EQ(quotients, (std::vector<T>{ones, ones, ones, ones, 3, kMin}));
  if constexpr (std::is_signed_v<T>) {  // toward zero
    EXPECT_EQ(Two<T>(DML_OPERATOR_ELEMENT_WISE_DIVIDE, {7, -7, -7}, {-2, 2, -2}),
              (std::vector<T>{-3, -3, 3}));
  }
}

TEST(Arithmetic, DividesFloatsAsIeeeSays) {
  ExpectSame(
      Two<float>(DML_OPERATOR_ELEMENT_WISE_DIVIDE, {1, 0, -1, -1, 1}, {0, 0, kInfinity, 0, 3}),
      {kInfinity, kNan, -0.0f, -kInfinity, 1.0f / 3});
  ExpectSame(One<float>(DML_OPERATOR_ELEMENT_WISE_RECIP, {0, -0.0f, kInfinity, -kInfinity, 3}),
             {kInfinity, -kInfinity, 0, -0.0f, 1.0f / 3});
  ExpectSame(One<float>(DML_OPERATOR_ELEMENT_WISE_SQRT, {-1, -0.0f, 2, kInfinity, 0x1p-149f}),
             {kNan, -0.0f, 1.41421354f, kInfinity, 0x1.6a09e6p-75f});
}

// Subnormal numbers are numbers, whatever the caller has set.
TEST(Arithmetic, KeepsSubnormalNumbers) {
  EXPECT_EQ(Two<float>(DML_OPERATOR_ELEMENT_WISE_ADD, {kDenormal}, {kDenormal}),
            Floats{2 * kDenormal});
  EXPECT_EQ(Two<float>(DML_OPERATOR_ELEMENT_WISE_MULTIPLY, {0x1p-100f}, {0x1p-49f}),
            Floats{kDenormal});
}

// B101: FLOAT16 is calculated in float and rounded once; from 65520 on it is infinity.
TEST(Arithmetic, RoundsHalvesOnce) {
  const auto half = [](float value) { return ToFloat16(value).bits; };
  const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT16, {3});
  const DML_ELEMENT_WISE_ADD_OPERATOR_DESC desc = {t, t, t};
  const std::vector<uint16_t> a = {half(65504), half(65504), half(1)};
  const std::vector<uint16_t> b = {half(15.99f), half(16), half(0x1p-11f)};
  EXPECT_EQ(test::RunOn<uint16_t>(DML_OPERATOR_ELEMENT_WISE_ADD, &desc, {In(a), In(b)}, 3),
            (std::vector<uint16_t>{0x7BFF, 0x7C00, half(1)}));
}

// B105.
TEST(MaxAndMin, PassNanAndOrderTheZeros) {
  ExpectSame(Two<float>(DML_OPERATOR_ELEMENT_WISE_MAX, {0, -0.0f, kNan, 1, -kInfinity, -0.0f},
                        {-0.0f, 0, 1, kNan, 2, -0.0f}),
             {0, 0, kNan, kNan, 2, -0.0f});
  ExpectSame(Two<float>(DML_OPERATOR_ELEMENT_WISE_MIN, {0, -0.0f, kNan, 1, -kInfinity, 0},
                        {-0.0f, 0, 1, kNan, 2, 0}),
             {-0.0f, -0.0f, kNan, kNan, -kInfinity, 0});
  EXPECT_EQ(Two<uint64_t>(DML_OPERATOR_ELEMENT_WISE_MAX, {UINT64_MAX, 1}, {1, 2}),
            (std::vector<uint64_t>{UINT64_MAX, 2}));
}

// B103: a sign is a bit, of a NaN too.
TEST(Negate, FlipsTheSignOfEveryFloat) {
  const std::vector<uint32_t> x = {0x7FC12345, 0xFF800001, 0, 0x80000000, 0x3F800000, 1};
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {6});
  const DML_ELEMENT_WISE_NEGATE_OPERATOR_DESC desc = {tensor, tensor};
  std::vector<uint32_t> flipped = x;
  for (uint32_t& bits : flipped) bits ^= 0x80000000;
  for (const auto& result :
       test::RunEachStrategy(DML_OPERATOR_ELEMENT_WISE_NEGATE, &desc, {In(x)})) {
    EXPECT_EQ(result, test::BytesOf(flipped));
  }
}

// B110, B101: product and sum are rounded to float, and not to half, before the formula.
// 1 + 2^-11 is no half: the root of 1 would be 1.
TEST(Sqrt, ScalesInFloat) {
  const auto half = [](float value) { return ToFloat16(value).bits; };
  const DML_SCALE_BIAS scale_bias = {0x1p20f, 0x1p9f};
  const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT16, {1});
  const DML_ELEMENT_WISE_SQRT_OPERATOR_DESC desc = {t, t, &scale_bias};
  const std::vector<uint16_t> one = {half(1)};  // 2^20 + 2^9 is beyond all halves
  EXPECT_EQ(test::RunOn<uint16_t>(DML_OPERATOR_ELEMENT_WISE_SQRT, &desc, {In(one)}, 1),
            std::vector<uint16_t>{half(std::sqrt(0x1p20f + 0x1p9f))});
  const DML_SCALE_BIAS linear = {3, -1};
  EXPECT_EQ(One<float>(DML_OPERATOR_ELEMENT_WISE_SQRT, {1 + 2.0f / 3}, &linear), Floats{2});
  EXPECT_EQ(One<float>(DML_OPERATOR_ELEMENT_WISE_RECIP, {1}, &linear), Floats{0.5f});
}

// B118. 64-bit integers are compared exactly.
TEST(Comparisons, AreIeeeAndGiveOneOrZero) {
  const Floats a = {kNan, 0, 1, -0.0f, 2, kNan}, b = {kNan, -0.0f, 2, 0, 1, 1};
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ((Binary<uint8_t>(DML_OPERATOR_ELEMENT_WISE_LOGICAL_EQUALS, a, b)),
            (Bytes{0, 1, 0, 1, 0, 0}));
  EXPECT_EQ((Binary<uint8_t>(DML_OPERATOR_ELEMENT_WISE_LOGICAL_LESS_THAN, a, b)),
            (Bytes{0, 0, 1, 0, 0, 0}));
  EXPECT_EQ((Binary<uint32_t>(DML_OPERATOR_ELEMENT_WISE_LOGICAL_GREATER_THAN, a, b)),
            (std::vector<uint32_t>{0, 0, 0, 0, 1, 0}));
  EXPECT_EQ((Binary<uint8_t>(DML_OPERATOR_ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL, a, b)),
            (Bytes{0, 1, 1, 1, 0, 0}));
  EXPECT_EQ((Binary<uint8_t>(DML_OPERATOR_ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL, a, b)),
            (Bytes{0, 1, 0, 1, 1, 0}));
  const std::vector<int64_t> wide = {INT64_MAX, INT64_MIN}, near = {INT64_MAX - 1, INT64_MIN};
  EXPECT_EQ((Binary<uint8_t>(DML_OPERATOR_ELEMENT_WISE_LOGICAL_EQUALS, wide, near)), (Bytes{0, 1}));
}

TEST(Comparisons, OrderEveryHalf) {
  std::vector<uint16_t> a, b;
  std::vector<uint8_t> less;
  for (uint32_t i = 0; i < 65536; ++i) {
    for (uint16_t other : {0x0000, 0x8000, 0x3C00, 0xBC01, 0x7C00, 0x7E00}) {
      a.push_back(static_cast<uint16_t>(i));
      b.push_back(other);
      less.push_back(ToFloat(Float16{a.back()}) < ToFloat(Float16{other}) ? 1 : 0);
    }
  }
  const Tensor in(DML_TENSOR_DATA_TYPE_FLOAT16, {static_cast<UINT>(a.size())});
  const Tensor out(DML_TENSOR_DATA_TYPE_UINT8, {static_cast<UINT>(a.size())});
  const DML_ELEMENT_WISE_LOGICAL_LESS_THAN_OPERATOR_DESC desc = {in, in, out};
  EXPECT_EQ(test::RunOn<uint8_t>(DML_OPERATOR_ELEMENT_WISE_LOGICAL_LESS_THAN, &desc, {In(a), In(b)},
                                 a.size()),
            less);
}

TEST(Comparisons, RefuseTypesOutsideTheirTable) {
  const Tensor in(DML_TENSOR_DATA_TYPE_FLOAT32, {2}), out(DML_TENSOR_DATA_TYPE_FLOAT32, {2});
  const DML_ELEMENT_WISE_LOGICAL_EQUALS_OPERATOR_DESC desc = {in, in, out};
  EXPECT_EQ(test::Refuse(DML_OPERATOR_ELEMENT_WISE_LOGICAL_EQUALS, &desc),
            "ELEMENT_WISE_LOGICAL_EQUALS: OutputTensor.DataType = FLOAT32 must be UINT32 or UINT8");
  const Tensor four(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 1, 2});
  const Tensor bytes(DML_TENSOR_DATA_TYPE_UINT8, {1, 1, 1, 2});
  const DML_ELEMENT_WISE_LOGICAL_EQUALS_OPERATOR_DESC early = {four, four, bytes};
  EXPECT_EQ(test::Refuse(DML_OPERATOR_ELEMENT_WISE_LOGICAL_EQUALS, &early,
                         {.feature_level = FeatureLevel::k1_0}),
            "ELEMENT_WISE_LOGICAL_EQUALS: OutputTensor.DataType = UINT8 needs feature level 2_0 or "
            "above; this device has 1_0");
}

// B127: over A or B where the elements are as large as the output's.
TEST(Comparisons, RunInPlaceOnInputsOfTheOutputsSize) {
  const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT32, {3}), out(DML_TENSOR_DATA_TYPE_UINT32, {3});
  const DML_ELEMENT_WISE_LOGICAL_LESS_THAN_OPERATOR_DESC desc = {t, t, out};
  const Floats a = {1, 5, 3}, b = {4, 5, 2};
  for (size_t input : {0, 1}) {
    for (const auto& result : test::RunEachStrategy(DML_OPERATOR_ELEMENT_WISE_LOGICAL_LESS_THAN,
                                                    &desc, {In(a), In(b)}, input)) {
      EXPECT_EQ(result, test::BytesOf(std::vector<uint32_t>{1, 0, 0}));
    }
  }
}

// B119: bits are copied.
TEST(If, CopiesTheBitsThatTheConditionChooses) {
  const Tensor condition(DML_TENSOR_DATA_TYPE_UINT8, {4}), t(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  const DML_ELEMENT_WISE_IF_OPERATOR_DESC desc = {condition, t, t, t};
  const std::vector<uint8_t> c = {1, 0, 255, 0};
  const std::vector<uint32_t> a = {0x7F800001, 2, 0x80000000, 4},
                              b = {9, 0xFFC12345, 7, 0x80000000};
  for (const auto& result :
       test::RunEachStrategy(DML_OPERATOR_ELEMENT_WISE_IF, &desc, {In(c), In(a), In(b)})) {
    EXPECT_EQ(result,
              test::BytesOf(std::vector<uint32_t>{0x7F800001, 0xFFC12345, 0x80000000, 0x80000000}));
  }
}

// B127: over A or B, which are of the output's size.
TEST(If, RunsInPlaceOnAAndB) {
  const Tensor condition(DML_TENSOR_DATA_TYPE_UINT8, {3}), t(DML_TENSOR_DATA_TYPE_FLOAT32, {3});
  const DML_ELEMENT_WISE_IF_OPERATOR_DESC desc = {condition, t, t, t};
  const std::vector<uint8_t> c = {1, 0, 1};
  const Floats a = {1, 2, 3}, b = {4, 5, 6};
  for (size_t input : {1, 2}) {
    for (const auto& result :
         test::RunEachStrategy(DML_OPERATOR_ELEMENT_WISE_IF, &desc, {In(c), In(a), In(b)}, input)) {
      EXPECT_EQ(result, test::BytesOf(Floats{1, 5, 3}));
    }
  }
}

// Of bytes over the condition, too.
TEST(If, RunsInPlaceOnAConditionOfItsSize) {
  const Tensor t(DML_TENSOR_DATA_TYPE_UINT8, {3});
  const DML_ELEMENT_WISE_IF_OPERATOR_DESC desc = {t, t, t, t};
  const std::vector<uint8_t> c = {1, 0, 7}, a = {1, 2, 3}, b = {4, 5, 6}, expected = {1, 5, 3};
  for (const auto& result :
       test::RunEachStrategy(DML_OPERATOR_ELEMENT_WISE_IF, &desc, {In(c), In(a), In(b)}, 0)) {
    EXPECT_EQ(result, test::BytesOf(expected));
  }
}

template <typename To, typename From>
std::vector<To> CastTo(DML_TENSOR_DATA_TYPE from, DML_TENSOR_DATA_TYPE to,
                       const std::vector<From>& x) {
  const Tensor in(from, {static_cast<UINT>(x.size())}), out(to, {static_cast<UINT>(x.size())});
  const DML_CAST_OPERATOR_DESC desc = {in, out};
  return test::RunOn<To>(DML_OPERATOR_CAST, &desc, {In(x)}, x.size());
}
template <typename To, typename From>
std::vector<To> CastTo(const std::vector<From>& x) {
  return CastTo<To>(kType<From>, kType<To>, x);
}

// B120.
TEST(Cast, TruncatesAndSaturatesFloats) {
  EXPECT_EQ(CastTo<int8_t>(Floats{-1.9f, 1.9f, 300, -kInfinity, kNan}),
            (std::vector<int8_t>{-1, 1, 127, -128, 0}));
  EXPECT_EQ(CastTo<int32_t>(Floats{2147483648.0f, -2147483648.0f, 2147483520.0f}),
            (std::vector<int32_t>{INT32_MAX, INT32_MIN, 2147483520}));
  EXPECT_EQ(
      CastTo<uint64_t>(std::vector<double>{-1, 18446744073709551616.0, 18446744073709549568.0}),
      (std::vector<uint64_t>{0, UINT64_MAX, 18446744073709549568u}));
  EXPECT_EQ(CastTo<uint8_t>(std::vector<double>{255.99, 256, -0.5}),
            (std::vector<uint8_t>{255, 255, 0}));
}

// B127.
TEST(Cast, RunsInPlaceBetweenTypesOfOneSize) {
  const Tensor in(DML_TENSOR_DATA_TYPE_FLOAT32, {3}), out(DML_TENSOR_DATA_TYPE_INT32, {3});
  const DML_CAST_OPERATOR_DESC desc = {in, out};
  const Floats x = {1.5f, -7, 3e9f};
  for (const auto& result : test::RunEachStrategy(DML_OPERATOR_CAST, &desc, {In(x)}, 0)) {
    EXPECT_EQ(result, test::BytesOf(std::vector<int32_t>{1, -7, INT32_MAX}));
  }
}

TEST(Cast, KeepsTheLowBitsOfIntegers) {
  EXPECT_EQ(CastTo<int8_t>(std::vector<int32_t>{200, -129, 256}),
            (std::vector<int8_t>{-56, 127, 0}));
  EXPECT_EQ(CastTo<uint64_t>(std::vector<int8_t>{-1}), (std::vector<uint64_t>{UINT64_MAX}));
  EXPECT_EQ(CastTo<int64_t>(std::vector<uint32_t>{0xFFFFFFFF}), (std::vector<int64_t>{0xFFFFFFFF}));
}

// One rounding from the exact value.
TEST(Cast, RoundsOnceToFloats) {
  EXPECT_EQ(CastTo<float>(std::vector<int64_t>{(1 << 24) + 1, (1 << 24) + 3, INT64_MAX}),
            (Floats{0x1p24f, 0x1p24f + 4, 0x1p63f}));
  EXPECT_EQ(CastTo<float>(std::vector<uint64_t>{0xFFFFFF8000000001}), (Floats{0x1p64f}));
  EXPECT_EQ(CastTo<double>(std::vector<uint64_t>{(uint64_t{1} << 53) + 1}),
            (std::vector<double>{0x1p53}));
  const auto halves = [](const auto& x, DML_TENSOR_DATA_TYPE type) {
    return CastTo<uint16_t>(type, DML_TENSOR_DATA_TYPE_FLOAT16, x);
  };
  EXPECT_EQ(halves(std::vector<int64_t>{2049, 65519, 65520, INT64_MIN}, DML_TENSOR_DATA_TYPE_INT64),
            (std::vector<uint16_t>{0x6800, 0x7BFF, 0x7C00, 0xFC00}));
  // Through float, 1 + 2^-11 + 2^-40 would round to the midpoint and then to 1.
  EXPECT_EQ(halves(std::vector<double>{1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-11, -65520, 1e-300},
                   DML_TENSOR_DATA_TYPE_FLOAT64),
            (std::vector<uint16_t>{0x3C01, 0x3C00, 0xFC00, 0}));
}

TEST(Cast, NamesTheFeatureLevelThatItNeeds) {
  const Tensor in(DML_TENSOR_DATA_TYPE_INT32, {1, 1, 1, 2}),
      out(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 1, 2});
  const DML_CAST_OPERATOR_DESC desc = {in, out};
  EXPECT_EQ(
      test::Refuse(DML_OPERATOR_CAST, &desc, {.feature_level = FeatureLevel::k2_1}),
      "CAST: InputTensor.DataType = INT32 needs feature level 3_0 or above; this device has 2_1");
}

}  // namespace
}  // namespace anydml
