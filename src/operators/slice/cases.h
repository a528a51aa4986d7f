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

}  // namespace anydml::slice
