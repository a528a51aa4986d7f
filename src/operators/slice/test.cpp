// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about SLICE and SLICE1: the sentences and examples of their
// pages, and the rulings on what the pages leave open.
#include <gtest/gtest.h>

#include <climits>
#include <numeric>

#include "operators/slice/plan.h"
#include "support/run.h"
#include "support/sparse_memory.h"

namespace anydml::slice {
namespace {

using test::In;
using test::Tensor;

// 1, 2, 3 ...
std::vector<float> Counting(size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

struct Window {
  std::vector<UINT> offsets;
  std::vector<UINT> sizes;
  std::vector<INT> strides;
};

DML_SLICE1_OPERATOR_DESC Describe1(const Tensor& x, const Tensor& y, const Window& window) {
  return {x,
          y,
          static_cast<UINT>(window.offsets.size()),
          window.offsets.data(),
          window.sizes.data(),
          window.strides.data()};
}

std::vector<float> Slice1(std::vector<UINT> sizes, std::vector<UINT> output_sizes,
                          const Window& window) {
  const Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, sizes);
  const Tensor y(DML_TENSOR_DATA_TYPE_FLOAT32, output_sizes);
  const DML_SLICE1_OPERATOR_DESC desc = Describe1(x, y, window);
  const size_t count = std::accumulate(sizes.begin(), sizes.end(), size_t{1}, std::multiplies<>());
  const size_t output_count =
      std::accumulate(output_sizes.begin(), output_sizes.end(), size_t{1}, std::multiplies<>());
  return test::RunOn<float>(DML_OPERATOR_SLICE1, &desc, {In(Counting(count))}, output_count);
}

std::string RefuseSlice1(const Tensor& x, const Tensor& y, const Window& window,
                         const DeviceOptions& options = {}) {
  const DML_SLICE1_OPERATOR_DESC desc = Describe1(x, y, window);
  return test::Refuse(DML_OPERATOR_SLICE1, &desc, options);
}

struct Copied {
  std::vector<UINT> offsets;
  std::vector<UINT> sizes;
  std::vector<UINT> strides;
};

DML_SLICE_OPERATOR_DESC Describe(const Tensor& x, const Tensor& y, const Copied& copied) {
  return {x,
          y,
          static_cast<UINT>(copied.offsets.size()),
          copied.offsets.data(),
          copied.sizes.data(),
          copied.strides.data()};
}

std::vector<float> Slice(const std::vector<UINT>& sizes, const Copied& copied, size_t count,
                         size_t output_count) {
  const Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, sizes);
  const Tensor y(DML_TENSOR_DATA_TYPE_FLOAT32, copied.sizes);
  const DML_SLICE_OPERATOR_DESC desc = Describe(x, y, copied);
  return test::RunOn<float>(DML_OPERATOR_SLICE, &desc, {In(Counting(count))}, output_count);
}

std::string RefuseSlice(const Tensor& x, const Tensor& y, const Copied& copied,
                        const DeviceOptions& options = {}) {
  const DML_SLICE_OPERATOR_DESC desc = Describe(x, y, copied);
  return test::Refuse(DML_OPERATOR_SLICE, &desc, options);
}

// The SLICE1 page's examples.
TEST(Slice1, GivesTheDocumentedResults) {
  EXPECT_EQ(Slice1({1, 1, 4, 4}, {1, 1, 2, 2}, {{0, 0, 0, 1}, {1, 1, 4, 3}, {1, 1, 2, 2}}),
            (std::vector<float>{2, 4, 10, 12}));
  EXPECT_EQ(Slice1({1, 1, 4, 4}, {1, 1, 2, 2}, {{0, 0, 0, 1}, {1, 1, 4, 3}, {1, 1, -2, 2}}),
            (std::vector<float>{14, 16, 6, 8}));
}

// B16d: "not all reachable elements need be copied".
TEST(Slice1, TakesTheFirstOfTheReachableElements) {
  EXPECT_EQ(Slice1({8}, {2}, {{1}, {6}, {2}}), (std::vector<float>{2, 4}));
  EXPECT_EQ(Slice1({8}, {2}, {{1}, {6}, {-2}}), (std::vector<float>{7, 5}));
}

// B16e: |INT_MIN| = 2^31.
TEST(Slice1, TakesStridesBeyondTheWindow) {
  EXPECT_EQ(Slice1({5}, {1}, {{1}, {3}, {INT_MAX}}), (std::vector<float>{2}));
  EXPECT_EQ(Slice1({5}, {1}, {{1}, {3}, {INT_MIN}}), (std::vector<float>{4}));
}

// For inputs of more elements than test::RunOn can list: all strategies, on the
// caller's memory.
void ExpectSlice1(const Tensor& x, const Tensor& y, const Window& window, const void* input,
                  const std::vector<uint32_t>& expected) {
  const DML_SLICE1_OPERATOR_DESC desc = Describe1(x, y, window);
  const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_SLICE1, &desc};
  Result<Operator> op = CreateOperator(&operator_desc, {});
  ASSERT_TRUE(op.ok()) << op.error().message;
  for (const CpuStrategy& strategy : op.value().definition->kernel->cpu_strategies) {
    Result<CpuProgram> program = Compile(op.value(), &strategy);
    if (!program.ok()) continue;
    std::vector<uint32_t> result(expected.size());
    Bindings bindings;
    bindings.inputs[0] = input;
    bindings.outputs[0] = result.data();
    ASSERT_TRUE(Run(program.value(), bindings, cpu::Executor(1)).ok());
    EXPECT_EQ(result, expected) << strategy.name;
  }
}

