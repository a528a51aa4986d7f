// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about SLICE_GRAD: every sentence of its page, and the
// acceptance cases SG.
#include <gtest/gtest.h>

#include <climits>
#include <numeric>

#include "support/run.h"
#include "support/sparse_memory.h"

namespace anydml::slice {
namespace {

using test::In;
using test::Tensor;

struct Window {
  std::vector<UINT> offsets;
  std::vector<UINT> sizes;
  std::vector<INT> strides;
};

DML_SLICE_GRAD_OPERATOR_DESC Describe(const Tensor& dy, const Tensor& dx, const Window& window) {
  return {dy,
          dx,
          static_cast<UINT>(window.offsets.size()),
          window.offsets.data(),
          window.sizes.data(),
          window.strides.data()};
}

template <typename T>
std::vector<T> SliceGrad(const Tensor& dy, const Tensor& dx, const Window& window,
                         const std::vector<T>& values, size_t count) {
  const DML_SLICE_GRAD_OPERATOR_DESC desc = Describe(dy, dx, window);
  return test::RunOn<T>(DML_OPERATOR_SLICE_GRAD, &desc, {In(values)}, count);
}

// FLOAT32 of one dimension.
std::vector<float> SliceGrad(UINT size, const Window& window, const std::vector<float>& dy) {
  return SliceGrad<float>(Tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {static_cast<UINT>(dy.size())}),
                          Tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {size}), window, dy, size);
}

std::string RefuseSliceGrad(const Tensor& dy, const Tensor& dx, const Window& window,
                            const DeviceOptions& options = {}) {
  const DML_SLICE_GRAD_OPERATOR_DESC desc = Describe(dy, dx, window);
  return test::Refuse(DML_OPERATOR_SLICE_GRAD, &desc, options);
}

std::string RefuseSliceGrad(UINT dy_size, UINT size, const Window& window) {
  return RefuseSliceGrad(Tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {dy_size}),
                         Tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {size}), window);
}

// SG-01, the page's example.
TEST(SliceGrad, PutsTheSlicedElementsBackAndZerosElsewhere) {
  const Tensor dy(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 2}), dx(DML_TENSOR_DATA_TYPE_FLOAT32, {4, 4});
  EXPECT_EQ(SliceGrad<float>(dy, dx, {{0, 0}, {4, 4}, {2, 2}}, {1, 3, 9, 11}, 16),
            (std::vector<float>{1, 0, 3, 0, 0, 0, 0, 0, 9, 0, 11, 0, 0, 0, 0, 0}));
}

// SG-02: "negative window strides flip the direction of the window".
TEST(SliceGrad, StartsAtTheEndOfTheWindowWhereTheStrideIsNegative) {
  const Tensor dy(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 2}), dx(DML_TENSOR_DATA_TYPE_FLOAT32, {4, 4});
  EXPECT_EQ(SliceGrad<float>(dy, dx, {{0, 1}, {4, 3}, {-2, 2}}, {1, 2, 3, 4}, 16),
            (std::vector<float>{0, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0, 0, 0, 1, 0, 2}));
}

// SG-03 and B16d: 3 elements are reachable, the first 2 in the direction of the
// stride are filled.
TEST(SliceGrad, TakesFewerElementsThanTheWindowReaches) {
  EXPECT_EQ(SliceGrad(8, {{1}, {6}, {2}}, {1, 2}), (std::vector<float>{0, 1, 0, 2, 0, 0, 0, 0}));
  EXPECT_EQ(SliceGrad(8, {{1}, {6}, {-2}}, {1, 2}), (std::vector<float>{0, 0, 0, 0, 2, 0, 1, 0}));
}

