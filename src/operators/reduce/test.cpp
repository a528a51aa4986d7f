// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about the operators of this folder: the examples of their pages, the rulings
// B61, B65 to B68, B78, and the sentences of what is refused.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/float16.h"
#include "support/run.h"

namespace anydml::reduce {
namespace {

using test::Count;
using test::In;
using test::Pattern;
using test::Tensor;
using Sizes = std::vector<UINT>;
using Floats = std::vector<float>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr auto kFloat32 = DML_TENSOR_DATA_TYPE_FLOAT32;
constexpr auto kUint32 = DML_TENSOR_DATA_TYPE_UINT32;

Sizes Reduced(Sizes sizes, const Sizes& axes) {
  for (UINT axis : axes) sizes[axis] = 1;
  return sizes;
}

// Patterns of the acceptance cases.
template <typename T = float>
std::vector<T> Patterns(size_t count, int64_t m, int64_t k, float divisor = 1) {
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>(Pattern(static_cast<int64_t>(i), m, k)) / divisor;
  }
  return values;
}

// zlib's CRC-32 of the packed elements.
uint32_t Crc(const std::vector<uint8_t>& bytes) {
  uint32_t crc = ~0u;
  for (uint8_t byte : bytes) {
    crc ^= byte;
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return ~crc;
}
template <typename T>
uint32_t Crc(const std::vector<T>& values) {
  return Crc(test::BytesOf(values));
}

uint32_t Bits(float x) { return std::bit_cast<uint32_t>(x); }

template <typename T, typename Y>
std::vector<Y> Reduce(DML_REDUCE_FUNCTION function, DML_TENSOR_DATA_TYPE x_type,
                      DML_TENSOR_DATA_TYPE y_type, const Sizes& sizes, const Sizes& axes,
                      const std::vector<T>& values, const Sizes& strides = {}) {
  const Tensor x(x_type, sizes, strides), y(y_type, Reduced(sizes, axes));
  const DML_REDUCE_OPERATOR_DESC desc = {function, x, y, static_cast<UINT>(axes.size()),
                                         axes.empty() ? nullptr : axes.data()};
  return test::RunOn<Y>(DML_OPERATOR_REDUCE, &desc, {In(values)}, Count(Reduced(sizes, axes)));
}

Floats Reduce(DML_REDUCE_FUNCTION function, const Sizes& sizes, const Sizes& axes,
              const Floats& values, const Sizes& strides = {}) {
  return Reduce<float, float>(function, kFloat32, kFloat32, sizes, axes, values, strides);
}
float ReduceAll(DML_REDUCE_FUNCTION function, const Floats& values) {
  return Reduce(function, {static_cast<UINT>(values.size())}, {0}, values)[0];
}
using Indices = std::vector<uint32_t>;
Indices ReduceToIndices(DML_REDUCE_FUNCTION function, const Sizes& sizes, const Sizes& axes,
                        const Floats& values) {
  return Reduce<float, uint32_t>(function, kFloat32, kUint32, sizes, axes, values);
}

template <typename Desc>
uint32_t ArgOf(DML_OPERATOR_TYPE type, const Floats& values, DML_AXIS_DIRECTION direction) {
  const Tensor x(kFloat32, {static_cast<UINT>(values.size())}), y(kUint32, {1});
  const UINT axis = 0;
  const Desc desc = {x, y, 1, &axis, direction};
  return test::RunOn<uint32_t>(type, &desc, {In(values)}, 1)[0];
}
uint32_t ArgMax(const Floats& values, DML_AXIS_DIRECTION direction) {
  return ArgOf<DML_ARGMAX_OPERATOR_DESC>(DML_OPERATOR_ARGMAX, values, direction);
}
uint32_t ArgMin(const Floats& values, DML_AXIS_DIRECTION direction) {
  return ArgOf<DML_ARGMIN_OPERATOR_DESC>(DML_OPERATOR_ARGMIN, values, direction);
}

constexpr auto kFirst = DML_AXIS_DIRECTION_INCREASING;
constexpr auto kLast = DML_AXIS_DIRECTION_DECREASING;

// The page of REDUCE.
TEST(Reduce, GivesTheDocumentedResults) {
  const Floats x = {1, 2, 3, 3, 0, 4, 2, 4, 2};
  EXPECT_EQ(Reduce(DML_REDUCE_FUNCTION_SUM, {3, 3}, {0}, x), (Floats{6, 6, 9}));
  EXPECT_EQ(Reduce(DML_REDUCE_FUNCTION_SUM, {3, 3}, {1}, x), (Floats{6, 7, 8}));
  EXPECT_EQ(Reduce(DML_REDUCE_FUNCTION_SUM, {3, 3}, {0, 1}, x), Floats{21});
}

TEST(ArgMax, GivesTheDocumentedResults) {
  const Floats x = {1, 2, 3, 3, 0, 4, 2, 5, 2};
  EXPECT_EQ(ReduceToIndices(DML_REDUCE_FUNCTION_ARGMAX, {3, 3}, {0}, x), (Indices{1, 2, 1}));
  EXPECT_EQ(ReduceToIndices(DML_REDUCE_FUNCTION_ARGMAX, {3, 3}, {1}, x), (Indices{2, 2, 1}));
  EXPECT_EQ(ReduceToIndices(DML_REDUCE_FUNCTION_ARGMAX, {3, 3}, {0, 1}, x), Indices{7});
  EXPECT_EQ(ReduceToIndices(DML_REDUCE_FUNCTION_ARGMAX, {3, 3}, {1, 0}, x), Indices{7});
}

// B61.
TEST(Reduce, AddsInSlotsAndBlocks) {
  Floats x(129, 1.0f);
  x[0] = 16777216;
  EXPECT_EQ(ReduceAll(DML_REDUCE_FUNCTION_SUM, x), 16777216.0f + 126);
  const Floats patterns = Patterns(10000, 16777213, 7919);
  EXPECT_EQ(Bits(ReduceAll(DML_REDUCE_FUNCTION_SUM, patterns)), 0xcf55e57a);
  EXPECT_EQ(Bits(ReduceAll(DML_REDUCE_FUNCTION_SUM_SQUARE, patterns)), 0x5c4886c1);
  EXPECT_EQ(Bits(ReduceAll(DML_REDUCE_FUNCTION_L1, patterns)), 0x51182e18);
  EXPECT_EQ(Bits(ReduceAll(DML_REDUCE_FUNCTION_L2, patterns)), 0x4de2925e);
  EXPECT_EQ(Bits(ReduceAll(DML_REDUCE_FUNCTION_AVERAGE, patterns)), 0xc8af3953);
  const Floats rows = Patterns(80000, 16777213, 7919);
  EXPECT_EQ(Crc(Reduce(DML_REDUCE_FUNCTION_SUM, {8, 10000}, {1}, rows)), 0x70a9d2a6);
  EXPECT_EQ(Crc(Reduce(DML_REDUCE_FUNCTION_SUM_SQUARE, {8, 10000}, {1}, rows)), 0xd5f0bc95);
}

// The same bits where the sets lie side by side.
TEST(Reduce, AddsColumnsInTheSameOrder) {
  const Floats rows = Patterns(80000, 16777213, 7919);
  const Sizes in_columns = {1, 8};
  Floats columns(80000);
  for (size_t i = 0; i < 80000; ++i) columns[i % 10000 * 8 + i / 10000] = rows[i];
  EXPECT_EQ(Crc(Reduce(DML_REDUCE_FUNCTION_SUM, {8, 10000}, {1}, columns, in_columns)), 0x70a9d2a6);
}

TEST(Reduce, TakesAxesInAnyOrderAndTensorsInAnyLayout) {
  const Floats x = Patterns(1050, 16777213, 7919);
  const auto sum = DML_REDUCE_FUNCTION_SUM;
  EXPECT_EQ(Crc(Reduce(sum, {3, 50, 7}, {0, 2}, x)), 0xd7be081d);
  EXPECT_EQ(Crc(Reduce(sum, {3, 50, 7}, {2, 0}, x)), 0xd7be081d);
  EXPECT_EQ(Crc(Reduce(sum, {3, 50, 7}, {1}, x)), 0x94b09d5e);
  Floats permuted(1050);  // {3, 50, 7} with strides {7, 21, 1}
  for (size_t i = 0; i < 1050; ++i) permuted[i / 350 * 7 + i / 7 % 50 * 21 + i % 7] = x[i];
  EXPECT_EQ(Crc(Reduce(sum, {3, 50, 7}, {0, 2}, permuted, {7, 21, 1})), 0xd7be081d);
  EXPECT_EQ(Crc(Reduce(sum, {3, 50, 7}, {1}, permuted, {7, 21, 1})), 0x94b09d5e);
}

// B68: the order decides where a product overflows.
TEST(Reduce, MultipliesInSlotsAndBlocks) {
  Floats x(5000);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = 1.0f + static_cast<float>(Pattern(static_cast<int64_t>(i), 2039, 7)) * 0x1p-20f;
  }
  EXPECT_EQ(Bits(ReduceAll(DML_REDUCE_FUNCTION_MULTIPLY, x)), 0x3f75f5bb);
}

// B66.
TEST(Reduce, FindsExtremesAmongZerosAndNans) {
  EXPECT_EQ(Bits(ReduceAll(DML_REDUCE_FUNCTION_MAX, {-0.0f, 0.0f})), Bits(0.0f));
  EXPECT_EQ(Bits(ReduceAll(DML_REDUCE_FUNCTION_MIN, {0.0f, -0.0f})), Bits(-0.0f));
  EXPECT_TRUE(std::isnan(ReduceAll(DML_REDUCE_FUNCTION_MIN, {1, kNan, 2})));
  EXPECT_TRUE(std::isnan(ReduceAll(DML_REDUCE_FUNCTION_MAX, {1, -kNan, kInfinity})));
  EXPECT_EQ(ReduceAll(DML_REDUCE_FUNCTION_MIN, {3, -kInfinity, 2}), -kInfinity);
}

TEST(ArgMax, TakesTheFirstOrTheLastOfEqualElements) {
  EXPECT_EQ(ArgMax({3, 2, 1, 2, 3}, kFirst), 0u);
  EXPECT_EQ(ArgMax({3, 2, 1, 2, 3}, kLast), 4u);
  EXPECT_EQ(ArgMin({3, 1, 2, 1}, kFirst), 1u);
  EXPECT_EQ(ArgMin({3, 1, 2, 1}, kLast), 3u);
  EXPECT_EQ(ArgMax({-0.0f, 0.0f}, kFirst), 0u);
  EXPECT_EQ(ArgMin({0.0f, -0.0f}, kFirst), 0u);
  EXPECT_EQ(ArgMax({1, kNan, 3, kNan}, kFirst), 1u);
  EXPECT_EQ(ArgMin({1, kNan, 3, kNan}, kLast), 3u);
}

TEST(ArgMax, FindsElementsInLaterBlocks) {
  Floats x(9000, 1.0f);
  x[5000] = x[8999] = 2;
  EXPECT_EQ(ArgMax(x, kFirst), 5000u);
  EXPECT_EQ(ArgMax(x, kLast), 8999u);
  EXPECT_EQ(ArgMin(x, kLast), 8998u);
}

// B67.
TEST(Reduce, CountsIntegersModuloTheirWidth) {
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
  const auto ints = [](DML_REDUCE_FUNCTION function, const std::vector<int32_t>& x) {
    return Reduce<int32_t, int32_t>(function, DML_TENSOR_DATA_TYPE_INT32,
                                    DML_TENSOR_DATA_TYPE_INT32, {static_cast<UINT>(x.size())}, {0},
                                    x)[0];
  };
  EXPECT_EQ(ints(DML_REDUCE_FUNCTION_SUM, {2147483647, 1}), kMin);
  EXPECT_EQ(ints(DML_REDUCE_FUNCTION_L1, {kMin}), kMin);
  EXPECT_EQ((Reduce<uint32_t, uint32_t>(DML_REDUCE_FUNCTION_MULTIPLY, kUint32, kUint32, {2}, {0},
                                        {65536, 65536})),
            Indices{0});
}

// B65.
TEST(Reduce, SubtractsTheMaximumFromExponents) {
  const auto f = DML_REDUCE_FUNCTION_LOG_SUM_EXP;
  EXPECT_EQ(Bits(ReduceAll(f, {1000, 1000})), 0x447a2c5d);
  EXPECT_EQ(ReduceAll(f, {-kInfinity, -kInfinity}), -kInfinity);
  EXPECT_EQ(ReduceAll(f, {1, kInfinity}), kInfinity);
  EXPECT_TRUE(std::isnan(ReduceAll(f, {1, kNan})));
  EXPECT_EQ(Bits(ReduceAll(DML_REDUCE_FUNCTION_LOG_SUM, {1, 2, 4})), 0x3ff91395);
}

// B68.
TEST(Reduce, RoundsHalvesOnce) {
  const std::vector<uint16_t> x = {0x7B53, 0x7B53, 0xFB53};  // 60000, 60000, -60000
  EXPECT_EQ((Reduce<uint16_t, uint16_t>(DML_REDUCE_FUNCTION_SUM, DML_TENSOR_DATA_TYPE_FLOAT16,
                                        DML_TENSOR_DATA_TYPE_FLOAT16, {3}, {0}, x)),
            std::vector<uint16_t>{0x7B53});
  EXPECT_EQ(ReduceAll(DML_REDUCE_FUNCTION_L2, {2e19f, 0}), kInfinity);
}

// 2^24 + 1 is no float: the count rounds to 2^24.
TEST(Reduce, RoundsTheSumAndTheCountOfLargeHalves) {
  const Sizes sizes = {16777217};
  const std::vector<uint16_t> ones(16777217 + 1, 0x3C00);
  const Tensor x(DML_TENSOR_DATA_TYPE_FLOAT16, sizes), y(DML_TENSOR_DATA_TYPE_FLOAT16, {1});
  const UINT axis = 0;
  for (const auto& [function, bits] : {std::pair(DML_REDUCE_FUNCTION_SUM, 0x7C00),
                                       std::pair(DML_REDUCE_FUNCTION_AVERAGE, 0x3C00)}) {
    const DML_REDUCE_OPERATOR_DESC desc = {function, x, y, 1, &axis};
    const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_REDUCE, &desc};
    const Result<Operator> op = CreateOperator(&operator_desc, {});
    ASSERT_TRUE(op.ok()) << op.error().message;
    const Result<CpuProgram> program = Compile(op.value());
    std::vector<uint64_t> temporary(program.value().temporary_bytes / 8 + 16);
    uint16_t result[2] = {};
    Bindings bindings;
    bindings.inputs[0] = ones.data();
    bindings.outputs[0] = result;
    bindings.temporary = temporary.data();
    ASSERT_TRUE(anydml::Run(program.value(), bindings, cpu::Executor(2)).ok());
    EXPECT_EQ(result[0], bits);
  }
}