// Broadcast: the input has 2^32 - 1 elements at one address, so coordinates
// beyond 2^31 and the widest stride can be reached without the memory.
TEST(Slice1, ReachesTheLastElementOfTheLargestTensor) {
  const Tensor x(DML_TENSOR_DATA_TYPE_UINT32, {4294967295u, 1}, {0, 4294967295u});
  const Tensor y(DML_TENSOR_DATA_TYPE_UINT32, {2, 1});
  const uint32_t element = 7;
  ExpectSlice1(x, y, {{2147483646u, 0}, {2147483649u, 1}, {INT_MIN, INT_MIN}}, &element, {7, 7});
}

// B18: the last elements of the largest tensor, in memory.
TEST(Slice1, ReadsElementsBeyond32BitOffsets) {
  const test::SparseMemory memory(size_t{4294967295u} * sizeof(uint32_t));
  if (!memory.ok()) GTEST_SKIP() << "not enough address space";
  const Tensor x(DML_TENSOR_DATA_TYPE_UINT32, {4294967295u});
  auto* elements = static_cast<uint32_t*>(memory.data());
  for (uint32_t i = 0; i < 5; ++i) elements[4294967290u + i] = i + 1;
  const Tensor three(DML_TENSOR_DATA_TYPE_UINT32, {3});
  ExpectSlice1(x, three, {{4294967290u}, {5}, {-2}}, elements, {5, 3, 1});
  ExpectSlice1(x, three, {{4294967291u}, {4}, {1}}, elements, {2, 3, 4});
}

TEST(Slice1, RefusesWindowsOutsideTheInput) {
  const Tensor four(DML_TENSOR_DATA_TYPE_FLOAT32, {4}), one(DML_TENSOR_DATA_TYPE_FLOAT32, {1});
  EXPECT_EQ(RefuseSlice1(four, one, {{2}, {3}, {1}}),
            "SLICE1: InputWindowOffsets[0] + InputWindowSizes[0] = 2 + 3 must be at most "
            "InputTensor.Sizes[0] = 4");
  EXPECT_EQ(RefuseSlice1(four, one, {{0xFFFFFFFF}, {2}, {1}}),
            "SLICE1: InputWindowOffsets[0] + InputWindowSizes[0] = 4294967295 + 2 must be at most "
            "InputTensor.Sizes[0] = 4");
  EXPECT_EQ(RefuseSlice1(four, one, {{0}, {0}, {1}}),
            "SLICE1: InputWindowSizes = {0} must be at least 1 in every entry");
  EXPECT_EQ(RefuseSlice1(four, one, {{3}, {1}, {1}}), "");
}