// SG-04 and B16e: |INT_MIN| = 2^31.
TEST(SliceGrad, TakesStridesBeyondTheWindow) {
  EXPECT_EQ(SliceGrad(5, {{1}, {3}, {100}}, {7}), (std::vector<float>{0, 7, 0, 0, 0}));
  EXPECT_EQ(SliceGrad(5, {{1}, {3}, {INT_MAX}}, {7}), (std::vector<float>{0, 7, 0, 0, 0}));
  EXPECT_EQ(SliceGrad(5, {{1}, {3}, {-100}}, {7}), (std::vector<float>{0, 0, 0, 7, 0}));
  EXPECT_EQ(SliceGrad(5, {{1}, {3}, {INT_MIN}}, {7}), (std::vector<float>{0, 0, 0, 7, 0}));
  EXPECT_EQ(RefuseSliceGrad(2, 5, {{1}, {3}, {INT_MIN}}),
            "SLICE_GRAD: InputGradientTensor.Sizes[0] = 2 must be at most 1 + "
            "(InputWindowSizes[0] - 1) / |InputWindowStrides[0]| = 1");
}

// SG-05
TEST(SliceGrad, Flips64BitIntegers) {
  const Tensor three(DML_TENSOR_DATA_TYPE_INT64, {3});
  EXPECT_EQ(SliceGrad<int64_t>(three, three, {{0}, {3}, {-1}}, {1, 2, 3}, 3),
            (std::vector<int64_t>{3, 2, 1}));
}

// SG-06. 0xFFFFFFFF + 2 must not wrap.
TEST(SliceGrad, RefusesWindowsOutsideTheOutputGradient) {
  EXPECT_EQ(RefuseSliceGrad(1, 4, {{0}, {4}, {0}}),
            "SLICE_GRAD: InputWindowStrides = {0} must not be 0 in any entry");
  EXPECT_EQ(RefuseSliceGrad(1, 4, {{0}, {0}, {1}}),
            "SLICE_GRAD: InputWindowSizes = {0} must be at least 1 in every entry");
  EXPECT_EQ(RefuseSliceGrad(1, 4, {{2}, {3}, {1}}),
            "SLICE_GRAD: InputWindowOffsets[0] + InputWindowSizes[0] = 2 + 3 must be at most "
            "OutputGradientTensor.Sizes[0] = 4");
  EXPECT_EQ(RefuseSliceGrad(1, 4, {{0xFFFFFFFF}, {2}, {1}}),
            "SLICE_GRAD: InputWindowOffsets[0] + InputWindowSizes[0] = 4294967295 + 2 must be at "
            "most OutputGradientTensor.Sizes[0] = 4");
  EXPECT_EQ(RefuseSliceGrad(1, 4, {{2}, {2}, {1}}), "");
}

// SG-07
TEST(SliceGrad, RefusesMoreElementsThanTheWindowReaches) {
  for (INT stride : {2, -2}) {
    EXPECT_EQ(RefuseSliceGrad(3, 4, {{0}, {4}, {stride}}),
              "SLICE_GRAD: InputGradientTensor.Sizes[0] = 3 must be at most 1 + "
              "(InputWindowSizes[0] - 1) / |InputWindowStrides[0]| = 2");
    EXPECT_EQ(RefuseSliceGrad(2, 4, {{0}, {4}, {stride}}), "");
  }
}

// SG-08. The count is compared with the first tensor, and that with the second.
TEST(SliceGrad, RefusesDimensionCountsAndTypesThatDisagree) {
  const Tensor big(DML_TENSOR_DATA_TYPE_FLOAT32, {4, 4});
  const Tensor small(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 2});
  const Tensor of_three(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 2, 1});
  const Tensor integers(DML_TENSOR_DATA_TYPE_INT32, {2, 2});
  EXPECT_EQ(RefuseSliceGrad(of_three, big, {{0, 0, 0}, {4, 4, 1}, {1, 1, 1}}),
            "SLICE_GRAD: OutputGradientTensor.DimensionCount = 2 must equal "
            "InputGradientTensor.DimensionCount = 3");
  EXPECT_EQ(RefuseSliceGrad(small, big, {{0}, {4}, {1}}),
            "SLICE_GRAD: DimensionCount = 1 must equal InputGradientTensor.DimensionCount = 2");
  EXPECT_EQ(RefuseSliceGrad(integers, big, {{0, 0}, {4, 4}, {1, 1}}),
            "SLICE_GRAD: OutputGradientTensor.DataType = FLOAT32 must equal "
            "InputGradientTensor.DataType = INT32");
}