// B78.
TEST(Reduce, TakesNoAxes) {
  EXPECT_EQ(Bits(Reduce(DML_REDUCE_FUNCTION_SUM, {2}, {}, {-0.0f, 3})[0]), Bits(0.0f));
  EXPECT_EQ(ReduceToIndices(DML_REDUCE_FUNCTION_ARGMAX, {2}, {}, {5, 3}), (Indices{0, 0}));
}

std::string RefuseReduce(DML_REDUCE_FUNCTION function, const Tensor& x, const Tensor& y,
                         const Sizes& axes, const DeviceOptions& options = {}) {
  const DML_REDUCE_OPERATOR_DESC desc = {function, x, y, static_cast<UINT>(axes.size()),
                                         axes.data()};
  return test::Refuse(DML_OPERATOR_REDUCE, &desc, options);
}

TEST(Reduce, RefusesAxesAndSizesThatDoNotFit) {
  const Tensor x(kFloat32, {3, 4}), y(kFloat32, {3, 1});
  const auto sum = DML_REDUCE_FUNCTION_SUM;
  EXPECT_EQ(RefuseReduce(sum, x, y, {2}),
            "REDUCE: Axes[0] = 2 must be less than InputTensor.DimensionCount = 2");
  EXPECT_EQ(RefuseReduce(sum, x, y, {1, 1}), "REDUCE: Axes = {1, 1} must not have an axis twice");
  EXPECT_EQ(RefuseReduce(sum, x, y, {1, 0, 1}),
            "REDUCE: AxisCount = 3 must be at most InputTensor.DimensionCount = 2");
  EXPECT_EQ(RefuseReduce(sum, x, x, {1}),
            "REDUCE: OutputTensor.Sizes = {3, 4} must be InputTensor.Sizes with 1 in each of Axes, "
            "{3, 1}");
  const DML_REDUCE_OPERATOR_DESC without_axes = {sum, x, y, 1, nullptr};
  EXPECT_EQ(test::Refuse(DML_OPERATOR_REDUCE, &without_axes), "REDUCE: Axes must not be null");
  EXPECT_EQ(RefuseReduce(static_cast<DML_REDUCE_FUNCTION>(12), x, y, {1}),
            "REDUCE: Function = 12 must be ARGMAX (0), ARGMIN (1), AVERAGE (2), L1 (3), L2 (4), "
            "LOG_SUM (5), LOG_SUM_EXP (6), MAX (7), MIN (8), MULTIPLY (9), SUM (10) or "
            "SUM_SQUARE (11)");
}

