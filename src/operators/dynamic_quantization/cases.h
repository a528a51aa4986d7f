// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of DYNAMIC_QUANTIZE_LINEAR.
#pragma once

#include "operators/case.h"

namespace anydml::dynamic_quantization {

inline constexpr Case kCases[] = {
    {"one_element", {{{1}, {1}, {1}, {1}}}},
    {"image", {{{2, 3, 5, 67}, {2, 3, 5, 67}, {1, 1, 1, 1}, {1, 1, 1, 1}}}},
    {"short_rows", {{{19, 3}, {19, 3}, {1, 1}, {1, 1}}}},
    {"eight_dimensions",
     {{{2, 1, 3, 2, 1, 2, 3, 5},
       {2, 1, 3, 2, 1, 2, 3, 5},
       {1, 1, 1, 1, 1, 1, 1, 1},
       {1, 1, 1, 1, 1, 1, 1, 1}}}},
    {"several_blocks", {{{2, 20003}, {2, 20003}, {1, 1}, {1, 1}}}},
};

inline constexpr BenchCase kBenchCases[] = {
    {.shape = {"elements_2_to_the_24", {{{16777216}, {16777216}, {1}, {1}}}}},
    {.shape = {"tokens_512x768", {{{512, 768}, {512, 768}, {1, 1}, {1, 1}}}}},
};

}  // namespace anydml::dynamic_quantization
