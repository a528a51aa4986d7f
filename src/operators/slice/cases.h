// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of SLICE and SLICE1.
#pragma once

#include "operators/case.h"

namespace anydml::slice {

inline constexpr Case kSliceCases[] = {
    {"one_element", {{{1}, {1}}}, {{{"Sizes", {1}}}}},
    {"documented_example",
     {{{1, 1, 4, 4}, {1, 1, 3, 2}}},
     {{{"Offsets", {0, 0, 1, 2}}, {"Sizes", {1, 1, 3, 2}}}}},
    {"documented_example_with_strides",
     {{{1, 1, 4, 4}, {1, 1, 2, 2}}},
     {{{"Offsets", {0, 0, 1, 0}}, {"Sizes", {1, 1, 2, 2}}, {"Strides", {1, 1, 2, 3}}}}},
    {"stride_that_is_never_taken",
     {{{3, 5}, {1, 2}}},
     {{{"Offsets", {2, 1}}, {"Sizes", {1, 2}}, {"Strides", {4294967295.0, 3}}}}},
};

inline constexpr Case kSlice1Cases[] = {
    {"one_element", {{{1}, {1}}}, {{{"InputWindowSizes", {1}}}}},
    {"documented_example",
     {{{1, 1, 4, 4}, {1, 1, 2, 2}}},
     {{{"InputWindowOffsets", {0, 0, 0, 1}},
       {"InputWindowSizes", {1, 1, 4, 3}},
       {"InputWindowStrides", {1, 1, 2, 2}}}}},
    {"documented_example_backwards",
     {{{1, 1, 4, 4}, {1, 1, 2, 2}}},
     {{{"InputWindowOffsets", {0, 0, 0, 1}},
       {"InputWindowSizes", {1, 1, 4, 3}},
       {"InputWindowStrides", {1, 1, -2, 2}}}}},
    {"whole_tensor_is_one_copy", {{{2, 3, 5}, {2, 3, 5}}}, {{{"InputWindowSizes", {2, 3, 5}}}}},
    {"middle_channels",
     {{{2, 5, 4, 5}, {2, 2, 4, 5}}},
     {{{"InputWindowOffsets", {0, 1, 0, 0}}, {"InputWindowSizes", {2, 2, 4, 5}}}}},
    {"crop",
     {{{2, 3, 8, 9}, {2, 3, 5, 6}}},
     {{{"InputWindowOffsets", {0, 0, 1, 2}}, {"InputWindowSizes", {2, 3, 5, 6}}}}},
    {"flipped",
     {{{3, 37}, {3, 37}}},
     {{{"InputWindowSizes", {3, 37}}, {"InputWindowStrides", {-1, -1}}}}},
    {"fewer_elements_than_reachable",
     {{{4, 19}, {2, 3}}},
     {{{"InputWindowOffsets", {0, 2}},
       {"InputWindowSizes", {4, 15}},
       {"InputWindowStrides", {-1, -2}}}}},
    {"stride_beyond_the_window",
     {{{3, 5}, {1, 1}}},
     {{{"InputWindowOffsets", {1, 1}},
       {"InputWindowSizes", {2, 3}},
       {"InputWindowStrides", {-2147483648.0, 2147483647}}}}},
    {"eight_dimensions",
     {{{2, 3, 1, 4, 2, 3, 2, 5}, {2, 2, 1, 2, 1, 3, 2, 3}}},
     {{{"InputWindowOffsets", {0, 0, 0, 1, 1, 0, 0, 0}},
       {"InputWindowSizes", {2, 3, 1, 3, 1, 3, 2, 5}},
       {"InputWindowStrides", {1, 2, 1, -2, 1, 1, -1, 2}}}}},
    {"several_pieces_per_row",
     {{{2, 20000}, {2, 19000}}},
     {{{"InputWindowOffsets", {0, 7}}, {"InputWindowSizes", {2, 19500}}}}},
};

}  // namespace anydml::slice