TEST(Reduce, RefusesTypesThatAFunctionDoesNotTake) {
  const Tensor ints(DML_TENSOR_DATA_TYPE_INT32, {3}), int_sum(DML_TENSOR_DATA_TYPE_INT32, {1});
  const Tensor x(kFloat32, {3}), y(kFloat32, {1});
  const Tensor wide(DML_TENSOR_DATA_TYPE_INT64, {3}), wide_sum(DML_TENSOR_DATA_TYPE_INT64, {1});
  EXPECT_EQ(RefuseReduce(DML_REDUCE_FUNCTION_AVERAGE, ints, int_sum, {0}),
            "REDUCE: Function = AVERAGE does not take InputTensor.DataType = INT32");
  EXPECT_EQ(RefuseReduce(DML_REDUCE_FUNCTION_ARGMAX, x, y, {0}),
            "REDUCE: OutputTensor.DataType = FLOAT32 must be UINT32, INT32, UINT64 or INT64 for "
            "Function = ARGMAX");
  EXPECT_EQ(RefuseReduce(DML_REDUCE_FUNCTION_SUM, ints, y, {0}),
            "REDUCE: OutputTensor.DataType = FLOAT32 must equal InputTensor.DataType = INT32 for "
            "Function = SUM");
  EXPECT_EQ(RefuseReduce(DML_REDUCE_FUNCTION_SUM, wide, wide_sum, {0}, {FeatureLevel::k4_1}),
            "REDUCE: Function = SUM with InputTensor.DataType = INT64 needs feature level 5_0 or "
            "above; this device has 4_1");
  EXPECT_EQ(RefuseReduce(DML_REDUCE_FUNCTION_SUM, wide, wide_sum, {0}, {FeatureLevel::k5_0}), "");
}

