// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about the operators of this folder: the examples and sentences of their
// pages, and the rulings on what the pages leave open.
#include <gtest/gtest.h>

#include <bit>

#include "operators/movement/desc.h"
#include "support/run.h"

namespace anydml::movement {
namespace {

using test::In;
using test::Tensor;

constexpr DML_TENSOR_DATA_TYPE kFloat = DML_TENSOR_DATA_TYPE_FLOAT32;
using Floats = std::vector<float>;

// ---- JOIN and SPLIT.

std::string RefuseJoin(const std::vector<const Tensor*>& parts, const Tensor& whole, UINT axis,
                       const DeviceOptions& options = {}) {
  std::vector<DML_TENSOR_DESC> descs;
  for (const Tensor* part : parts) descs.push_back(*static_cast<const DML_TENSOR_DESC*>(*part));
  const DML_JOIN_OPERATOR_DESC desc = {static_cast<UINT>(descs.size()), descs.data(), whole, axis};
  return test::Refuse(DML_OPERATOR_JOIN, &desc, options);
}

std::string RefuseSplit(const Tensor& whole, const std::vector<const Tensor*>& parts, UINT axis) {
  std::vector<DML_TENSOR_DESC> descs;
  for (const Tensor* part : parts) descs.push_back(*static_cast<const DML_TENSOR_DESC*>(*part));
  const DML_SPLIT_OPERATOR_DESC desc = {whole, static_cast<UINT>(descs.size()), descs.data(), axis};
  return test::Refuse(DML_OPERATOR_SPLIT, &desc);
}

TEST(Join, GivesTheDocumentedExample) {
  const Tensor a(kFloat, {2, 2}), b(kFloat, {2, 1}), y(kFloat, {2, 3});
  const DML_TENSOR_DESC parts[] = {*static_cast<const DML_TENSOR_DESC*>(a),
                                   *static_cast<const DML_TENSOR_DESC*>(b)};
  const DML_JOIN_OPERATOR_DESC desc = {2, parts, y, 1};
  EXPECT_EQ(
      test::RunOn<float>(DML_OPERATOR_JOIN, &desc, {In(Floats{1, 2, 3, 4}), In(Floats{5, 6})}, 6),
      (Floats{1, 2, 5, 3, 4, 6}));
}

TEST(Split, GivesTheDocumentedExample) {
  const Tensor x(kFloat, {2, 3}), a(kFloat, {2, 2}), b(kFloat, {2, 1});
  const DML_TENSOR_DESC parts[] = {*static_cast<const DML_TENSOR_DESC*>(a),
                                   *static_cast<const DML_TENSOR_DESC*>(b)};
  const DML_SPLIT_OPERATOR_DESC desc = {x, 2, parts, 1};
  const Floats values = {1, 2, 5, 3, 4, 6};
  EXPECT_EQ(test::RunOn<float>(DML_OPERATOR_SPLIT, &desc, {In(values)}, 4, 0),
            (Floats{1, 2, 3, 4}));
  EXPECT_EQ(test::RunOn<float>(DML_OPERATOR_SPLIT, &desc, {In(values)}, 2, 1), (Floats{5, 6}));
}

// As many tensors as an array may have, each one element of the joined axis.
TEST(Join, TakesSixtyFourTensors) {
  const Tensor part(kFloat, {3, 1}), y(kFloat, {3, 64});
  const std::vector<DML_TENSOR_DESC> parts(64, *static_cast<const DML_TENSOR_DESC*>(part));
  const DML_JOIN_OPERATOR_DESC desc = {64, parts.data(), y, 1};
  const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_JOIN, &desc};
  Result<Operator> op = CreateOperator(&operator_desc, {});
  ASSERT_TRUE(op.ok()) << op.error().message;
  Floats values(64 * 3), result(64 * 3);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  Bindings bindings;
  for (size_t p = 0; p < 64; ++p) bindings.inputs[p] = values.data() + 3 * p;
  bindings.outputs[0] = result.data();
  Result<CpuProgram> program = Compile(op.value());
  ASSERT_TRUE(program.ok()) << program.error().message;
  ASSERT_TRUE(anydml::Run(program.value(), bindings, cpu::Executor(1)).ok());
  for (size_t i = 0; i < result.size(); ++i) {
    EXPECT_EQ(result[i], static_cast<float>(i % 64 * 3 + i / 64));
  }
}

TEST(Join, RefusesPartsThatDoNotFit) {
  const Tensor two(kFloat, {2, 2}), tall(kFloat, {3, 2}), y(kFloat, {2, 4}), wide(kFloat, {2, 5});
  EXPECT_EQ(RefuseJoin({&two, &two}, y, 1), "");
  EXPECT_EQ(RefuseJoin({&two, &two}, wide, 1),
            "JOIN: the sizes of InputTensors along Axis 1 add up to 4 and must add up to "
            "OutputTensor.Sizes[1] = 5");
  EXPECT_EQ(RefuseJoin({&two, &tall}, y, 1),
            "JOIN: InputTensors[1].Sizes[0] = 3 must equal OutputTensor.Sizes[0] = 2");
  EXPECT_EQ(RefuseJoin({&two, &two}, y, 2), "JOIN: Axis = 2 must be less than DimensionCount = 2");
  const Tensor half(DML_TENSOR_DATA_TYPE_UINT8, {0x80000000u}),
      sum(DML_TENSOR_DATA_TYPE_UINT8, {4});
  EXPECT_EQ(RefuseJoin({&half, &half}, sum, 0),
            "JOIN: the sizes of InputTensors along Axis 0 add up to 4294967296 and must add up to "
            "OutputTensor.Sizes[0] = 4");
}

TEST(Split, RefusesPartsThatDoNotFit) {
  const Tensor x(kFloat, {2, 4}), two(kFloat, {2, 2}), three(kFloat, {2, 3}), tall(kFloat, {3, 2});
  EXPECT_EQ(RefuseSplit(x, {&two, &two}, 1), "");
  EXPECT_EQ(RefuseSplit(x, {&two, &three}, 1),
            "SPLIT: the sizes of OutputTensors along Axis 1 add up to 5 and must add up to "
            "InputTensor.Sizes[1] = 4");
  EXPECT_EQ(RefuseSplit(x, {&two, &tall}, 1),
            "SPLIT: OutputTensors[1].Sizes[0] = 3 must equal InputTensor.Sizes[0] = 2");
  EXPECT_EQ(RefuseSplit(x, {&two, &two}, 7),
            "SPLIT: Axis = 7 must be less than DimensionCount = 2");
}

// B75: the history of levels has 8 dimensions from 3_1, the page from 4_1.
TEST(Join, TakesEightDimensionsFrom3_1) {
  const Tensor one(kFloat, {1}), two(kFloat, {2}), wide(DML_TENSOR_DATA_TYPE_INT64, {1}),
      wides(DML_TENSOR_DATA_TYPE_INT64, {2});
  EXPECT_EQ(RefuseJoin({&one, &one}, two, 0, {.feature_level = FeatureLevel::k3_1}), "");
  EXPECT_EQ(RefuseJoin({&one, &one}, two, 0, {.feature_level = FeatureLevel::k3_0}),
            "JOIN: OutputTensor.DimensionCount = 1 needs feature level 3_1 or above; this "
            "device has 3_0");
  EXPECT_EQ(RefuseJoin({&wide, &wide}, wides, 0, {.feature_level = FeatureLevel::k4_0}),
            "JOIN: OutputTensor.DataType = INT64 needs feature level 4_1 or above; this device "
            "has 4_0");
}

// ---- Fills.

template <typename T>
DML_SCALAR_UNION Union(T value) {
  DML_SCALAR_UNION scalar;
  std::memset(&scalar, 0xA5, sizeof scalar);  // only the member's bytes have a meaning
  std::memcpy(&scalar, &value, sizeof value);
  return scalar;
}

template <typename T>
std::vector<T> Sequence(DML_TENSOR_DATA_TYPE type, std::vector<UINT> sizes, T start, T delta,
                        std::vector<UINT> strides = {}) {
  const Tensor y(type, sizes, strides);
  const DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC desc = {y, type, Union(start), Union(delta)};
  return test::RunOn<T>(DML_OPERATOR_FILL_VALUE_SEQUENCE, &desc, {}, test::Count(sizes));
}

// The sum of (2j + 1) * bits of element j, modulo 2^32: what the acceptance cases state.
template <typename Bits, typename T>
uint32_t Checksum(const std::vector<T>& values) {
  uint32_t sum = 0;
  for (size_t j = 0; j < values.size(); ++j) {
    sum += static_cast<uint32_t>(2 * j + 1) * std::bit_cast<Bits>(values[j]);
  }
  return sum;
}

TEST(FillValueSequence, GivesTheDocumentedExamples) {
  EXPECT_EQ(Sequence(kFloat, {3}, 3.0f, 2.0f), (Floats{3, 5, 7}));
  EXPECT_EQ(Sequence<uint8_t>(DML_TENSOR_DATA_TYPE_UINT8, {2, 2}, 10, 254),
            (std::vector<uint8_t>{10, 8, 6, 4}));
}

// B57: two float64 operations and one rounding.
TEST(FillValueSequence, RoundsOnce) {
  EXPECT_EQ(Checksum<uint32_t>(Sequence(kFloat, {1000}, 0.1f, 0.1f)), 0x3863d940u);
  const Float16 tenth = {0x2E66};
  EXPECT_EQ(Checksum<uint16_t>(Sequence(DML_TENSOR_DATA_TYPE_FLOAT16, {1000}, tenth, tenth)),
            0xf93c5e4bu);
  EXPECT_EQ(Sequence(kFloat, {(1u << 24) + 2}, -8388608.0f, 0.5f).back(), 0.5f);
}

TEST(FillValueSequence, WrapsIntegers) {
  EXPECT_EQ(Sequence<int64_t>(DML_TENSOR_DATA_TYPE_INT64, {2}, INT64_MAX, 1),
            (std::vector<int64_t>{INT64_MAX, INT64_MIN}));
}

TEST(FillValueSequence, CountsLogicalElements) {
  EXPECT_EQ(Sequence(kFloat, {2, 2}, 0.0f, 1.0f, {1, 2}), (Floats{0, 2, 1, 3}));
}

TEST(FillValueSequence, RefusesFloat64AndOtherTypes) {
  const Tensor doubles(DML_TENSOR_DATA_TYPE_FLOAT64, {2}), floats(kFloat, {2});
  DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC desc = {doubles, DML_TENSOR_DATA_TYPE_FLOAT64, Union(1.0),
                                                Union(1.0)};
  EXPECT_EQ(test::Refuse(DML_OPERATOR_FILL_VALUE_SEQUENCE, &desc),
            "FILL_VALUE_SEQUENCE: OutputTensor.DataType = FLOAT64 must be FLOAT32, FLOAT16, "
            "UINT32, UINT16, UINT8, INT32, INT16, INT8, UINT64 or INT64");
  desc.OutputTensor = floats;
  EXPECT_EQ(test::Refuse(DML_OPERATOR_FILL_VALUE_SEQUENCE, &desc),
            "FILL_VALUE_SEQUENCE: ValueDataType = FLOAT64 must equal OutputTensor.DataType = "
            "FLOAT32");
}

// A signalling NaN, and nothing between the elements.
TEST(FillValueConstant, CopiesBitsIntoElementsOnly) {
  const Tensor y(DML_TENSOR_DATA_TYPE_FLOAT16, {7}, {3});
  const DML_FILL_VALUE_CONSTANT_OPERATOR_DESC desc = {y, DML_TENSOR_DATA_TYPE_FLOAT16,
                                                      Union(uint16_t{0x7E55})};
  const auto words = test::RunOn<uint16_t>(DML_OPERATOR_FILL_VALUE_CONSTANT, &desc, {}, 19);
  for (size_t i = 0; i < words.size(); ++i) EXPECT_EQ(words[i], i % 3 == 0 ? 0x7E55 : 0xC5C5);
}

// ---- GATHER.

template <typename I>
Floats Gather(const Floats& x, std::vector<UINT> x_sizes, const std::vector<I>& indices,
              std::vector<UINT> index_sizes, DML_TENSOR_DATA_TYPE index_type,
              std::vector<UINT> y_sizes, UINT axis, UINT index_dimensions) {
  const Tensor input(kFloat, x_sizes), index(index_type, index_sizes), output(kFloat, y_sizes);
  const DML_GATHER_OPERATOR_DESC desc = {input, index, output, axis, index_dimensions};
  return test::RunOn<float>(DML_OPERATOR_GATHER, &desc, {In(x), In(indices)}, test::Count(y_sizes));
}

Floats GatherUint(const Floats& x, std::vector<UINT> x_sizes, const std::vector<uint32_t>& indices,
                  std::vector<UINT> index_sizes, std::vector<UINT> y_sizes, UINT axis,
                  UINT index_dimensions) {
  return Gather(x, x_sizes, indices, index_sizes, DML_TENSOR_DATA_TYPE_UINT32, y_sizes, axis,
                index_dimensions);
}

TEST(Gather, GivesTheDocumentedExamples) {
  EXPECT_EQ(GatherUint({11, 12, 13, 14}, {4}, {3, 1, 3, 0, 2}, {5}, {5}, 0, 1),
            (Floats{14, 12, 14, 11, 13}));
  EXPECT_EQ(GatherUint({1, 2, 3, 4, 5, 6}, {3, 2}, {0, 1, 1, 2}, {1, 4}, {4, 2}, 0, 1),
            (Floats{1, 2, 3, 4, 3, 4, 5, 6}));
  // Printed with IndexDimensions 2: leading ones of the indices are cropped, too (B76).
  EXPECT_EQ(GatherUint({1, 2, 3, 4, 5, 6}, {3, 2}, {1, 0}, {1, 2}, {3, 2}, 1, 2),
            (Floats{2, 1, 4, 3, 6, 5}));
  EXPECT_EQ(GatherUint({1, 2, 3, 4, 5, 6}, {1, 3, 2}, {0, 1, 1, 2}, {1, 2, 2}, {2, 2, 2}, 1, 2),
            (Floats{1, 2, 3, 4, 3, 4, 5, 6}));
}

// B76
TEST(Gather, ClampsIndicesAndCountsFromTheEnd) {
  EXPECT_EQ(Gather<int64_t>({1, 2, 3}, {3}, {-1, -3, -9, 7, int64_t{1} << 40}, {5},
                            DML_TENSOR_DATA_TYPE_INT64, {5}, 0, 1),
            (Floats{3, 1, 1, 3, 3}));
  EXPECT_EQ(Gather<uint64_t>({1, 2, 3}, {3}, {0, ~uint64_t{0}}, {2}, DML_TENSOR_DATA_TYPE_UINT64,
                             {2}, 0, 1),
            (Floats{1, 3}));
  EXPECT_EQ(
      Gather<int32_t>({1, 2, 3, 4}, {2, 2}, {-1}, {1, 1}, DML_TENSOR_DATA_TYPE_INT32, {1, 2}, 1, 0),
      (Floats{2, 4}));
}

TEST(Gather, RefusesSizesThatDoNotFit) {
  const Tensor x(kFloat, {2, 2}), y(kFloat, {2, 2}), z(kFloat, {2, 3});
  const Tensor four(DML_TENSOR_DATA_TYPE_UINT32, {2, 2}), row(DML_TENSOR_DATA_TYPE_UINT32, {1, 2});
  const auto refuse = [](const Tensor& input, const Tensor& indices, const Tensor& output,
                         UINT axis, UINT count) {
    const DML_GATHER_OPERATOR_DESC desc = {input, indices, output, axis, count};
    return test::Refuse(DML_OPERATOR_GATHER, &desc);
  };
  EXPECT_EQ(refuse(x, row, y, 1, 1), "");
  EXPECT_EQ(refuse(x, row, z, 1, 1), "GATHER: OutputTensor.Sizes = {2, 3} must be {2, 2}");
  EXPECT_EQ(refuse(x, row, y, 2, 1), "GATHER: Axis = 2 must be less than DimensionCount = 2");
  EXPECT_EQ(refuse(x, row, y, 1, 3),
            "GATHER: IndexDimensions = 3 must be at most DimensionCount = 2");
  EXPECT_EQ(refuse(x, four, y, 1, 1),
            "GATHER: IndicesTensor.Sizes[0] = 2 must be 1, since IndexDimensions = 1");
  EXPECT_EQ(refuse(x, four, y, 1, 2),
            "GATHER: the result's sizes {2, 2, 2} are more than DimensionCount = 2, and no more of "
            "them are leading ones");
}

// ---- ONE_HOT.

template <typename I>
Floats OneHot(const std::vector<I>& indices, DML_TENSOR_DATA_TYPE type, const Floats& values,
              std::vector<UINT> sizes, UINT axis) {
  std::vector<UINT> of_indices = sizes;
  of_indices[axis] = 1;
  const Tensor index(type, of_indices), output(kFloat, sizes),
      pair(kFloat, {1, static_cast<UINT>(values.size())});
  const DML_ONE_HOT_OPERATOR_DESC desc = {index, pair, output, axis};
  return test::RunOn<float>(DML_OPERATOR_ONE_HOT, &desc, {In(indices), In(values)},
                            test::Count(sizes));
}

// "An index outside changes nothing": all values are off. Values beyond the second are ignored
// (B81).
TEST(OneHot, GivesTheDocumentedExamples) {
  EXPECT_EQ(OneHot<int32_t>({-3, 100, 3}, DML_TENSOR_DATA_TYPE_INT32, {0, 1}, {3, 4}, 1),
            (Floats{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(OneHot<uint32_t>({0, 3, 2}, DML_TENSOR_DATA_TYPE_UINT32, {4, 2, 9}, {3, 4}, 1),
            (Floats{2, 4, 4, 4, 4, 4, 4, 2, 4, 4, 2, 4}));
  EXPECT_EQ(
      OneHot<uint64_t>({uint64_t{1} << 63, 1}, DML_TENSOR_DATA_TYPE_UINT64, {0, 1}, {2, 2}, 0),
      (Floats{0, 0, 0, 1}));
}

TEST(OneHot, RefusesSizesThatDoNotFit) {
  const Tensor index(DML_TENSOR_DATA_TYPE_UINT32, {3, 1}), y(kFloat, {3, 4}), tall(kFloat, {2, 4});
  const Tensor pair(kFloat, {1, 2}), one(kFloat, {1, 1});
  const auto refuse = [](const Tensor& indices, const Tensor& values, const Tensor& output,
                         UINT axis) {
    const DML_ONE_HOT_OPERATOR_DESC desc = {indices, values, output, axis};
    return test::Refuse(DML_OPERATOR_ONE_HOT, &desc);
  };
  EXPECT_EQ(refuse(index, pair, y, 1), "");
  EXPECT_EQ(refuse(index, one, y, 1),
            "ONE_HOT: ValuesTensor has 1 element and must have 2: the value where an index is not, "
            "and where it is");
  EXPECT_EQ(refuse(index, pair, tall, 1),
            "ONE_HOT: IndicesTensor.Sizes[0] = 3 must equal OutputTensor.Sizes[0] = 2");
  EXPECT_EQ(refuse(index, pair, y, 2), "ONE_HOT: Axis = 2 must be less than DimensionCount = 2");
}

}  // namespace
}  // namespace anydml::movement
