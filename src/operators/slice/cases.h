// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of SLICE and SLICE1.
#pragma once

#include "operators/shared_cases.h"

namespace anydml::slice {

constexpr Case OldPart(std::string_view name, const CaseSizes& input, AxesCase::Values sizes,
                       AxesCase::Values offsets = {}, AxesCase::Values strides = {}) {
  AxesCase c = AxesCase(name, {input}, input.count).Set("Sizes", sizes);
  for (const double size : sizes)
    c.sizes[1].values[c.sizes[1].count++] = static_cast<uint32_t>(size);
  if (offsets.size() > 0) c = c.Set("Offsets", offsets);
  return strides.size() > 0 ? c.Set("Strides", strides) : c;
}
inline constexpr Case kSliceCases[] = {
    OldPart("one_element", {1}, {1}),
    OldPart("documented_example", {1, 1, 4, 4}, {1, 1, 3, 2}, {0, 0, 1, 2}),
    OldPart("documented_example_with_strides", {1, 1, 4, 4}, {1, 1, 2, 2}, {0, 0, 1, 0},
            {1, 1, 2, 3}),
    OldPart("stride_that_is_never_taken", {3, 5}, {1, 2}, {2, 1}, {4294967295.0, 3}),
    OldPart("eight_dimensions", {2, 3, 1, 4, 2, 3, 2, 5}, {2, 2, 1, 2, 1, 3, 2, 3},
            {0, 0, 0, 1, 1, 0, 0, 0}, {1, 2, 1, 2, 1, 1, 1, 2}),
};

inline constexpr Case kOwnCases[] = {
    Part("documented_example", {1, 1, 4, 4}, {1, 1, 2, 2}, {0, 0, 0, 1}, {1, 1, 4, 3},
         {1, 1, 2, 2}),
    Part("documented_example_backwards", {1, 1, 4, 4}, {1, 1, 2, 2}, {0, 0, 0, 1}, {1, 1, 4, 3},
         {1, 1, -2, 2}),
    Part("fewer_elements_than_reachable", {4, 19}, {2, 3}, {0, 2}, {4, 15}, {-1, -2}),
    Part("several_pieces_per_row", {2, 20000}, {2, 19000}, {0, 7}, {2, 19500}),
    Part("every_second_with_odd_rows", {3, 301}, {3, 151}, {}, {3, 301}, {1, 2}),
    Part("every_second_backwards_up_to_the_last_element", {3, 301}, {3, 150}, {0, 1}, {3, 300},
         {-1, -2}),
    Part("every_third_with_rows_that_begin_inside_lines", {2, 3, 5, 217}, {2, 2, 3, 71},
         {0, 1, 0, 3}, {2, 2, 5, 212}, {1, 1, 2, 3}),
    Part("every_third_backwards", {4, 220}, {3, 73}, {1, 0}, {3, 220}, {1, -3}),
    Part("every_fourth_with_fewer_elements_than_reachable", {2, 3, 331}, {2, 2, 67}, {0, 0, 2},
         {2, 3, 329}, {1, -2, 4}),
    Part("every_fourth_backwards", {3, 275}, {3, 69}, {}, {3, 275}, {1, -4}),
    Part("every_seventh", {2, 3, 300}, {2, 2, 42}, {0, 1, 4}, {2, 2, 295}, {1, 1, 7}),
    Part("short_rows_in_steps", {2, 9, 21, 3}, {2, 5, 11, 3}, {}, {2, 9, 21, 3}, {1, 2, -2, 1}),
    Part("long_rows_in_steps", {2, 40003}, {2, 20001}, {0, 1}, {2, 40002}, {-1, -2}),
    Part("several_shares_of_rows_backwards", {3, 260, 150}, {3, 240, 141}, {0, 9, 4}, {3, 240, 141},
         {-1, -1, -1}),
};

inline constexpr auto kSlice1Cases = Join(shared::kParts, kOwnCases);

inline constexpr auto kBenchCases = [] {
  std::array<BenchCase, std::size(shared::kBenchParts)> cases;
  std::ranges::transform(shared::kBenchParts, cases.begin(), shared::TimedPart);
  for (BenchCase& c : cases) {
    c.elements_read = 1;
    for (const uint32_t size : c.shape.sizes[1].values) c.elements_read *= size == 0 ? 1 : size;
  }
  return cases;
}();

// Of the gradient, by the forward operator: InputGradientTensor has the sizes of its output.
inline constexpr Case kOfGradient[] = {
    Part("documented_example", {4, 4}, {2, 2}, {}, {4, 4}, {2, 2}),
    Part("one_axis_backwards", {4, 4}, {2, 2}, {0, 1}, {4, 3}, {-2, 2}),
    Part("step_two_and_a_tail_after_vectors", {3, 303}, {2, 150}, {0, 1}, {3, 300}, {2, 2}),
    Part("step_three_up_to_the_last_element", {2, 208}, {2, 70}, {}, {2, 208}, {1, 3}),
    Part("step_four_with_fewer_elements_than_reachable", {2, 290}, {2, 67}, {0, 5}, {2, 285},
         {-1, 4}),
    Part("rows_that_begin_inside_lines", {2, 3, 40, 41}, {2, 2, 33, 30}, {0, 1, 3, 6},
         {2, 2, 33, 30}),
    Part("rows_backwards_that_begin_inside_lines", {2, 3, 40, 41}, {2, 2, 33, 37}, {0, 1, 3, 2},
         {2, 2, 33, 37}, {1, 1, -1, -1}),
    Part("step_two_backwards_with_rows_that_begin_inside_lines", {2, 3, 40, 41}, {2, 3, 17, 19},
         {0, 0, 3, 1}, {2, 3, 34, 38}, {1, 1, 2, -2}),
    Part("short_rows_with_short_gaps", {20, 37, 9}, {20, 31, 7}, {0, 3, 1}, {20, 31, 7}),
    Part("several_pieces_per_row", {2, 20000}, {2, 9000}, {0, 300}, {2, 19000}, {1, 2}),
    Part("long_rows_backwards_on_planes_backwards", {2, 4, 5, 230}, {2, 3, 4, 203}, {0, 1, 0, 11},
         {2, 3, 4, 203}, {1, -1, -1, -1}),
    Part("long_rows_in_steps_of_two_backwards", {3, 4, 330}, {3, 2, 150}, {0, 1, 7}, {3, 3, 300},
         {-1, 2, -2}),
    Part("several_shares_of_a_block", {2, 260, 150}, {2, 190, 90}, {0, 30, 33}, {2, 190, 90},
         {1, -1, 1}),
};

inline constexpr auto kGradientCases = Exchange(Join(shared::kParts, kOfGradient));

inline constexpr auto kGradientBenchCases = [] {
  std::array<BenchCase, std::size(shared::kBenchParts)> cases;
  std::ranges::transform(shared::kBenchParts, cases.begin(), shared::TimedPart);
  for (BenchCase& c : cases) {
    std::swap(c.shape.sizes[0], c.shape.sizes[1]);
    c.core = true;
    c.target = {.float32_floors = 1.15, .other_floors = 1.15};
  }
  cases[0].target.cuda_float32_floors = cases[0].target.cuda_float16_floors = 1.05;
  cases[1].target.cuda_float32_floors = cases[1].target.cuda_float16_floors = 1.1;
  return cases;
}();

}  // namespace anydml::slice
