// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Strategies of MAX_POOLING_GRAD may look for the maximum without a thought of NaN and
// infinities until they meet one: wherever it lies, they must meet it. Every run
// compares the reference with all strategies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "backends/cpu/instruction_set.h"
#include "support/pooling.h"
#include "support/run.h"

namespace anydml::test {
namespace {

using Values = std::vector<float>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <class Body>
void ForEachInstructionSet(const Body& body) {
  for (const cpu::InstructionSet& set : cpu::AvailableInstructionSets()) {
    const cpu::ScopedInstructionSet scope(set);
    body();
  }
}

// Small whole numbers, so that most windows have ties; every second zero is
// negative.
Values ManyTies(size_t count) {
  Values x(count);
  for (size_t i = 0; i < count; ++i) {
    const int pattern = Pattern(static_cast<int64_t>(i), 1009, 613) % 3;
    x[i] = pattern == 0 && i % 2 == 0 ? -0.0f : static_cast<float>(pattern);
  }
  return x;
}

// None, one, and all around the padding.
TEST(MaxPoolingGradSpecials, ChannelsSideBySideGiveTheReferencesBits) {
  constexpr UINT kChannels = 20, kHeight = 21, kWidth = 69;
  const Window windows[] = {
      {.size = {3, 3}, .start = {1, 1}, .end = {1, 1}},
      {.size = {3, 3}, .strides = {2, 2}, .start = {1, 1}, .end = {1, 1}},
      {.size = {2, 2}, .start = {1, 1}},
      {.size = {3, 3}, .start = {2, 2}, .end = {2, 2}, .dilations = {2, 2}},
      {.size = {5, 5}, .start = {2, 2}, .end = {2, 2}},
      {.size = {5, 5}, .start = {4, 4}, .end = {4, 4}, .dilations = {2, 2}},
  };
  for (const Window& window : windows) {
    const UINT height = (kHeight - 1) / window.strides[0] + 1;
    const UINT width = (kWidth - 1) / window.strides[1] + 1;
    const auto tensor = [](UINT rows, UINT columns) {
      return std::make_unique<Tensor>(
          DML_TENSOR_DATA_TYPE_FLOAT32, Uints{1, kChannels, rows, columns},
          Uints{rows * columns * kChannels, 1, columns * kChannels, kChannels});
    };
    const auto x_tensor = tensor(kHeight, kWidth), dy_tensor = tensor(height, width);
    const auto desc = MaxPoolingGrad(*x_tensor, *dy_tensor, *x_tensor, window);
    Values x = ManyTies(kChannels * kHeight * kWidth), dy(kChannels * height * width);
    for (size_t i = 0; i < dy.size(); ++i) dy[i] = 0.1f * static_cast<float>(i % 97);
    const auto run = [&] {
      Values dx;
      ForEachInstructionSet([&] {
        dx = RunOn<float>(DML_OPERATOR_MAX_POOLING_GRAD, &desc, {In(x), In(dy)}, x.size());
      });
      return dx;
    };
    const Values ordinary = run();
    const size_t middle = (13 * kWidth + 17) * kChannels + 3;  // long after the first row
    x[middle] = kNan;
    const Values with_nan = run();
    EXPECT_GT(with_nan[middle], ordinary[middle]);
    EXPECT_EQ(with_nan[middle + 1], ordinary[middle + 1]);
    std::fill(x.begin(), x.end(), -kInfinity);
    EXPECT_EQ(run().back(), 0);  // every window sees an equal element before it
  }
}

// Rows of several tiles, packed or with gaps. A NaN visits every column, other special
// elements some, in rows of every band; minus infinity comes as a whole neighbourhood, or it would
// win nothing. Some gradients are special too, and must stay where they belong.
void VisitColumns(const Window& window, UINT gap, float special) {
  constexpr UINT kHeight = 20, kWidth = 100;
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, Uints{1, 1, kHeight, kWidth},
                      Uints{0, 0, kWidth + gap, 1});
  const auto desc = MaxPoolingGrad(tensor, tensor, tensor, window);
  const size_t stride = kWidth + gap;
  const Values ties = ManyTies((kHeight - 1) * stride + kWidth);
  Values dy(ties.size());
  for (size_t i = 0; i < dy.size(); ++i) {
    dy[i] = i % 91 == 5 ? kInfinity : i % 97 == 7 ? kNan : 0.1f * static_cast<float>(i % 89);
  }
  const UINT step = std::isnan(special) ? 1 : special < 0 ? 3 : 7;
  for (UINT column = 0; column < kWidth; column += step) {
    const UINT row = column * 7 % kHeight, around = special == -kInfinity ? 4 : 0;
    Values x = ties;
    for (UINT r = row - std::min(row, around); r <= std::min(row + around, kHeight - 1); ++r) {
      for (UINT c = column - std::min(column, around); c <= std::min(column + around, kWidth - 1);
           ++c) {
        x[r * stride + c] = special;
      }
    }
    RunOn<float>(DML_OPERATOR_MAX_POOLING_GRAD, &desc, {In(x), In(dy)}, x.size());
    ASSERT_FALSE(testing::Test::HasFailure()) << "row " << row << ", column " << column;
  }
}

TEST(MaxPoolingGradSpecials, ColumnsSideBySideGiveTheReferencesBits) {
  const Window windows[] = {
      {.size = {3, 3}, .start = {1, 1}, .end = {1, 1}},
      {.size = {3, 3}, .end = {2, 2}},
      {.size = {3, 3}, .start = {2, 2}, .end = {2, 2}, .dilations = {2, 2}},
      {.size = {5, 5}, .start = {2, 2}, .end = {2, 2}},
      {.size = {5, 5}, .start = {8, 8}, .end = {8, 8}, .dilations = {4, 4}},
  };
  for (const Window& window : windows) {
    for (const float special : {kNan, -kInfinity, kInfinity}) {
      ForEachInstructionSet([&] { VisitColumns(window, special == kInfinity ? 3 : 0, special); });
    }
  }
}

}  // namespace
}  // namespace anydml::test