// INT32 holds 2^31 indices.
TEST(ArgMax, RefusesIndicesThatDoNotFit) {
  const Tensor x(DML_TENSOR_DATA_TYPE_UINT8, {2147483649u}, {0});
  const Tensor y(DML_TENSOR_DATA_TYPE_INT32, {1}), wide(DML_TENSOR_DATA_TYPE_INT64, {1});
  EXPECT_EQ(RefuseReduce(DML_REDUCE_FUNCTION_ARGMIN, x, y, {0}),
            "REDUCE: OutputTensor.DataType = INT32 must be able to hold 2147483648, the greatest "
            "index");
  EXPECT_EQ(RefuseReduce(DML_REDUCE_FUNCTION_ARGMIN, x, wide, {0}), "");
}

// ---- Softmax and its kin.

template <typename T>
std::vector<T> Softmax1(DML_OPERATOR_TYPE operator_type, DML_TENSOR_DATA_TYPE type,
                        const Sizes& sizes, const Sizes& axes, const std::vector<T>& values) {
  const Tensor x(type, sizes), y(type, sizes);
  const DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC desc = {x, y, static_cast<UINT>(axes.size()),
                                                      axes.data()};
  return test::RunOn<T>(operator_type, &desc, {In(values)}, values.size());
}
Floats Softmax1(DML_OPERATOR_TYPE type, const Sizes& sizes, const Sizes& axes, const Floats& x) {
  return Softmax1<float>(type, kFloat32, sizes, axes, x);
}

