// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes.
#pragma once

#include <array>

#include "operators/case.h"

namespace anydml::reduce {

struct Shape {
  std::string_view name;
  CaseSizes input;
  CaseSetting axes;
};

constexpr CaseSizes OutputSizes(const Shape& shape) {
  CaseSizes sizes = shape.input;
  for (uint32_t k = 0; k < shape.axes.count; ++k) {
    sizes.values[static_cast<size_t>(shape.axes.values[k])] = 1;
  }
  return sizes;
}

inline constexpr Shape kReductionShapes[] = {
    {"one_element", {1}, {"Axes", {0}}},
    {"all", {3, 5, 7}, {"Axes", {0, 1, 2}}},
    {"inner_axis_of_two_blocks", {3, 4225}, {"Axes", {1}}},
    {"inner_axis_shorter_than_the_slots", {5, 67}, {"Axes", {1}}},
    {"outer_axis_over_columns", {261, 75}, {"Axes", {0}}},
    {"middle_axis_of_blocks_over_columns", {2, 4100, 5}, {"Axes", {1}}},
    {"images_and_rows_of_channels", {2, 3, 9, 17}, {"Axes", {0, 2, 3}}},
    {"axes_in_falling_order", {3, 4, 33}, {"Axes", {2, 0}}},
    {"no_axes", {2, 3, 7}, {"Axes", {}}},
    {"eight_dimensions", {2, 1, 3, 2, 1, 2, 3, 5}, {"Axes", {1, 3, 6}}},
};
// Other functions take the same ways through the kernels as those with all shapes.
inline constexpr Shape kFewShapes[] = {kReductionShapes[2], kReductionShapes[4],
                                       kReductionShapes[6]};

inline constexpr std::string_view kNames[12][3] = {
    {"argmax_of_two_blocks", "argmax_over_columns", "argmax_of_images"},
    {"argmin_of_two_blocks", "argmin_over_columns", "argmin_of_images"},
    {"average_of_two_blocks", "average_over_columns", "average_of_images"},
    {"l1_of_two_blocks", "l1_over_columns", "l1_of_images"},
    {"l2_of_two_blocks", "l2_over_columns", "l2_of_images"},
    {"log_sum_of_two_blocks", "log_sum_over_columns", "log_sum_of_images"},
    {"log_sum_exp_of_two_blocks", "log_sum_exp_over_columns", "log_sum_exp_of_images"},
    {"max_of_two_blocks", "max_over_columns", "max_of_images"},
    {"min_of_two_blocks", "min_over_columns", "min_of_images"},
    {"multiply_of_two_blocks", "multiply_over_columns", "multiply_of_images"},
    {"sum_of_two_blocks", "sum_over_columns", "sum_of_images"},
    {"sum_square_of_two_blocks", "sum_square_over_columns", "sum_square_of_images"},
};

constexpr Case ReduceCase(const Shape& shape, std::string_view name, int function) {
  Case c = {.name = name};
  c.sizes = {shape.input, OutputSizes(shape)};
  c.settings = {{{"Function", {static_cast<double>(function)}}, shape.axes}};
  return c;
}

inline constexpr int kSumFunction = 10;

// SUM of all shapes, the others of a few.
inline constexpr auto kReduceCases = [] {
  std::array<Case, std::size(kReductionShapes) + 33> cases;
  size_t n = 0;
  for (const Shape& shape : kReductionShapes) {
    cases[n++] = ReduceCase(shape, shape.name, kSumFunction);
  }
  for (int function = 0; function < 12; ++function) {
    if (function == kSumFunction) continue;
    for (size_t i = 0; i < 3; ++i) {
      cases[n++] = ReduceCase(kFewShapes[i], kNames[function][i], function);
    }
  }
  return cases;
}();

inline constexpr auto kArgCases = [] {
  std::array<Case, 2 * std::size(kFewShapes) + 1> cases;
  constexpr std::string_view kLast[] = {"last_of_two_blocks", "last_over_columns",
                                        "last_of_images"};
  for (size_t i = 0; i < std::size(kFewShapes); ++i) {
    for (const bool last : {false, true}) {
      Case& c = cases[2 * i + last];
      c.name = last ? kLast[i] : kFewShapes[i].name;
      c.sizes = {kFewShapes[i].input, OutputSizes(kFewShapes[i])};
      c.settings = {{{"AxisDirection", {last ? 1.0 : 0.0}}, kFewShapes[i].axes}};
    }
  }
  const Shape& eight = kReductionShapes[std::size(kReductionShapes) - 1];
  cases.back().name = eight.name;
  cases.back().sizes = {eight.input, OutputSizes(eight)};
  cases.back().settings = {{{"AxisDirection", {0}}, eight.axes}};
  return cases;
}();

inline constexpr Shape kSoftmaxShapes[] = {
    {"one_element", {1}, {"Axes", {0}}},
    {"classes_of_rows", {7, 67}, {"Axes", {1}}},
    {"rows_of_several_blocks", {2, 16500}, {"Axes", {1}}},
    {"channels_of_images", {2, 21, 5, 7}, {"Axes", {1}}},
    {"many_channels", {1, 300, 18}, {"Axes", {1}}},
    {"several_axes", {3, 4, 5, 6}, {"Axes", {3, 1}}},
    {"no_axes", {2, 3}, {"Axes", {}}},
    {"eight_dimensions", {2, 1, 3, 2, 1, 2, 3, 5}, {"Axes", {2, 6}}},
};
inline constexpr auto kSoftmax1Cases = [] {
  std::array<Case, std::size(kSoftmaxShapes)> cases;
  for (size_t i = 0; i < std::size(kSoftmaxShapes); ++i) {
    cases[i].name = kSoftmaxShapes[i].name;
    cases[i].sizes = {kSoftmaxShapes[i].input, kSoftmaxShapes[i].input};
    cases[i].settings = {{kSoftmaxShapes[i].axes}};
  }
  return cases;
}();
inline constexpr Case kSoftmaxCases[] = {
    {"one_dimension", {{{67}, {67}}}},
    {"rows", {{{5, 133}, {5, 133}}}},
    {"leading_ones", {{{1, 1, 4, 129}, {1, 1, 4, 129}}}},
    {"eight_dimensions", {{{1, 1, 1, 1, 1, 1, 3, 5}, {1, 1, 1, 1, 1, 1, 3, 5}}}},
};

constexpr Case ScanCase(std::string_view name, const CaseSizes& sizes, double axis,
                        bool downwards = false) {
  Case c = {.name = name};
  c.sizes = {sizes, sizes};
  c.settings = {{{"Axis", {axis}}, {"AxisDirection", {downwards ? 1.0 : 0.0}}}};
  return c;
}
constexpr Case Exclusive(Case c, std::string_view field) {
  c.settings[2] = {field, {1}};
  return c;
}
template <bool kProduct>
inline constexpr Case kScanCases[] = {
    ScanCase("one_element", {1}, 0),
    ScanCase("lines_of_three_levels", {3, 1100}, 1),
    ScanCase("lines_side_by_side", {67, 75}, 0),
    ScanCase("middle_axis_downwards", {2, 35, 3, 5}, 1, true),
    ScanCase("last_axis_downwards", {11, 70}, 1, true),
    ScanCase("eight_dimensions", {2, 1, 3, 2, 1, 2, 3, 5}, 6),
    Exclusive(ScanCase("exclusive", {3, 65}, 1),
              kProduct ? "HasExclusiveProduct" : "HasExclusiveSum"),
    Exclusive(ScanCase("exclusive_downwards", {40, 6}, 0, true),
              kProduct ? "HasExclusiveProduct" : "HasExclusiveSum"),
};

// ---- Benchmarks.

inline constexpr Shape kReductionBenchShapes[] = {
    {"all_of_2_to_the_26", {8192, 8192}, {"Axes", {0, 1}}},
    {"inner_axis_65536x1024", {65536, 1024}, {"Axes", {1}}},
    {"outer_axis_65536x1024", {65536, 1024}, {"Axes", {0}}},
    {"channels_32x256x56x56", {32, 256, 56, 56}, {"Axes", {0, 2, 3}}},
};
inline constexpr std::string_view kMaxBenchNames[] = {
    "max_of_all_of_2_to_the_26", "max_of_inner_axis_65536x1024", "max_of_outer_axis_65536x1024",
    "max_of_channels_32x256x56x56"};

inline constexpr auto kReduceBenchCases = [] {
  std::array<BenchCase, 2 * std::size(kReductionBenchShapes)> cases;
  constexpr BenchTarget kTarget = {.float32_floors = 1.1, .cuda_float32_floors = 1.1};
  for (size_t i = 0; i < std::size(kReductionBenchShapes); ++i) {
    const Shape& shape = kReductionBenchShapes[i];
    cases[2 * i] = {.shape = ReduceCase(shape, shape.name, kSumFunction), .target = kTarget};
    cases[2 * i + 1] = {.shape = ReduceCase(shape, kMaxBenchNames[i], 7), .target = kTarget};
  }
  return cases;
}();

inline constexpr BenchCase kSoftmaxBenchCases[] = {
    {.shape = {"rows_32768x1000", {{{32768, 1000}, {32768, 1000}}}, {{{"Axes", {1}}}}},
     .independent_items = true,
     .target = {.float32_floors = 2.6, .cuda_float32_floors = 1.3}},
    {.shape = {"channels_8x21x512x512",
               {{{8, 21, 512, 512}, {8, 21, 512, 512}}},
               {{{"Axes", {1}}}}},
     .independent_items = true},
};

inline constexpr BenchCase kScanBenchCases[] = {
    {.shape = ScanCase("last_axis_65536x1024", {65536, 1024}, 1), .independent_items = true},
    {.shape = ScanCase("first_axis_4096x16384", {4096, 16384}, 0)},
};

inline constexpr auto kArgBenchCases = [] {
  std::array<BenchCase, 1> cases;
  const Shape& shape = kReductionBenchShapes[1];
  cases[0].shape.name = shape.name;
  cases[0].shape.sizes = {shape.input, OutputSizes(shape)};
  cases[0].shape.settings = {{{"AxisDirection", {0}}, shape.axes}};
  return cases;
}();

}  // namespace anydml::reduce
