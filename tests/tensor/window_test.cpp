// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The arithmetic of windows against loops over every tap.
#include "tensor/window.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

namespace anydml {
namespace {

std::vector<int64_t> Values(const Progression& progression) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < progression.count; ++i) {
    values.push_back(progression.first + i * progression.step);
  }
  return values;
}

bool Sees(const WindowAxis& axis, int64_t o, int64_t p) {
  for (int64_t k = 0; k < axis.window_size; ++k) {
    if (o * axis.stride - axis.start_padding + k * axis.dilation == p) return true;
  }
  return false;
}

// Calls check(axis) for every small axis.
template <typename Check>
void ForEachAxis(const Check& check) {
  for (int64_t input : {1, 2, 7})
    for (int64_t output : {1, 3, 6})
      for (int64_t window = 1; window <= 4; ++window)
        for (int64_t stride = 1; stride <= 6; ++stride)
          for (int64_t dilation = 1; dilation <= 6; ++dilation)
            for (int64_t padding : {0, 1, 3, 8}) {
              SCOPED_TRACE(
                  fmt::format("input {} output {} window {} stride {} dilation {} start {}", input,
                              output, window, stride, dilation, padding));
              check(CompleteAxis({.input_size = input,
                                  .output_size = output,
                                  .window_size = window,
                                  .stride = stride,
                                  .dilation = dilation,
                                  .start_padding = padding}));
            }
}

TEST(Window, TapsAreTheInputsThatAWindowSees) {
  ForEachAxis([](const WindowAxis& axis) {
    for (int64_t o = 0; o < axis.output_size; ++o) {
      std::vector<int64_t> expected;
      for (int64_t p = 0; p < axis.input_size; ++p) {
        if (Sees(axis, o, p)) expected.push_back(p);
      }
      ASSERT_EQ(Values(TapsOf(axis, o)), expected) << "window " << o;
    }
  });
}

TEST(Window, WindowsOverAnInputAreThoseThatSeeIt) {
  ForEachAxis([](const WindowAxis& axis) {
    for (int64_t p = 0; p < axis.input_size; ++p) {
      std::vector<int64_t> expected;
      for (int64_t o = 0; o < axis.output_size; ++o) {
        if (Sees(axis, o, p)) expected.push_back(o);
      }
      ASSERT_EQ(Values(WindowsOver(axis, p)), expected) << "input " << p;
    }
  });
}

TEST(Window, EveryWindowHasTapsLooksAtEachWindow) {
  ForEachAxis([](const WindowAxis& axis) {
    bool all = axis.start_padding <= axis.reach();
    for (int64_t o = 0; o < axis.output_size; ++o) all = all && TapsOf(axis, o).count > 0;
    ASSERT_EQ(EveryWindowHasTaps(axis), all);
  });
}

TEST(Window, EveryInputHasWindowsLooksAtEachInput) {
  ForEachAxis([](const WindowAxis& axis) {
    bool all = true;
    for (int64_t p = 0; p < axis.input_size; ++p) all = all && WindowsOver(axis, p).count > 0;
    ASSERT_EQ(EveryInputHasWindows(axis), all);
  });
}

// P11: the answers stay exact where products reach 2^34.
TEST(Window, TakesNumbersNearTwoToThe32) {
  constexpr int64_t kMax = 0xFFFFFFFF;
  const WindowAxis wide = CompleteAxis({.input_size = kMax,
                                        .output_size = 3,
                                        .window_size = 3,
                                        .stride = kMax,
                                        .dilation = kMax - 1,
                                        .start_padding = kMax});
  EXPECT_EQ(Values(TapsOf(wide, 0)), (std::vector<int64_t>{kMax - 2}));
  EXPECT_EQ(Values(TapsOf(wide, 1)), (std::vector<int64_t>{0, kMax - 1}));
  EXPECT_EQ(Values(TapsOf(wide, 2)), (std::vector<int64_t>{}));
  EXPECT_EQ(Values(WindowsOver(wide, kMax - 2)), (std::vector<int64_t>{0}));
  EXPECT_EQ(Values(WindowsOver(wide, 0)), (std::vector<int64_t>{1}));
  EXPECT_EQ(Values(WindowsOver(wide, kMax - 1)), (std::vector<int64_t>{1}));
  EXPECT_EQ(Values(WindowsOver(wide, 1)), (std::vector<int64_t>{}));
  // One by one these would take minutes.
  const WindowAxis narrow = CompleteAxis({.input_size = kMax,
                                          .output_size = kMax,
                                          .window_size = 5,
                                          .stride = 1,
                                          .dilation = 1,
                                          .start_padding = 2});
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(EveryInputHasWindows(narrow));
}

}  // namespace
}  // namespace anydml
