// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about the results of MAX_POOLING, MAX_POOLING1 and
// MAX_POOLING2: every sentence of their pages. Every run compares the reference
// with all strategies.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "support/pooling.h"
#include "support/run.h"

namespace anydml::max_pooling {
namespace {

using test::Full;
using test::In;
using test::Tensor;
using test::Uints;
using test::Window;
using Values = std::vector<float>;
using Indices = std::vector<uint64_t>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The two outputs of MAX_POOLING2, indices as UINT64.
template <typename T>
struct Pooled {
  std::vector<T> values;
  Indices indices;
};

template <typename T>
Pooled<T> PoolAs(DML_TENSOR_DATA_TYPE type, const Uints& x_sizes, const std::vector<T>& x,
                 const Uints& y_sizes, const Window& window, const Uints& x_strides = {}) {
  const Tensor input(type, Full(x_sizes), x_strides), output(type, Full(y_sizes));
  const Tensor indices(DML_TENSOR_DATA_TYPE_UINT64, Full(y_sizes));
  const auto desc = test::MaxPooling2(input, output, indices, window);
  size_t count = 1;
  for (UINT size : y_sizes) count *= size;
  return {test::RunOn<T>(DML_OPERATOR_MAX_POOLING2, &desc, {In(x)}, count, 0),
          test::RunOn<uint64_t>(DML_OPERATOR_MAX_POOLING2, &desc, {In(x)}, count, 1)};
}

Pooled<float> Pool(const Uints& x_sizes, const Values& x, const Uints& y_sizes,
                   const Window& window, const Uints& x_strides = {}) {
  return PoolAs(DML_TENSOR_DATA_TYPE_FLOAT32, x_sizes, x, y_sizes, window, x_strides);
}

// The forward example of MAX_POOLING_GRAD's page.
TEST(MaxPooling, GivesTheDocumentedExample) {
  const auto result = Pool({3, 3}, {1, 2, 3, 2, 4, 2, 5, 6, 7}, {2, 2}, {.size = {2, 2}});
  EXPECT_EQ(result.values, (Values{4, 4, 6, 7}));
  EXPECT_EQ(result.indices, (Indices{4, 4, 7, 8}));
}

// "Zero-based, the input taken as a contiguous one-dimensional array": batch and
// channel count, padding does not.
TEST(MaxPooling, IndicesCountTheWholeInput) {
  const auto result = Pool({2, 2, 1, 2}, {1, 2, 4, 3, 5, 6, 8, 7}, {2, 2, 1, 1},
                           {.size = {2, 4}, .start = {1, 1}, .end = {0, 1}});
  EXPECT_EQ(result.values, (Values{2, 4, 6, 8}));
  EXPECT_EQ(result.indices, (Indices{1, 2, 5, 6}));
}

// Logical indices: the same numbers when the memory is NHWC.
TEST(MaxPooling, IndicesDoNotDependOnStrides) {
  const auto result =
      Pool({1, 2, 1, 3}, {1, 9, 5, 8, 3, 7}, {1, 2, 1, 2}, {.size = {1, 2}}, {6, 1, 6, 2});
  EXPECT_EQ(result.values, (Values{5, 5, 9, 8}));
  EXPECT_EQ(result.indices, (Indices{1, 1, 3, 4}));
}

// "Index of the first encountered"; -0 equals +0 (B4), and its bits survive.
TEST(MaxPooling, TieGoesToTheFirstElement) {
  const auto result = Pool({1, 3}, {-0.0f, 0.0f, -0.0f}, {1, 2}, {.size = {1, 2}});
  EXPECT_EQ(result.indices, (Indices{0, 1}));
  EXPECT_EQ(std::bit_cast<uint32_t>(result.values[0]), 0x80000000u);
  EXPECT_EQ(std::bit_cast<uint32_t>(result.values[1]), 0u);
  EXPECT_EQ(Pool({1, 3}, Values(3, -kInfinity), {1, 1}, {.size = {1, 3}}).indices, (Indices{0}));
}

// B6, with the payload of the first NaN.
TEST(MaxPooling, FirstNanWinsAndKeepsItsBits) {
  const float first = std::bit_cast<float>(0xFFC12345u);
  const auto result = Pool({1, 4}, {kInfinity, first, 9, kNan}, {1, 1}, {.size = {1, 4}});
  EXPECT_EQ(result.indices, (Indices{1}));
  EXPECT_EQ(std::bit_cast<uint32_t>(result.values[0]), 0xFFC12345u);
}

// B6 over all halves: of a pair the rule chooses, a window of one copies the
// bits. In rows of 256, since the reference walks a row for every window.
TEST(MaxPooling, ChoosesEveryHalfByItsValueAndCopiesItsBits) {
  std::vector<uint16_t> x(65536), values;
  Indices indices;
  for (uint32_t i = 0; i < 65536; ++i) x[i] = static_cast<uint16_t>(i * 40503u);
  for (uint32_t i = 0; i < 65536; ++i) {
    if (i % 256 == 255) continue;
    const float a = ToFloat({x[i]}), b = ToFloat({x[i + 1]});
    const uint32_t winner = b > a || (std::isnan(b) && !std::isnan(a)) ? i + 1 : i;
    values.push_back(x[winner]);
    indices.push_back(winner);
  }
  const Uints sizes = {256, 256};
  const auto pairs = PoolAs(DML_TENSOR_DATA_TYPE_FLOAT16, sizes, x, {256, 255}, {.size = {1, 2}});
  EXPECT_EQ(pairs.values, values);
  EXPECT_EQ(pairs.indices, indices);
  EXPECT_EQ(PoolAs(DML_TENSOR_DATA_TYPE_FLOAT16, sizes, x, sizes, {.size = {1, 1}}).values, x);
}

// Padding is minus infinity, not 0.
TEST(MaxPooling, PaddingTakesNoPart) {
  const auto result =
      Pool({2, 2}, {-4, -3, -2, -1}, {1, 1}, {.size = {4, 4}, .start = {1, 1}, .end = {1, 1}});
  EXPECT_EQ(result.values, (Values{-1}));
  EXPECT_EQ(result.indices, (Indices{3}));
}

template <typename T>
void CheckEmptyWindow(DML_TENSOR_DATA_TYPE type, T lowest) {
  const Window window = {.size = {1, 1}, .start = {0, 1}};
  const Tensor input(type, {1, 1, 1, 1}), output(type, {1, 1, 1, 2});
  const Tensor wide(DML_TENSOR_DATA_TYPE_UINT64, {1, 1, 1, 2});
  const Tensor narrow(DML_TENSOR_DATA_TYPE_UINT32, {1, 1, 1, 2});
  const std::vector<T> x = {T{7}};
  const auto with_wide = test::MaxPooling2(input, output, wide, window);
  const auto with_narrow = test::MaxPooling2(input, output, narrow, window);
  EXPECT_EQ(test::RunOn<T>(DML_OPERATOR_MAX_POOLING2, &with_wide, {In(x)}, 2),
            (std::vector<T>{lowest, 7}));
  EXPECT_EQ(test::RunOn<uint64_t>(DML_OPERATOR_MAX_POOLING2, &with_wide, {In(x)}, 2, 1),
            (Indices{0xFFFFFFFFFFFFFFFFu, 0}));
  EXPECT_EQ(test::RunOn<uint32_t>(DML_OPERATOR_MAX_POOLING2, &with_narrow, {In(x)}, 2, 1),
            (std::vector<uint32_t>{0xFFFFFFFFu, 0}));
}

// B14 and A5: the lowest value, and an index of all ones.
TEST(MaxPooling, WindowWithoutTapsGivesTheLowestValue) {
  CheckEmptyWindow<float>(DML_TENSOR_DATA_TYPE_FLOAT32, -kInfinity);
  CheckEmptyWindow<uint16_t>(DML_TENSOR_DATA_TYPE_FLOAT16, 0xFC00);
  CheckEmptyWindow<int64_t>(DML_TENSOR_DATA_TYPE_INT64, INT64_MIN);
  CheckEmptyWindow<int32_t>(DML_TENSOR_DATA_TYPE_INT32, INT32_MIN);
  CheckEmptyWindow<int16_t>(DML_TENSOR_DATA_TYPE_INT16, INT16_MIN);
  CheckEmptyWindow<int8_t>(DML_TENSOR_DATA_TYPE_INT8, INT8_MIN);
  CheckEmptyWindow<uint64_t>(DML_TENSOR_DATA_TYPE_UINT64, 0);
  CheckEmptyWindow<uint32_t>(DML_TENSOR_DATA_TYPE_UINT32, 0);
  CheckEmptyWindow<uint16_t>(DML_TENSOR_DATA_TYPE_UINT16, 0);
  CheckEmptyWindow<uint8_t>(DML_TENSOR_DATA_TYPE_UINT8, 0);
}

// A double cannot tell the 64-bit values apart; an all-lowest window has a
// winner.
TEST(MaxPooling, ComparesIntegersExactly) {
  constexpr int64_t kBig = int64_t{1} << 53;
  const auto wide = PoolAs<int64_t>(DML_TENSOR_DATA_TYPE_INT64, {1, 3}, {kBig, kBig + 1, -kBig},
                                    {1, 1}, {.size = {1, 3}});
  EXPECT_EQ(wide.values, (std::vector<int64_t>{kBig + 1}));
  EXPECT_EQ(wide.indices, (Indices{1}));
  const auto large = PoolAs<uint64_t>(DML_TENSOR_DATA_TYPE_UINT64, {1, 3}, {1, UINT64_MAX, 2},
                                      {1, 1}, {.size = {1, 3}});
  EXPECT_EQ(large.values, (std::vector<uint64_t>{UINT64_MAX}));
  const auto bytes = PoolAs<int8_t>(DML_TENSOR_DATA_TYPE_INT8, {1, 4}, {-128, -128, 127, -1},
                                    {1, 3}, {.size = {1, 2}});
  EXPECT_EQ(bytes.values, (std::vector<int8_t>{-128, 127, 127}));
  EXPECT_EQ(bytes.indices, (Indices{0, 2, 2}));
}

// "Every Dilations[i]-th element": (0, 0), (0, 2), (2, 0) and (2, 2).
TEST(MaxPooling, DilationTakesEveryNthElement) {
  const auto result =
      Pool({3, 3}, {1, 9, 2, 9, 9, 9, 4, 9, 3}, {1, 1}, {.size = {2, 2}, .dilations = {2, 2}});
  EXPECT_EQ(result.values, (Values{4}));
  EXPECT_EQ(result.indices, (Indices{6}));
}

// B15: the last window of a ceil size overhangs; without taps it is empty.
TEST(MaxPooling, TakesFloorAndCeilSizes) {
  const Window window = {.size = {1, 2}, .strides = {1, 2}};
  EXPECT_EQ(Pool({1, 3}, {1, 2, 3}, {1, 1}, window).values, (Values{2}));
  EXPECT_EQ(Pool({1, 3}, {1, 2, 3}, {1, 2}, window).values, (Values{2, 3}));
  const auto empty = Pool({1, 3}, {1, 2, 3}, {1, 2}, {.size = {1, 2}, .strides = {1, 0xFFFFFFFF}});
  EXPECT_EQ(empty.values, (Values{2, -kInfinity}));
  EXPECT_EQ(empty.indices, (Indices{1, ~uint64_t{0}}));
}

// Sizes {N, C, D, H, W}, arrays {D, H, W}.
TEST(MaxPooling, TakesVolumes) {
  const auto result =
      Pool({1, 1, 2, 1, 3}, {1, 5, 2, 5, 4, 6}, {1, 1, 1, 1, 2}, {.size = {2, 1, 2}});
  EXPECT_EQ(result.values, (Values{5, 6}));
  EXPECT_EQ(result.indices, (Indices{1, 5}));
}

// P11
TEST(MaxPooling, TakesAttributesNearTwoToThe32) {
  constexpr UINT kMax = 0xFFFFFFFF;
  const auto result =
      Pool({1, 3}, {1, 3, 2}, {1, 2},
           {.size = {1, kMax}, .strides = {1, kMax}, .start = {0, kMax}, .end = {0, kMax}});
  EXPECT_EQ(result.indices, (Indices{~uint64_t{0}, 1}));
}

// B18: the corners of the largest tensor, 65535 * 65537 = 2^32 - 1 elements that
// share four bytes.
TEST(MaxPooling, IndicesReachTheLargestTensorsEnd) {
  const Window window = {.size = {1, 1}, .strides = {65534, 65536}};
  const Tensor input(DML_TENSOR_DATA_TYPE_UINT8, {1, 1, 65535, 65537}, {0, 0, 0, 0});
  const Tensor output(DML_TENSOR_DATA_TYPE_UINT8, {1, 1, 2, 2});
  const Tensor indices(DML_TENSOR_DATA_TYPE_UINT32, {1, 1, 2, 2});
  const auto desc = test::MaxPooling2(input, output, indices, window);
  const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_MAX_POOLING2, &desc};
  const Result<Operator> op = CreateOperator(&operator_desc, {});
  ASSERT_TRUE(op.ok()) << op.error().message;
  const uint32_t x = 0x07070707;
  uint32_t y = 0;
  std::vector<uint32_t> found(4);
  Bindings bindings;
  bindings.inputs[0] = &x;
  bindings.outputs = {&y, found.data()};
  ASSERT_TRUE(anydml::Run(Compile(op.value()).value(), bindings, cpu::Executor(1)).ok());
  EXPECT_EQ(y, x);
  EXPECT_EQ(found, (std::vector<uint32_t>{0, 65536, 65534u * 65537u, 0xFFFFFFFE}));
}

// "With OutputIndicesTensor NULL" MAX_POOLING1 is MAX_POOLING, and with dilations
// of 1 MAX_POOLING2 is MAX_POOLING1.
TEST(MaxPooling, VersionsAgree) {
  const Window window = {.size = {3, 2}, .strides = {2, 1}, .start = {1, 1}, .end = {0, 1}};
  Values x(7 * 9);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(test::Pattern(i, 13, 5));
  const auto expected = Pool({7, 9}, x, {3, 10}, window);
  const Tensor input(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 7, 9});
  const Tensor output(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 3, 10});
  const Tensor indices(DML_TENSOR_DATA_TYPE_UINT64, {1, 1, 3, 10});
  const auto desc = test::MaxPooling(input, output, window);
  const auto desc1 = test::MaxPooling1(input, output, indices, window);
  const auto without = test::MaxPooling1(input, output, nullptr, window);
  EXPECT_EQ(test::RunOn<float>(DML_OPERATOR_MAX_POOLING, &desc, {In(x)}, 30), expected.values);
  EXPECT_EQ(test::RunOn<float>(DML_OPERATOR_MAX_POOLING1, &desc1, {In(x)}, 30), expected.values);
  EXPECT_EQ(test::RunOn<uint64_t>(DML_OPERATOR_MAX_POOLING1, &desc1, {In(x)}, 30, 1),
            expected.indices);
  EXPECT_EQ(test::RunOn<float>(DML_OPERATOR_MAX_POOLING1, &without, {In(x)}, 30), expected.values);
}

}  // namespace
}  // namespace anydml::max_pooling