// B16c: the SLICE_GRAD page says that SLICE1 takes 0; its own page says not.
TEST(Slice1, RefusesAStrideOfZero) {
  const Tensor four(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  EXPECT_EQ(RefuseSlice1(four, four, {{0}, {4}, {0}}),
            "SLICE1: InputWindowStrides = {0} must not be 0 in any entry");
}

// B16b: the page divides by the signed stride, which would refuse this.
TEST(Slice1, CountsReachableElementsByTheMagnitudeOfTheStride) {
  const Tensor four(DML_TENSOR_DATA_TYPE_FLOAT32, {4}), three(DML_TENSOR_DATA_TYPE_FLOAT32, {3});
  const Tensor two(DML_TENSOR_DATA_TYPE_FLOAT32, {2});
  EXPECT_EQ(RefuseSlice1(four, two, {{0}, {4}, {-2}}), "");
  EXPECT_EQ(RefuseSlice1(four, three, {{0}, {4}, {-2}}),
            "SLICE1: OutputTensor.Sizes[0] = 3 must be at most 1 + (InputWindowSizes[0] - 1) / "
            "|InputWindowStrides[0]| = 2");
}

TEST(Slice1, RefusesTensorsThatDisagree) {
  const Tensor four(DML_TENSOR_DATA_TYPE_FLOAT32, {4}), half(DML_TENSOR_DATA_TYPE_FLOAT16, {4});
  const Tensor two_d(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 4});
  EXPECT_EQ(RefuseSlice1(four, half, {{0}, {4}, {1}}),
            "SLICE1: OutputTensor.DataType = FLOAT16 must equal InputTensor.DataType = FLOAT32");
  EXPECT_EQ(RefuseSlice1(four, two_d, {{0}, {4}, {1}}),
            "SLICE1: OutputTensor.DimensionCount = 2 must equal InputTensor.DimensionCount = 1");
  EXPECT_EQ(RefuseSlice1(four, four, {{0, 0}, {4, 1}, {1, 1}}),
            "SLICE1: DimensionCount = 2 must equal InputTensor.DimensionCount = 1");
}

// The SLICE page's examples, and DirectML's own sample model of it.
TEST(Slice, GivesTheDocumentedResults) {
  EXPECT_EQ(Slice({1, 1, 4, 4}, {{0, 0, 1, 2}, {1, 1, 3, 2}, {1, 1, 1, 1}}, 16, 6),
            (std::vector<float>{7, 8, 11, 12, 15, 16}));
  EXPECT_EQ(Slice({1, 1, 4, 4}, {{0, 0, 1, 0}, {1, 1, 2, 2}, {1, 1, 2, 3}}, 16, 4),
            (std::vector<float>{5, 8, 13, 16}));
  EXPECT_EQ(Slice({1, 1, 5, 5}, {{0, 0, 1, 1}, {1, 1, 3, 2}, {1, 1, 1, 2}}, 25, 6),
            (std::vector<float>{7, 9, 12, 14, 17, 19}));
}

// Unlike SLICE1's, its strides are unsigned.
TEST(Slice, TakesTheLargestStrideWhereItIsNotTaken) {
  EXPECT_EQ(Slice({5}, {{4}, {1}, {0xFFFFFFFF}}, 5, 1), (std::vector<float>{5}));
  // Times the tensor's own stride it would not fit 64 bits.
  const Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 1}, {1, 0xFFFFFFFF});
  const Tensor y(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1});
  const Copied copied = {{1, 0}, {1, 1}, {0xFFFFFFFF, 0xFFFFFFFF}};
  const DML_SLICE_OPERATOR_DESC desc = Describe(x, y, copied);
  EXPECT_EQ(test::RunOn<float>(DML_OPERATOR_SLICE, &desc, {In(Counting(2))}, 1),
            (std::vector<float>{2}));
}

TEST(Slice, RefusesSizesOtherThanTheOutputs) {
  const Tensor four(DML_TENSOR_DATA_TYPE_FLOAT32, {4}), two(DML_TENSOR_DATA_TYPE_FLOAT32, {2});
  EXPECT_EQ(RefuseSlice(four, two, {{0}, {3}, {1}}),
            "SLICE: Sizes = {3} must equal OutputTensor.Sizes = {2}");
}

// "Out-of-bounds reads are not permitted": the last element decides, without
// wrapping.
TEST(Slice, RefusesElementsOutsideTheInput) {
  const Tensor five(DML_TENSOR_DATA_TYPE_FLOAT32, {5}), two(DML_TENSOR_DATA_TYPE_FLOAT32, {2});
  EXPECT_EQ(RefuseSlice(five, two, {{2}, {2}, {2}}), "");
  EXPECT_EQ(RefuseSlice(five, two, {{2}, {2}, {3}}),
            "SLICE: Offsets[0] + (Sizes[0] - 1) * Strides[0] = 5 must be less than "
            "InputTensor.Sizes[0] = 5");
  EXPECT_EQ(RefuseSlice(five, two, {{2}, {2}, {0xFFFFFFFF}}),
            "SLICE: Offsets[0] + (Sizes[0] - 1) * Strides[0] = 4294967297 must be less than "
            "InputTensor.Sizes[0] = 5");
}