constexpr auto kSoftmaxType = DML_OPERATOR_ACTIVATION_SOFTMAX1;
constexpr auto kLogSoftmaxType = DML_OPERATOR_ACTIVATION_LOG_SOFTMAX1;
constexpr auto kHardmaxType = DML_OPERATOR_ACTIVATION_HARDMAX1;

std::vector<uint32_t> BitsOf(const Floats& values) {
  std::vector<uint32_t> bits;
  for (float value : values) bits.push_back(Bits(value));
  return bits;
}

TEST(Softmax, DividesExponentialsByTheirBlockedSum) {
  EXPECT_EQ(BitsOf(Softmax1(kSoftmaxType, {3}, {0}, {1, 2, 3})),
            (Indices{0x3db861f2, 0x3e7a9a19, 0x3f2a4d3a}));
  EXPECT_EQ(BitsOf(Softmax1(kLogSoftmaxType, {3}, {0}, {1, 2, 3})),
            (Indices{0xc01a1638, 0xbfb42c6f, 0xbed0b1bd}));
  const Floats x = Patterns(1200, 1009, 613, 64);
  EXPECT_EQ(Crc(Softmax1(kSoftmaxType, {4, 300}, {1}, x)), 0x0647f9c2);
  EXPECT_EQ(Crc(Softmax1(kSoftmaxType, {4, 300}, {0, 1}, x)), 0x01f93909);
  EXPECT_EQ(Crc(Softmax1(kLogSoftmaxType, {4, 300}, {1}, x)), 0x71abc853);
  std::vector<Float16> halves;
  for (float value : x) halves.push_back(ToFloat16(value));
  EXPECT_EQ(
      Crc(Softmax1<Float16>(kSoftmaxType, DML_TENSOR_DATA_TYPE_FLOAT16, {4, 300}, {1}, halves)),
      0x2bb5af75);
}

