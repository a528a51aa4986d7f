// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of RANDOM_GENERATOR.
#pragma once

#include "operators/case.h"

namespace anydml::random_generator {

inline constexpr Case kCases[] = {
    {"one_element", {{{6}, {1}, {6}}}},
    {"without_output_state", {{{1, 1, 1, 6}, {2, 3, 5, 7}}}},
    {"tail_after_vectors", {{{1, 6}, {10, 67}, {1, 6}}}},
    {"eight_dimensions",
     {{{1, 1, 1, 1, 1, 1, 1, 6}, {2, 1, 3, 2, 1, 2, 3, 5}, {1, 1, 1, 1, 1, 1, 1, 6}}}},
    {"several_pieces_per_row", {{{6}, {40003}, {6}}}},
};

inline constexpr BenchCase kBenchCases[] = {
    {.shape = {"elements_2_to_the_24", {{{6}, {16777216}}}}, .every_type = true},
};

}  // namespace anydml::random_generator
