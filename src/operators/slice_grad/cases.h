// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of SLICE_GRAD, by the forward operator: InputGradientTensor has the sizes of its
// output.
#pragma once

#include "operators/shared_cases.h"

namespace anydml::slice_grad {

inline constexpr Case kOwnCases[] = {
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

inline constexpr auto kCases = Exchange(Join(shared::kParts, kOwnCases));

inline constexpr auto kBenchCases = [] {
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

}  // namespace anydml::slice_grad