// SG-09 and B3: NaN payloads, the sign of zero and subnormals survive.
TEST(SliceGrad, CopiesBits) {
  const Tensor seven(DML_TENSOR_DATA_TYPE_FLOAT16, {7});
  const std::vector<uint16_t> bits = {0x7E55, 0xFE01, 0x8000, 0x0001, 0x7C00, 0xFC00, 0x3C00};
  EXPECT_EQ(SliceGrad<uint16_t>(seven, seven, {{0}, {7}, {1}}, bits, 7), bits);
}

// SG-10
TEST(SliceGrad, WritesAPermutedOutput) {
  const Tensor dy(DML_TENSOR_DATA_TYPE_UINT16, {2, 2, 3});
  const Tensor dx(DML_TENSOR_DATA_TYPE_UINT16, {2, 3, 5}, {15, 1, 3});
  std::vector<uint16_t> values(12), expected(30);
  std::iota(values.begin(), values.end(), uint16_t{1});
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      for (int c = 0; c < 3; ++c) {
        expected[a * 15 + 2 * b + (4 - 2 * c) * 3] = values[(a * 2 + b) * 3 + c];
      }
    }
  }
  EXPECT_EQ(SliceGrad<uint16_t>(dy, dx, {{0, 0, 0}, {2, 3, 5}, {1, 2, -2}}, values, 30), expected);
}

// Every combination of what comes before, between and after the elements of a
// row; short rows, and rows of several vectors.
TEST(SliceGrad, HandlesEveryStepAndTailLength) {
  for (int step = 1; step <= 6; ++step) {
    for (int count = 1; count <= 67; ++count) {
      const int before = count % 3, after = count % 5;
      const int size = before + (count - 1) * step + 1 + after;
      std::vector<float> dy(count), expected(size);
      for (int q = 0; q < count; ++q) {
        dy[q] = static_cast<float>(q + 1);
        expected[before + q * step] = dy[q];
      }
      const Window window = {{static_cast<UINT>(before)},
                             {static_cast<UINT>(size - before)},
                             {static_cast<INT>(step)}};
      ASSERT_EQ(SliceGrad(size, window, dy), expected) << "step " << step << " count " << count;
    }
  }
}

// B18: the two rows lie 2^32 - 6 elements apart, so offsets pass 2^31 elements and
// 2^34 bytes.
TEST(SliceGrad, WritesElementsBeyond32BitOffsets) {
  const test::SparseMemory memory(size_t{4294967295u} * sizeof(uint32_t));
  if (!memory.ok()) GTEST_SKIP() << "not enough address space";
  const Tensor dy(DML_TENSOR_DATA_TYPE_UINT32, {1, 2});
  const Tensor dx(DML_TENSOR_DATA_TYPE_UINT32, {2, 3}, {4294967290u, 1});
  const Window window = {{1, 0}, {1, 3}, {1, 2}};
  const DML_SLICE_GRAD_OPERATOR_DESC desc = Describe(dy, dx, window);
  const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_SLICE_GRAD, &desc};
  Result<Operator> op = CreateOperator(&operator_desc, {});
  ASSERT_TRUE(op.ok()) << op.error().message;
  const std::vector<uint32_t> values = {7, 8};
  auto* elements = static_cast<uint32_t*>(memory.data());
  Bindings bindings;
  bindings.inputs[0] = values.data();
  bindings.outputs[0] = elements;
  for (const CpuStrategy& strategy : op.value().definition->kernel->cpu_strategies) {
    Result<CpuProgram> program = Compile(op.value(), &strategy);
    if (!program.ok()) continue;
    std::fill_n(elements + 4294967290u, 3, 99u);
    ASSERT_TRUE(anydml::Run(program.value(), bindings, cpu::Executor(1)).ok());
    const uint32_t* row = elements + 4294967290u;
    EXPECT_EQ(std::vector<uint32_t>(row, row + 3), (std::vector<uint32_t>{7, 0, 8}));
  }
}