// The page is silent; ruled as for SLICE1 (B26).
TEST(Slice, RefusesAStrideOfZero) {
  const Tensor four(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  EXPECT_EQ(RefuseSlice(four, four, {{0}, {4}, {0}}),
            "SLICE: Strides = {0} must not be 0 in any entry");
}

// The pages' rows.
TEST(Slice1, NamesTheFeatureLevelThatHasTheTypeOrDimensionCount) {
  const Window one = {{0}, {4}, {1}};
  const Window four = {{0, 0, 0, 0}, {1, 1, 1, 4}, {1, 1, 1, 1}};
  const Tensor wide(DML_TENSOR_DATA_TYPE_INT64, {4}), narrow(DML_TENSOR_DATA_TYPE_INT8, {4});
  const Tensor four_d(DML_TENSOR_DATA_TYPE_INT8, {1, 1, 1, 4});
  EXPECT_EQ(RefuseSlice1(wide, wide, one, {.feature_level = FeatureLevel::k4_0}),
            "SLICE1: InputTensor.DataType = INT64 needs feature level 4_1 or above; this device "
            "has 4_0");
  EXPECT_EQ(RefuseSlice1(wide, wide, one, {.feature_level = FeatureLevel::k4_1}), "");
  EXPECT_EQ(RefuseSlice1(narrow, narrow, one, {.feature_level = FeatureLevel::k2_1}),
            "SLICE1: InputTensor.DimensionCount = 1 needs feature level 3_0 or above; this device "
            "has 2_1");
  EXPECT_EQ(RefuseSlice1(narrow, narrow, one, {.feature_level = FeatureLevel::k3_0}), "");
  EXPECT_EQ(RefuseSlice1(four_d, four_d, four, {.feature_level = FeatureLevel::k2_1}), "");
  EXPECT_EQ(RefuseSlice1(four_d, four_d, four, {.feature_level = FeatureLevel::k2_0}),
            "SLICE1: this operator needs feature level 2_1 or above; this device has 2_0");
}

TEST(Slice, NamesTheFeatureLevelThatHasTheTypeOrDimensionCount) {
  const Copied one = {{0}, {4}, {1}};
  const Copied four = {{0, 0, 0, 0}, {1, 1, 1, 4}, {1, 1, 1, 1}};
  const Tensor wide(DML_TENSOR_DATA_TYPE_FLOAT64, {4}), half(DML_TENSOR_DATA_TYPE_FLOAT16, {4});
  const Tensor bytes(DML_TENSOR_DATA_TYPE_UINT8, {1, 1, 1, 4});
  const Tensor halves(DML_TENSOR_DATA_TYPE_FLOAT16, {1, 1, 1, 4});
  EXPECT_EQ(RefuseSlice(wide, wide, one, {.feature_level = FeatureLevel::k4_0}),
            "SLICE: InputTensor.DataType = FLOAT64 needs feature level 4_1 or above; this device "
            "has 4_0");
  EXPECT_EQ(RefuseSlice(wide, wide, one, {.feature_level = FeatureLevel::k4_1}), "");
  EXPECT_EQ(RefuseSlice(half, half, one, {.feature_level = FeatureLevel::k2_1}),
            "SLICE: InputTensor.DimensionCount = 1 needs feature level 3_0 or above; this device "
            "has 2_1");
  EXPECT_EQ(RefuseSlice(half, half, one, {.feature_level = FeatureLevel::k3_0}), "");
  EXPECT_EQ(RefuseSlice(bytes, bytes, four, {.feature_level = FeatureLevel::k2_0}),
            "SLICE: InputTensor.DataType = UINT8 needs feature level 2_1 or above; this device has "
            "2_0");
  EXPECT_EQ(RefuseSlice(bytes, bytes, four, {.feature_level = FeatureLevel::k2_1}), "");
  EXPECT_EQ(RefuseSlice(halves, halves, four, {.feature_level = FeatureLevel::k1_0}), "");
}

// Two of three elements in steps of 2, one of padding: the rows become one axis, whose
// neighbours are not all the tensor's.
TEST(Slice1, ReadsNoPaddingBetweenRowsThatBecomeOneAxis) {
  Desc desc = {};
  desc.input = {.data_type = DataType::kFloat32, .dimension_count = 2, .sizes = {5, 3}};
  desc.output = {.data_type = DataType::kFloat32, .dimension_count = 2, .sizes = {5, 2}};
  desc.output.strides = {2, 1};
  desc.window_sizes = {5, 3};
  desc.window_strides = {1, 2};
  desc.input.strides = {4, 1};
  EXPECT_EQ(MakePlan(desc).rows.rank, 1u);
  EXPECT_FALSE(MakePlan(desc).rows.rows_are_dense);
  desc.input.strides = {5, 1};
  EXPECT_TRUE(MakePlan(desc).rows.rows_are_dense) << "rows stay rows";
}

}  // namespace
}  // namespace anydml::slice
