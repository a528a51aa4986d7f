// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of ELEMENT_WISE_CLIP and ELEMENT_WISE_CLIP1.
#pragma once

#include "operators/case.h"

namespace anydml::clip {

inline constexpr Case kCases[] = {
    {"one_element", {{{1}, {1}}}, {{{"Min", {-1}}, {"Max", {1}}}}},
    {"tail_after_vectors", {{{67}, {67}}}, {{{"Min", {-3}}, {"Max", {2}}}}},
    {"bounds_with_fractions", {{{1, 3, 5, 7}, {1, 3, 5, 7}}}, {{{"Min", {-2.5}}, {"Max", {2.25}}}}},
    {"min_above_max", {{{131}, {131}}}, {{{"Min", {3}}, {"Max", {-2}}}}},
    {"bounds_are_zeros", {{{131}, {131}}}, {{{"Min", {-0.0}}, {"Max", {0}}}}},
    {"scale_and_bias",
     {{{2, 3, 67}, {2, 3, 67}}},
     {{{"ScaleBias", {1.5, -0.3}}, {"Min", {-4}}, {"Max", {5}}}}},
    {"scale_overflows",
     {{{2, 67}, {2, 67}}},
     {{{"ScaleBias", {-3e38, 1e10}}, {"Min", {0}}, {"Max", {100}}}}},
    {"eight_dimensions",
     {{{2, 1, 3, 2, 1, 2, 3, 5}, {2, 1, 3, 2, 1, 2, 3, 5}}},
     {{{"Min", {-1}}, {"Max", {2}}}}},
    {"larger_than_a_tile", {{{3, 5, 18, 21}, {3, 5, 18, 21}}}, {{{"Min", {-1}}, {"Max", {2}}}}},
    {"several_pieces_per_row", {{{17000}, {17000}}}, {{{"Min", {-2}}, {"Max", {3}}}}},
};

inline constexpr BenchCase kBenchCases[] = {
    {.shape = {"elements_2_to_the_10", {{{1024}, {1024}}}, {{{"Min", {-2}}, {"Max", {2}}}}},
     .every_type = true,
     .independent_items = true},
    {.shape = {"elements_2_to_the_15", {{{32768}, {32768}}}, {{{"Min", {-2}}, {"Max", {2}}}}},
     .every_type = true,
     .independent_items = true},
    {.shape = {"elements_2_to_the_20", {{{1048576}, {1048576}}}, {{{"Min", {-2}}, {"Max", {2}}}}},
     .every_type = true,
     .independent_items = true},
    {.shape = {"elements_2_to_the_24", {{{16777216}, {16777216}}}, {{{"Min", {-2}}, {"Max", {2}}}}},
     .every_type = true,
     .independent_items = true},
    {.shape = {"elements_2_to_the_26", {{{67108864}, {67108864}}}, {{{"Min", {-2}}, {"Max", {2}}}}},
     .every_type = true,
     .independent_items = true},
    {.shape = {"image_8x64x112x112",
               {{{8, 64, 112, 112}, {8, 64, 112, 112}}},
               {{{"Min", {-2}}, {"Max", {2}}}}},
     .layouts = kImageLayouts,
     .independent_items = true},
    {.shape = {"eight_dimensions_2x4x8x4x8x8x16x32",
               {{{2, 4, 8, 4, 8, 8, 16, 32}, {2, 4, 8, 4, 8, 8, 16, 32}}},
               {{{"Min", {-2}}, {"Max", {2}}}}},
     .layouts = kPackedAndPermuted,
     .independent_items = true},
};

}  // namespace anydml::clip