TEST(Softmax, AddsLongSetsInBlocks) {
  EXPECT_EQ(Crc(Softmax1(kSoftmaxType, {2, 9000}, {1}, Patterns(18000, 1009, 613, 64))),
            0xa65351f3);
  EXPECT_EQ(Crc(Softmax1(kSoftmaxType, {4, 9000}, {1}, Patterns(36000, 1009, 613, 128))),
            0x166fe355);
}

TEST(Softmax, HasNoSpecialCaseForInfinity) {
  for (const Floats& x : {Floats{kInfinity, 0}, Floats{-kInfinity, -kInfinity}}) {
    for (float y : Softmax1(kSoftmaxType, {2}, {0}, x)) EXPECT_TRUE(std::isnan(y));
  }
  EXPECT_EQ(Softmax1(kHardmaxType, {2}, {0}, {kNan, 1}), (Floats{1, 0}));
  EXPECT_EQ(Softmax1(kHardmaxType, {2}, {0}, {-kInfinity, -kInfinity}), (Floats{1, 0}));
}

// The page of HARDMAX1.
TEST(Hardmax, GivesTheDocumentedResults) {
  const Floats x = {12, 0, -101, 11, 3, 234, 0, -101};
  EXPECT_EQ(Softmax1(kHardmaxType, {2, 2, 2}, {1}, x), (Floats{1, 0, 0, 1, 1, 1, 0, 0}));
  EXPECT_EQ(Softmax1(kHardmaxType, {2, 2, 2}, {0}, x), (Floats{1, 0, 0, 1, 0, 1, 1, 0}));
  EXPECT_EQ(Softmax1(kHardmaxType, {2, 2, 2}, {0, 2}, x), (Floats{0, 0, 0, 1, 0, 1, 0, 0}));
}

