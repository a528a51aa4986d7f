// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of DIAGONAL_MATRIX and DIAGONAL_MATRIX1.
#pragma once

#include "operators/case.h"

namespace anydml::diagonal_matrix {

inline constexpr Case kCases[] = {
    {"one_element", {{{1, 1, 1, 1}}}, {{{"Offset", {0}}, {"Value", {3}}}}},
    {"below_the_main_diagonal", {{{2, 3, 9, 5}}}, {{{"Offset", {-2}}, {"Value", {2.75}}}}},
    {"value_beyond_bytes", {{{2, 7, 33}}}, {{{"Offset", {5}}, {"Value", {-300.6}}}}},
    {"no_such_diagonal", {{{5, 7}}}, {{{"Offset", {-5}}, {"Value", {1}}}}},
    {"several_pieces_per_row", {{{3, 20000}}}, {{{"Offset", {19998}}, {"Value", {7}}}}},
};

constexpr Case Filled(std::string_view name, const CaseSizes& input, const CaseSizes& output,
                      double begin, double end) {
  return {name,
          {{input, output}},
          {{{"Value", {7}}, {"DiagonalFillBegin", {begin}}, {"DiagonalFillEnd", {end}}}}};
}
inline constexpr double kLeast = -2147483648.0, kMost = 2147483647.0;
inline constexpr Case kCases1[] = {
    Filled("one_element", {1, 1}, {1, 1}, 0, 1),
    Filled("documented_example", {}, {4, 5}, 0, 3),
    Filled("above_a_diagonal", {2, 3, 9, 35}, {2, 3, 9, 35}, 1, kMost),
    Filled("below_a_diagonal", {4, 19, 19}, {4, 19, 19}, kLeast, -1),
    Filled("outside_of_a_band", {2, 2, 17, 9}, {2, 2, 17, 9}, 3, -2),
    Filled("empty_band", {5, 18}, {5, 18}, 2, 2),
    Filled("everything", {3, 6}, {3, 6}, kLeast, kMost),
    Filled("one_column", {2, 3, 37, 1}, {2, 3, 37, 1}, -9, -3),
    Filled("zeros_outside", {}, {3, 2, 6, 70}, 30, 50),
    Filled("several_pieces_per_row", {2, 20000}, {2, 20000}, 11, 19990),
};

inline constexpr BenchCase kBenchCases[] = {
    {.shape = {"identity_4096", {{{4096, 4096}}}, {{{"Offset", {0}}, {"Value", {1}}}}},
     .every_type = true},
};
inline constexpr BenchCase kBenchCases1[] = {
    {.shape = Filled("mask_16x1024x1024", {16, 1024, 1024}, {16, 1024, 1024}, 1, kMost)},
};

}  // namespace anydml::diagonal_matrix