// B23
TEST(SliceGrad, DoesNotRunInPlace) {
  const Tensor four(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  const Window window = {{0}, {4}, {1}};
  const DML_SLICE_GRAD_OPERATOR_DESC desc = Describe(four, four, window);
  const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_SLICE_GRAD, &desc};
  Result<Operator> op = CreateOperator(&operator_desc, {});
  ASSERT_TRUE(op.ok());
  EXPECT_TRUE(op.value().definition->schema->in_place.empty());
}

TEST(SliceGrad, RefusesArraysThatAreMissing) {
  const Tensor four(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  const Window window = {{0}, {4}, {1}};
  DML_SLICE_GRAD_OPERATOR_DESC desc = Describe(four, four, window);
  desc.InputWindowStrides = nullptr;
  EXPECT_EQ(test::Refuse(DML_OPERATOR_SLICE_GRAD, &desc),
            "SLICE_GRAD: InputWindowStrides must not be null");
}

// The page's rows: 4_1 added 64-bit types, 3_1 all dimension counts.
TEST(SliceGrad, NamesTheFeatureLevelThatHasTheTypeOrDimensionCount) {
  const Window one = {{0}, {4}, {1}};
  const Window four = {{0, 0, 0, 0}, {1, 1, 1, 4}, {1, 1, 1, 1}};
  const DeviceOptions level_2_1 = {.feature_level = FeatureLevel::k2_1};
  const DeviceOptions level_3_0 = {.feature_level = FeatureLevel::k3_0};
  const DeviceOptions level_3_1 = {.feature_level = FeatureLevel::k3_1};
  const DeviceOptions level_4_0 = {.feature_level = FeatureLevel::k4_0};
  const DeviceOptions level_4_1 = {.feature_level = FeatureLevel::k4_1};
  const Tensor wide(DML_TENSOR_DATA_TYPE_UINT64, {4}), narrow(DML_TENSOR_DATA_TYPE_UINT8, {4});
  const Tensor four_d(DML_TENSOR_DATA_TYPE_UINT8, {1, 1, 1, 4});
  EXPECT_EQ(RefuseSliceGrad(wide, wide, one, level_4_0),
            "SLICE_GRAD: InputGradientTensor.DataType = UINT64 needs feature level 4_1 or above; "
            "this device has 4_0");
  EXPECT_EQ(RefuseSliceGrad(wide, wide, one, level_4_1), "");
  EXPECT_EQ(RefuseSliceGrad(narrow, narrow, one, level_3_0),
            "SLICE_GRAD: InputGradientTensor.DimensionCount = 1 needs feature level 3_1 or above; "
            "this device has 3_0");
  EXPECT_EQ(RefuseSliceGrad(narrow, narrow, one, level_3_1), "");
  EXPECT_EQ(RefuseSliceGrad(four_d, four_d, four, level_3_0), "");
  EXPECT_EQ(RefuseSliceGrad(four_d, four_d, four, level_2_1),
            "SLICE_GRAD: this operator needs feature level 3_0 or above; this device has 2_1");
}

// Channels that lie side by side in the input gradient only: rows of every second, third
// and fourth element, and the last of them is the tensor's last.
TEST(SliceGrad, TakesElementsThatLieApart) {
  for (UINT channels : {2u, 3u, 4u}) {
    for (INT direction : {1, -1}) {
      const UINT count = 70, size = 73;
      std::vector<float> values(channels * count);
      std::iota(values.begin(), values.end(), 1.0f);
      std::vector<float> expected(channels * size);
      for (UINT c = 0; c < channels; ++c) {
        for (UINT q = 0; q < count; ++q) {
          const UINT o = direction > 0 ? 2 + q : 2 + count - 1 - q;
          expected[c * size + o] = values[q * channels + c];
        }
      }
      const Tensor dy(DML_TENSOR_DATA_TYPE_FLOAT32, {channels, count}, {1, channels});
      const Tensor dx(DML_TENSOR_DATA_TYPE_FLOAT32, {channels, size});
      EXPECT_EQ(SliceGrad<float>(dy, dx, {{0, 2}, {channels, count}, {1, direction}}, values,
                                 expected.size()),
                expected)
          << channels << " channels, direction " << direction;
    }
  }
}

}  // namespace
}  // namespace anydml::slice
