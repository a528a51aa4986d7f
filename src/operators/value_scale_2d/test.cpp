// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about VALUE_SCALE_2D: a bias per channel, two roundings, the count.
#include <gtest/gtest.h>

#include "operators/value_scale_2d/desc.h"
#include "support/run.h"

namespace anydml::value_scale_2d {
namespace {

using test::In;
using test::Tensor;
using Floats = std::vector<float>;
using Sizes = std::vector<UINT>;

constexpr DML_TENSOR_DATA_TYPE kFloat = DML_TENSOR_DATA_TYPE_FLOAT32;

Floats Scaled(const Floats& x, const Sizes& sizes, float scale, const Floats& biases,
              const Sizes& strides = {}) {
  const Tensor input(kFloat, sizes, strides), output(kFloat, sizes);
  const DML_VALUE_SCALE_2D_OPERATOR_DESC desc = {input, output, scale,
                                                 static_cast<UINT>(biases.size()), biases.data()};
  return test::RunOn<float>(DML_OPERATOR_VALUE_SCALE_2D, &desc, {In(x)}, test::Count(sizes));
}

TEST(ValueScale2D, AddsABiasPerChannel) {
  EXPECT_EQ(Scaled({1, 2}, {1, 1, 1, 2}, 3, {1}), (Floats{4, 7}));
  EXPECT_EQ(Scaled({1, 2, 3, 4, 5, 6}, {1, 3, 1, 2}, 2, {10, 20, 30}),
            (Floats{12, 14, 26, 28, 40, 42}));
  // Channels last.
  EXPECT_EQ(Scaled({1, 3, 5, 2, 4, 6}, {1, 3, 1, 2}, 2, {10, 20, 30}, {6, 1, 6, 3}),
            (Floats{12, 14, 26, 28, 40, 42}));
}

// B26: (1 + 2^-12)^2 - 1 - 2^-11 is 2^-24 with one rounding, and 0 with two.
TEST(ValueScale2D, RoundsTheProductAndTheSum) {
  const float x = 1 + 0x1p-12f;
  EXPECT_EQ(Scaled({x}, {1, 1, 1, 1}, x, {-1 - 0x1p-11f}), (Floats{0}));
}

TEST(ValueScale2D, RefusesOtherChannels) {
  const Tensor x(kFloat, {1, 3, 2, 2}), two(kFloat, {1, 2, 2, 2}), wide(kFloat, {1, 3, 2, 4}),
      flat(kFloat, {3, 2, 2}), integers(DML_TENSOR_DATA_TYPE_INT32, {1, 3, 2, 2});
  const float biases[] = {1, 2, 3};
  const auto refuse = [&](const Tensor& input, const Tensor& output, UINT count,
                          const float* bias) {
    const DML_VALUE_SCALE_2D_OPERATOR_DESC desc = {input, output, 2, count, bias};
    return test::Refuse(DML_OPERATOR_VALUE_SCALE_2D, &desc);
  };
  EXPECT_EQ(refuse(x, x, 3, biases), "");
  EXPECT_EQ(refuse(two, two, 2, biases), "VALUE_SCALE_2D: ChannelCount = 2 must be 1 or 3");
  EXPECT_EQ(refuse(x, x, 0, nullptr), "VALUE_SCALE_2D: ChannelCount = 0 must be 1 or 3");
  EXPECT_EQ(refuse(x, x, 0xFFFFFFFF, biases),
            "VALUE_SCALE_2D: ChannelCount = 4294967295 must be 1 or 3");
  EXPECT_EQ(refuse(x, x, 1, biases),
            "VALUE_SCALE_2D: ChannelCount = 1 must equal InputTensor.Sizes[1] = 3");
  EXPECT_EQ(refuse(x, x, 3, nullptr), "VALUE_SCALE_2D: Bias must not be null");
  EXPECT_EQ(refuse(x, wide, 3, biases),
            "VALUE_SCALE_2D: OutputTensor.Sizes = {1, 3, 2, 4} must equal InputTensor.Sizes = "
            "{1, 3, 2, 2}");
  EXPECT_EQ(refuse(flat, flat, 3, biases),
            "VALUE_SCALE_2D: InputTensor.DimensionCount = 3 must be 4");
  EXPECT_EQ(refuse(integers, integers, 3, biases),
            "VALUE_SCALE_2D: InputTensor.DataType = INT32 must be FLOAT32 or FLOAT16");
}

}  // namespace
}  // namespace anydml::value_scale_2d