// "Effective rank at most 2".
TEST(Softmax, WithoutAxesTakesTwoDimensions) {
  const Tensor bad(kFloat32, {1, 3, 1, 4}), good(kFloat32, {1, 1, 3, 4});
  const DML_ACTIVATION_SOFTMAX_OPERATOR_DESC refused = {bad, bad}, accepted = {good, good};
  EXPECT_EQ(test::Refuse(DML_OPERATOR_ACTIVATION_SOFTMAX, &refused),
            "ACTIVATION_SOFTMAX: InputTensor.Sizes = {1, 3, 1, 4} must be 1 in all but the last "
            "two dimensions");
  EXPECT_EQ(test::Refuse(DML_OPERATOR_ACTIVATION_SOFTMAX, &accepted), "");
  const Floats x = Patterns(12, 11, 5);
  EXPECT_EQ(test::RunOn<float>(DML_OPERATOR_ACTIVATION_SOFTMAX, &accepted, {In(x)}, 12),
            Softmax1(kSoftmaxType, {1, 1, 3, 4}, {3}, x));
}

// ---- Cumulative summation and product.

// sum of (2j + 1) * bits(y_j), modulo 2^32: pins every bit.
template <typename T>
uint32_t Hash(const std::vector<T>& values) {
  uint32_t hash = 0;
  for (size_t j = 0; j < values.size(); ++j) {
    using U = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
    hash += static_cast<uint32_t>(2 * j + 1) * std::bit_cast<U>(values[j]);
  }
  return hash;
}

// Both structs have the same members. Also in place, from every strategy.
template <typename T>
std::vector<T> Scan(bool product, DML_TENSOR_DATA_TYPE type, const Sizes& sizes, UINT axis,
                    DML_AXIS_DIRECTION direction, bool exclusive, const std::vector<T>& values) {
  const Tensor x(type, sizes), y(type, sizes);
  const DML_CUMULATIVE_SUMMATION_OPERATOR_DESC desc = {x, y, axis, direction, exclusive};
  const auto operator_type =
      product ? DML_OPERATOR_CUMULATIVE_PRODUCT : DML_OPERATOR_CUMULATIVE_SUMMATION;
  const auto result = test::RunOn<T>(operator_type, &desc, {In(values)}, values.size());
  for (const auto& in_place : test::RunEachStrategy(operator_type, &desc, {In(values)}, 0)) {
    EXPECT_EQ(in_place, test::BytesOf(result));
  }
  return result;
}
Floats Scan(bool product, DML_AXIS_DIRECTION direction, bool exclusive) {
  return Scan<float>(product, kFloat32, {3, 4}, 1, direction, exclusive,
                     {2, 1, 3, 5, 3, 8, 7, 3, 9, 6, 2, 4});
}

