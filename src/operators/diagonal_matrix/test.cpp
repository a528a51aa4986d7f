// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about DIAGONAL_MATRIX and DIAGONAL_MATRIX1: the examples of their pages, B56,
// the edges of INT, and values of other types.
#include <gtest/gtest.h>

#include <climits>

#include "operators/diagonal_matrix/desc.h"
#include "support/run.h"
#include "support/scalar_union.h"

namespace anydml::diagonal_matrix {
namespace {

using test::Bound;
using test::In;
using test::Tensor;
using Floats = std::vector<float>;
using Sizes = std::vector<UINT>;

constexpr DML_TENSOR_DATA_TYPE kFloat = DML_TENSOR_DATA_TYPE_FLOAT32;

template <typename T = float>
std::vector<T> Diagonal(const Sizes& sizes, INT offset, float value,
                        DML_TENSOR_DATA_TYPE type = kFloat) {
  const Tensor y(type, sizes);
  const DML_DIAGONAL_MATRIX_OPERATOR_DESC desc = {y, offset, value};
  return test::RunOn<T>(DML_OPERATOR_DIAGONAL_MATRIX, &desc, {}, test::Count(sizes));
}

Floats Zeros(const Sizes& sizes, float value, INT begin, INT end) {
  const Tensor y(kFloat, sizes);
  const DML_DIAGONAL_MATRIX1_OPERATOR_DESC desc = {nullptr, y, kFloat, Bound(value), begin, end};
  return test::RunOn<float>(DML_OPERATOR_DIAGONAL_MATRIX1, &desc, {test::Memory()},
                            test::Count(sizes));
}

Floats Filled(const Floats& x, const Sizes& sizes, float value, INT begin, INT end,
              const Sizes& strides = {}) {
  const Tensor input(kFloat, sizes, strides), y(kFloat, sizes);
  const DML_DIAGONAL_MATRIX1_OPERATOR_DESC desc = {input, y, kFloat, Bound(value), begin, end};
  return test::RunOn<float>(DML_OPERATOR_DIAGONAL_MATRIX1, &desc, {In(x)}, test::Count(sizes));
}

// Of the pages.
const Sizes kSizes = {4, 5};
const Floats kMatrix = {4, 7, 3, 7, 9, 1, 2, 8, 6, 9, 9, 4, 1, 8, 7, 4, 3, 4, 2, 4};

TEST(DiagonalMatrix, GivesTheDocumentedExamples) {
  EXPECT_EQ(Diagonal({1, 1, 3, 2}, -1, 1), (Floats{0, 0, 1, 0, 0, 1}));
  EXPECT_EQ(Diagonal({1, 1, 3, 2}, -3, 1), Floats(6, 0));
}

// The first example prints Value 7 and ones: Value 1 is meant (B56).
TEST(DiagonalMatrix1, GivesTheDocumentedExamples) {
  EXPECT_EQ(Zeros(kSizes, 1, 0, 1),
            (Floats{1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0}));
  EXPECT_EQ(Zeros(kSizes, 7, 0, 3),
            (Floats{7, 7, 7, 0, 0, 0, 7, 7, 7, 0, 0, 0, 7, 7, 7, 0, 0, 0, 7, 7}));
  EXPECT_EQ(Filled(kMatrix, kSizes, 0, INT_MIN, 1),
            (Floats{0, 7, 3, 7, 9, 0, 0, 8, 6, 9, 0, 0, 0, 8, 7, 0, 0, 0, 0, 4}));
  EXPECT_EQ(Filled(kMatrix, kSizes, 0, 1, 0),
            (Floats{4, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0}));
}

// B56.
TEST(DiagonalMatrix1, FillsByTheOrderOfItsEnds) {
  EXPECT_EQ(Filled(kMatrix, kSizes, 9, 2, 2), kMatrix);
  EXPECT_EQ(Filled(kMatrix, kSizes, 9, INT_MIN, INT_MAX), Floats(20, 9));
  EXPECT_EQ(Filled(kMatrix, kSizes, 9, INT_MAX, INT_MIN), kMatrix);
  EXPECT_EQ(Filled({1, 2, 3, 4}, {2, 2}, 9, INT_MAX, INT_MAX), (Floats{1, 2, 3, 4}));
}

TEST(DiagonalMatrix1, BroadcastsItsInputByStrides) {
  EXPECT_EQ(Filled({1, 2, 3}, {2, 2, 3}, 0, 1, 3, {0, 0, 1}),
            (Floats{1, 0, 0, 1, 2, 0, 1, 0, 0, 1, 2, 0}));
  EXPECT_EQ(Filled({1, 2, 3, 4}, {2, 2}, 0, 1, 2, {1, 2}), (Floats{1, 0, 2, 4}));  // transposed
}

TEST(DiagonalMatrix1, PreservesBits) {
  constexpr auto kHalf = DML_TENSOR_DATA_TYPE_FLOAT16;
  const Tensor x(kHalf, {2, 2});
  const DML_SCALAR_UNION value = Bound(uint16_t{0x7D55});  // a signalling NaN
  const DML_DIAGONAL_MATRIX1_OPERATOR_DESC desc = {x, x, kHalf, value, 0, 1};
  const std::vector<uint16_t> words = {1, 0xFC01, 0x8000, 2};
  EXPECT_EQ(test::RunOn<uint16_t>(DML_OPERATOR_DIAGONAL_MATRIX1, &desc, {In(words)}, 4),
            (std::vector<uint16_t>{0x7D55, 0xFC01, 0x8000, 0x7D55}));
}

// B26: toward zero, saturated.
TEST(DiagonalMatrix, ConvertsItsValue) {
  EXPECT_EQ(Diagonal<uint8_t>({2, 2}, 0, 10.6f, DML_TENSOR_DATA_TYPE_UINT8),
            (std::vector<uint8_t>{10, 0, 0, 10}));
  EXPECT_EQ(Diagonal<int8_t>({1, 2}, 1, -300, DML_TENSOR_DATA_TYPE_INT8),
            (std::vector<int8_t>{0, -128}));
  EXPECT_EQ(Diagonal<uint16_t>({1, 1}, 0, 1 + 0x3p-11f, DML_TENSOR_DATA_TYPE_FLOAT16),
            (std::vector<uint16_t>{0x3C02}));
}

TEST(DiagonalMatrix, AddsToOffsetsIn64Bits) {
  EXPECT_EQ(Diagonal({1, 2}, INT_MAX, 1), Floats(2, 0));
  EXPECT_EQ(Diagonal({1, 2}, INT_MIN, 1), Floats(2, 0));
}

TEST(DiagonalMatrix, RefusesWhatItsPageDoesNotHave) {
  const auto refuse = [](DML_TENSOR_DATA_TYPE type, const Sizes& sizes,
                         FeatureLevel level = kNewestFeatureLevel) {
    const Tensor y(type, sizes);
    const DML_DIAGONAL_MATRIX_OPERATOR_DESC desc = {y, 0, 1};
    return test::Refuse(DML_OPERATOR_DIAGONAL_MATRIX, &desc, {level});
  };
  constexpr auto kInt64 = DML_TENSOR_DATA_TYPE_INT64, kInt8 = DML_TENSOR_DATA_TYPE_INT8;
  EXPECT_EQ(refuse(kFloat, {2}), "DIAGONAL_MATRIX: OutputTensor.DimensionCount = 1 must be 2 to 4");
  EXPECT_EQ(refuse(kFloat, {1, 1, 1, 2, 2}),
            "DIAGONAL_MATRIX: OutputTensor.DimensionCount = 5 must be 2 to 4");
  EXPECT_EQ(refuse(kInt64, {2, 2}, FeatureLevel::k5_1), "");
  EXPECT_EQ(refuse(kInt64, {2, 2}, FeatureLevel::k5_0),
            "DIAGONAL_MATRIX: OutputTensor.DataType = INT64 needs feature level 5_1 or above; "
            "this device has 5_0");
  EXPECT_EQ(refuse(kInt8, {2, 2}, FeatureLevel::k4_0), "");
  EXPECT_EQ(refuse(kInt8, {2, 2}, FeatureLevel::k2_1),
            "DIAGONAL_MATRIX: OutputTensor.DimensionCount = 2 needs feature level 4_0 or above; "
            "this device has 2_1");
  EXPECT_EQ(refuse(kInt8, {1, 1, 2, 2}, FeatureLevel::k2_1), "");
  EXPECT_EQ(refuse(kInt8, {1, 1, 2, 2}, FeatureLevel::k2_0),
            "DIAGONAL_MATRIX: OutputTensor.DataType = INT8 needs feature level 2_1 or above; this "
            "device has 2_0");
}

TEST(DiagonalMatrix1, RefusesWhatDoesNotFit) {
  const Tensor x(kFloat, {2, 3}), y(kFloat, {2, 2}), halves(DML_TENSOR_DATA_TYPE_FLOAT16, {2, 2});
  const auto refuse = [&](const DML_TENSOR_DESC* input, DML_TENSOR_DATA_TYPE type,
                          FeatureLevel level = kNewestFeatureLevel) {
    const DML_DIAGONAL_MATRIX1_OPERATOR_DESC desc = {input, y, type, Bound(1.0f), 0, 1};
    return test::Refuse(DML_OPERATOR_DIAGONAL_MATRIX1, &desc, {level});
  };
  EXPECT_EQ(refuse(nullptr, kFloat), "");
  EXPECT_EQ(
      refuse(nullptr, kFloat, FeatureLevel::k5_0),
      "DIAGONAL_MATRIX1: this operator needs feature level 5_1 or above; this device has 5_0");
  EXPECT_EQ(refuse(x, kFloat),
            "DIAGONAL_MATRIX1: OutputTensor.Sizes = {2, 2} must equal InputTensor.Sizes = {2, 3}");
  EXPECT_EQ(refuse(halves, kFloat),
            "DIAGONAL_MATRIX1: OutputTensor.DataType = FLOAT32 must equal InputTensor.DataType = "
            "FLOAT16");
  EXPECT_EQ(refuse(nullptr, DML_TENSOR_DATA_TYPE_INT32),
            "DIAGONAL_MATRIX1: ValueDataType = INT32 must equal OutputTensor.DataType = FLOAT32");
}

}  // namespace
}  // namespace anydml::diagonal_matrix
