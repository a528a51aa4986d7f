// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes. Random indices are often below 11, and often outside.
#pragma once

#include "operators/case.h"

namespace anydml::max_unpooling {

inline constexpr Case kCases[] = {
    {"one_element", {{{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}}}},
    {"planes", {{{2, 3, 2, 3}, {2, 3, 2, 3}, {2, 3, 4, 6}}}},
    {"other_sizes", {{{1, 2, 5, 7}, {1, 2, 5, 7}, {2, 1, 3, 4}}}},
    {"several_parts", {{{1, 1, 20, 30}, {1, 1, 20, 30}, {1, 1, 300, 301}}}},
};

inline constexpr BenchCase kBenchCases[] = {
    {.shape = {"planes_8x64x56x56", {{{8, 64, 28, 28}, {8, 64, 28, 28}, {8, 64, 56, 56}}}}}};

}  // namespace anydml::max_unpooling