TEST(CumulativeSummation, GivesTheDocumentedResults) {
  EXPECT_EQ(Scan(false, kFirst, false), (Floats{2, 3, 6, 11, 3, 11, 18, 21, 9, 15, 17, 21}));
  EXPECT_EQ(Scan(false, kFirst, true), (Floats{0, 2, 3, 6, 0, 3, 11, 18, 0, 9, 15, 17}));
  EXPECT_EQ(Scan(false, kLast, false), (Floats{11, 9, 8, 5, 21, 18, 10, 3, 21, 12, 6, 4}));
  EXPECT_EQ(Scan(false, kLast, true), (Floats{9, 8, 5, 0, 18, 10, 3, 0, 12, 6, 4, 0}));
}

TEST(CumulativeProduct, GivesTheDocumentedResults) {
  EXPECT_EQ(Scan(true, kFirst, false), (Floats{2, 2, 6, 30, 3, 24, 168, 504, 9, 54, 108, 432}));
  EXPECT_EQ(Scan(true, kFirst, true), (Floats{1, 2, 2, 6, 1, 3, 24, 168, 1, 9, 54, 108}));
  EXPECT_EQ(Scan(true, kLast, false), (Floats{30, 15, 15, 5, 504, 168, 21, 3, 432, 48, 8, 4}));
  EXPECT_EQ(Scan(true, kLast, true), (Floats{15, 15, 5, 1, 168, 21, 3, 1, 48, 8, 4, 1}));
}

// B33.
TEST(CumulativeSummation, AddsInChainsOf32) {
  const Floats x = Patterns(6000, 1009, 613, 7);
  EXPECT_EQ(Hash(Scan<float>(false, kFloat32, {3, 2000}, 1, kFirst, false, x)), 0x56536449u);
  EXPECT_EQ(Hash(Scan<float>(false, kFloat32, {3, 2000}, 1, kLast, true, x)), 0x6deace9au);
  std::vector<Float16> halves;
  for (float value : Patterns(6000, 101, 37, 16)) halves.push_back(ToFloat16(value));
  EXPECT_EQ(
      Hash(Scan<Float16>(false, DML_TENSOR_DATA_TYPE_FLOAT16, {3, 2000}, 1, kFirst, false, halves)),
      0x9eaeb880u);
}

TEST(CumulativeProduct, MultipliesInChainsOf32) {
  Floats x;
  for (float value : Patterns(200, 101, 37, 1000)) x.push_back(1.0f + value);
  EXPECT_EQ(Hash(Scan<float>(true, kFloat32, {2, 100}, 1, kFirst, false, x)), 0x049f759cu);
}

TEST(CumulativeSummation, KeepsFloatsBetweenHalvesAndCountsIntegersModuloTheirWidth) {
  const std::vector<Float16> halves(4096, Float16{0x3800});  // 0.5
  EXPECT_EQ(Scan<Float16>(false, DML_TENSOR_DATA_TYPE_FLOAT16, {4096}, 0, kFirst, false, halves)
                .back()
                .bits,
            0x6800);  // 2048
  EXPECT_EQ(Scan<uint32_t>(false, kUint32, {3}, 0, kFirst, false, {1u << 31, 1u << 31, 5}),
            (Indices{1u << 31, 0, 5}));
}

TEST(CumulativeSummation, RefusesAxesAndDirectionsThatDoNotExist) {
  const Tensor x(kFloat32, {1, 2, 3, 4});
  DML_CUMULATIVE_SUMMATION_OPERATOR_DESC desc = {x, x, 4, kFirst, FALSE};
  EXPECT_EQ(test::Refuse(DML_OPERATOR_CUMULATIVE_SUMMATION, &desc),
            "CUMULATIVE_SUMMATION: Axis = 4 must be less than InputTensor.DimensionCount = 4");
  desc.Axis = 3;
  desc.AxisDirection = static_cast<DML_AXIS_DIRECTION>(2);
  EXPECT_EQ(test::Refuse(DML_OPERATOR_CUMULATIVE_SUMMATION, &desc),
            "CUMULATIVE_SUMMATION: AxisDirection = 2 must be INCREASING (0) or DECREASING (1)");
}

}  // namespace
}  // namespace anydml::reduce
