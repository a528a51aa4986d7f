// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about average pooling, its gradient and Lp pooling: the example of the page, and
// the rulings on divisors, sizes, powers and the order of sums.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "operators/average_pooling/desc.h"
#include "support/run.h"

namespace anydml::average_pooling {
namespace {

using test::In;
using test::Pattern;
using test::Tensor;
using Floats = std::vector<float>;
using Uints = std::vector<UINT>;

struct Window {
  Uints size;
  Uints strides = {1, 1};
  Uints start = {0, 0};
  Uints end = {0, 0};
  Uints dilations = {1, 1};
  bool include_padding = false;
};

template <class Desc>
Desc Fill(const Tensor& a, const Tensor& b, const Window& window) {
  Desc desc = {};
  desc.DimensionCount = static_cast<UINT>(window.size.size());
  desc.Strides = window.strides.data();
  desc.WindowSize = window.size.data();
  desc.StartPadding = window.start.data();
  desc.EndPadding = window.end.data();
  if constexpr (requires { desc.IncludePadding; }) {
    desc.IncludePadding = window.include_padding ? 7 : 0;  // all but 0 is TRUE
  }
  if constexpr (requires { desc.InputTensor; }) {
    desc.InputTensor = a;
    desc.OutputTensor = b;
  } else {
    desc.InputGradientTensor = a;
    desc.OutputGradientTensor = b;
  }
  return desc;
}

constexpr DML_TENSOR_DATA_TYPE kFloat = DML_TENSOR_DATA_TYPE_FLOAT32;
constexpr DML_TENSOR_DATA_TYPE kHalf = DML_TENSOR_DATA_TYPE_FLOAT16;

// By both versions, where there are no dilations.
template <typename T>
std::vector<T> Pool(const std::vector<T>& x, const Uints& x_sizes, const Uints& y_sizes,
                    const Window& window) {
  const DML_TENSOR_DATA_TYPE type = sizeof(T) == 2 ? kHalf : kFloat;
  const Tensor input(type, x_sizes), output(type, y_sizes);
  auto newer = Fill<DML_AVERAGE_POOLING1_OPERATOR_DESC>(input, output, window);
  newer.Dilations = window.dilations.data();
  const size_t count = test::Count(y_sizes);
  const auto result = test::RunOn<T>(DML_OPERATOR_AVERAGE_POOLING1, &newer, {In(x)}, count);
  if (window.dilations == Uints(window.size.size(), 1)) {
    const auto older = Fill<DML_AVERAGE_POOLING_OPERATOR_DESC>(input, output, window);
    const auto same = test::RunOn<T>(DML_OPERATOR_AVERAGE_POOLING, &older, {In(x)}, count);
    EXPECT_EQ(test::BytesOf(same), test::BytesOf(result));
  }
  return result;
}

Floats PoolGrad(const Floats& dy, const Uints& dy_sizes, const Uints& dx_sizes,
                const Window& window) {
  const Tensor input(kFloat, dy_sizes), output(kFloat, dx_sizes);
  const auto desc = Fill<DML_AVERAGE_POOLING_GRAD_OPERATOR_DESC>(input, output, window);
  return test::RunOn<float>(DML_OPERATOR_AVERAGE_POOLING_GRAD, &desc, {In(dy)},
                            test::Count(dx_sizes));
}

std::string Refuse1(const Tensor& x, const Tensor& y, const Window& window,
                    const DeviceOptions& options = {}) {
  auto desc = Fill<DML_AVERAGE_POOLING1_OPERATOR_DESC>(x, y, window);
  desc.Dilations = window.dilations.data();
  return test::Refuse(DML_OPERATOR_AVERAGE_POOLING1, &desc, options);
}

Floats Patterned(const Uints& sizes, int m, int k, float divide = 1) {
  Floats values(test::Count(sizes));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(Pattern(static_cast<int64_t>(i), m, k)) / divide;
  }
  return values;
}

// The sum of (2j + 1) * bits of element j, modulo 2^32: pins every bit.
uint32_t Checksum(const Floats& values) {
  uint32_t sum = 0;
  for (size_t j = 0; j < values.size(); ++j) {
    sum += static_cast<uint32_t>(2 * j + 1) * std::bit_cast<uint32_t>(values[j]);
  }
  return sum;
}

TEST(AveragePooling, GivesTheDocumentedExample) {
  EXPECT_EQ(Pool<float>({1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 1, 3, 3}, {1, 1, 2, 2}, {.size = {2, 2}}),
            (Floats{3, 4, 6, 7}));
}

TEST(AveragePoolingGrad, SharesAGradientAmongTheTapsOfItsWindow) {
  EXPECT_EQ(PoolGrad({1, 2, 3, 4}, {1, 1, 2, 2}, {1, 1, 3, 3}, {.size = {2, 2}}),
            (Floats{.25f, .75f, .5f, 1, 2.5f, 1.5f, .75f, 1.75f, 1}));
}

// B35 (a), (b)
TEST(AveragePooling, DividesByAllTapsOrByThoseThatAreKept) {
  Window window = {.size = {2, 2}, .start = {1, 1}, .end = {1, 1}};
  const Floats ones(4, 1.0f);
  EXPECT_EQ(Pool(ones, {1, 1, 2, 2}, {1, 1, 3, 3}, window), Floats(9, 1.0f));
  window.include_padding = true;
  EXPECT_EQ(Pool(ones, {1, 1, 2, 2}, {1, 1, 3, 3}, window),
            (Floats{.25f, .5f, .25f, .5f, 1, .5f, .25f, .5f, .25f}));
}

// B35 (a): the divisor is the whole window where it overhangs a size that is rounded up.
TEST(AveragePooling, CountsTapsBeyondThePadding) {
  const Floats x = {1, 3, 2, 4, 5, 7, 6, 8, 9, 11, 10, 12, 13, 15, 14, 16};
  Window window = {.size = {2, 2}, .strides = {3, 1}};
  EXPECT_EQ(Pool(x, {1, 1, 4, 4}, {1, 1, 2, 3}, window), (Floats{4, 4.5f, 5, 14, 14.5f, 15}));
  window.include_padding = true;
  EXPECT_EQ(Pool(x, {1, 1, 4, 4}, {1, 1, 2, 3}, window), (Floats{4, 4.5f, 5, 7, 7.25f, 7.5f}));
}

// B35 (d)
TEST(AveragePooling1, TakesTheSizeOfADilatedWindow) {
  const Floats x = {1, 3, 2, 4, 5, 7, 6, 8, 9, 11, 10, 12, 13, 15, 14, 16};
  const Window window = {.size = {2, 2}, .dilations = {2, 2}};
  EXPECT_EQ(Pool(x, {1, 1, 4, 4}, {1, 1, 2, 2}, window), (Floats{5.5f, 7.5f, 9.5f, 11.5f}));
  const Tensor input(kFloat, {1, 1, 4, 4}), three(kFloat, {1, 1, 3, 3});
  EXPECT_EQ(Refuse1(input, three, window),
            "AVERAGE_POOLING1: OutputTensor.Sizes[2] = 3 must be 2 = (4 - 3) / 1 + 1");
}

// B35 (c): +0, and the gradient is dropped.
TEST(AveragePooling, IsZeroWithoutTaps) {
  const Window window = {.size = {1, 1}, .start = {0, 1}, .end = {0, 1}};
  EXPECT_EQ(Checksum(Pool<float>({3}, {1, 1, 1, 1}, {1, 1, 1, 3}, window)),
            Checksum({0.0f, 3, 0.0f}));
  EXPECT_EQ(PoolGrad({5, 7, 9}, {1, 1, 1, 3}, {1, 1, 1, 1}, window), Floats{7});
}

TEST(AveragePooling, GivesTheBitsOfTheAcceptanceCases) {
  const Uints sizes = {2, 3, 32, 32}, half = {2, 3, 16, 16};
  const Floats x = Patterned(sizes, 1009, 613);
  Window window = {.size = {2, 2}, .strides = {2, 2}};
  double sum = 0, weighted = 0;
  const Floats y = Pool(x, sizes, half, window);
  for (size_t j = 0; j < y.size(); ++j) {
    sum += static_cast<double>(y[j]);
    weighted += static_cast<double>(j % 101 + 1) * static_cast<double>(y[j]);
  }
  EXPECT_EQ(sum, -199);
  EXPECT_EQ(weighted, -101694);
  window = {.size = {3, 3}, .strides = {2, 2}, .start = {1, 1}, .end = {1, 1}};
  EXPECT_EQ(Checksum(Pool(x, sizes, half, window)), 0xb1d7f30au);
  EXPECT_EQ(Checksum(PoolGrad(Patterned(half, 257, 97), half, sizes, window)), 0x840c23cau);
  window.include_padding = true;
  EXPECT_EQ(Checksum(Pool(x, sizes, half, window)), 0x8773b2dbu);
  EXPECT_EQ(Checksum(PoolGrad(Patterned(half, 257, 97), half, sizes, window)), 0xb06752ecu);
}

// B31: above 64 taps a sum is blocked, padding counted.
TEST(AveragePooling, SumsLargeWindowsInBlocks) {
  const Uints sizes = {1, 2, 70, 80}, one = {1, 2, 1, 1};
  const Floats y = Pool(Patterned(sizes, 1009, 613, 7), sizes, one, {.size = {70, 80}});
  EXPECT_EQ(std::bit_cast<uint32_t>(y[0]), 0xbbdbd8aau);
  EXPECT_EQ(std::bit_cast<uint32_t>(y[1]), 0xbb7fcad6u);
  std::vector<Float16> halves;
  for (float value : Patterned(sizes, 1009, 613, 16)) halves.push_back(ToFloat16(value));
  const auto means = Pool(halves, sizes, one, {.size = {70, 80}});
  EXPECT_EQ(means[0].bits, 0x9a03);
  EXPECT_EQ(means[1].bits, 0x96ff);
  const Uints twelve = {1, 2, 12, 12};
  EXPECT_EQ(Checksum(Pool(Patterned(twelve, 1009, 613, 7), twelve, {1, 2, 2, 2},
                          {.size = {9, 9}, .strides = {3, 3}, .start = {1, 1}, .end = {1, 1}})),
            0xe06be31du);
}

TEST(AveragePooling1, RefusesWhatItsPageDoesNotHave) {
  const Tensor x(kFloat, {1, 1, 4, 4}), y(kFloat, {1, 1, 3, 3}), batch(kFloat, {2, 1, 3, 3});
  EXPECT_EQ(Refuse1(x, y, {.size = {2, 2}}), "");
  EXPECT_EQ(Refuse1(x, y, {.size = {2, 0}}),
            "AVERAGE_POOLING1: WindowSize = {2, 0} must be at least 1 in every entry");
  EXPECT_EQ(Refuse1(x, y, {.size = {2, 2}, .dilations = {0, 1}}),
            "AVERAGE_POOLING1: Dilations = {0, 1} must be at least 1 in every entry");
  EXPECT_EQ(Refuse1(x, batch, {.size = {2, 2}}),
            "AVERAGE_POOLING1: OutputTensor.Sizes[0] = 2 must equal InputTensor.Sizes[0] = 1");
  EXPECT_EQ(Refuse1(x, y, {.size = {2, 2}}, {.feature_level = FeatureLevel::k6_1}),
            "AVERAGE_POOLING1: this operator needs feature level 6_2 or above; this device has "
            "6_1");
  const Tensor integers(DML_TENSOR_DATA_TYPE_INT32, {1, 1, 4, 4});
  EXPECT_EQ(Refuse1(integers, y, {.size = {2, 2}}),
            "AVERAGE_POOLING1: InputTensor.DataType = INT32 must be FLOAT32 or FLOAT16");
}

// A window of which billions of taps lie in padding is legal.
TEST(AveragePooling, TakesWindowsOfPadding) {
  const UINT huge = 0xFFFFFFF0u;
  const Window window = {.size = {huge, huge}, .start = {huge - 1, huge - 2}};
  const Tensor x(kFloat, {1, 1, 1, 2}), y(kFloat, {1, 1, 1, 1});
  const auto desc = Fill<DML_AVERAGE_POOLING_OPERATOR_DESC>(x, y, window);
  const auto results =
      test::RunEachStrategy(DML_OPERATOR_AVERAGE_POOLING, &desc, {In(Floats{6, 8})});
  EXPECT_FALSE(results.empty());
  for (const auto& result : results) EXPECT_EQ(result, test::BytesOf(Floats{7}));
}

Floats PoolLp(const Floats& x, const Uints& x_sizes, const Uints& y_sizes, UINT p,
              const Window& window) {
  const Tensor input(kFloat, x_sizes), output(kFloat, y_sizes);
  auto desc = Fill<DML_LP_POOLING1_OPERATOR_DESC>(input, output, window);
  desc.Dilations = window.dilations.data();
  desc.P = p;
  return test::RunOn<float>(DML_OPERATOR_LP_POOLING1, &desc, {In(x)}, test::Count(y_sizes));
}

// B37: of absolute values.
TEST(LpPooling, IsTheNormOfItsWindow) {
  const Uints row = {1, 1, 1, 4};
  EXPECT_EQ(PoolLp({1, 2, 3, 4}, row, {1, 1, 1, 3}, 2, {.size = {1, 2}}),
            (Floats{std::sqrt(5.0f), std::sqrt(13.0f), 5}));
  EXPECT_EQ(PoolLp({-3, 4, 5}, {1, 1, 1, 3}, {1, 1, 1, 1}, 3, {.size = {1, 3}}), Floats{6});
  EXPECT_EQ(PoolLp({-1, -2, -3, -4}, row, {1, 1, 1, 2}, 1, {.size = {1, 3}, .strides = {1, 2}}),
            (Floats{6, 7}));
  EXPECT_EQ(PoolLp({3}, {1, 1, 1, 1}, {1, 1, 1, 2}, 5, {.size = {1, 1}, .start = {0, 1}}),
            (Floats{0, 3}));
}

// B34: powers and roots are correctly rounded. Of one element they are one another's opposite.
TEST(LpPooling, GivesTheBitsOfTheAcceptanceCases) {
  const Uints sizes = {2, 3, 16, 16}, half = {2, 3, 8, 8};
  const Floats x = Patterned(sizes, 1009, 613, 7);
  const Window window = {.size = {3, 3}, .strides = {2, 2}, .start = {1, 1}, .end = {1, 1}};
  EXPECT_EQ(Checksum(PoolLp(x, sizes, half, 2, window)), 0x6f9d7035u);
  EXPECT_EQ(Checksum(PoolLp(x, sizes, half, 3, window)), 0xad33d3d2u);
}

// x^P overflows, and underflows, as its result does.
TEST(LpPooling, TakesLargeDegrees) {
  const Floats x = {0.5f, 1, 2};
  const Uints row = {1, 1, 1, 3};
  EXPECT_EQ(PoolLp(x, row, row, 4000000000u, {.size = {1, 1}}),
            (Floats{0, 1, std::numeric_limits<float>::infinity()}));
}

TEST(LpPooling, RefusesADegreeOf0) {
  const Tensor x(kFloat, {1, 1, 4, 4}), y(kFloat, {1, 1, 3, 3});
  const Window window = {.size = {2, 2}};
  auto desc = Fill<DML_LP_POOLING_OPERATOR_DESC>(x, y, window);
  EXPECT_EQ(test::Refuse(DML_OPERATOR_LP_POOLING, &desc), "LP_POOLING: P = 0 must be at least 1");
  desc.P = 1;
  EXPECT_EQ(test::Refuse(DML_OPERATOR_LP_POOLING, &desc), "");
  auto newer = Fill<DML_LP_POOLING1_OPERATOR_DESC>(x, y, window);
  newer.Dilations = window.dilations.data();
  newer.P = 2;
  EXPECT_EQ(test::Refuse(DML_OPERATOR_LP_POOLING1, &newer, {FeatureLevel::k6_1}),
            "LP_POOLING1: this operator needs feature level 6_2 or above; this device has 6_1");
}

}  // namespace
}  // namespace anydml::average_pooling
