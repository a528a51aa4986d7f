// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of SLICE_GRAD.
#pragma once

#include "operators/case.h"

namespace anydml::slice_grad {

inline constexpr Case kCases[] = {
    {"one_element", {{{1}, {1}}}, {{{"InputWindowSizes", {1}}}}},
    {"documented_example",
     {{{2, 2}, {4, 4}}},
     {{{"InputWindowSizes", {4, 4}}, {"InputWindowStrides", {2, 2}}}}},
    {"one_axis_backwards",
     {{{2, 2}, {4, 4}}},
     {{{"InputWindowOffsets", {0, 1}},
       {"InputWindowSizes", {4, 3}},
       {"InputWindowStrides", {-2, 2}}}}},
    {"whole_tensor_is_one_copy", {{{2, 3, 5}, {2, 3, 5}}}, {{{"InputWindowSizes", {2, 3, 5}}}}},
    {"middle_channels",
     {{{2, 2, 4, 5}, {2, 5, 4, 5}}},
     {{{"InputWindowOffsets", {0, 1, 0, 0}}, {"InputWindowSizes", {2, 2, 4, 5}}}}},
    {"crop",
     {{{2, 3, 5, 6}, {2, 3, 8, 9}}},
     {{{"InputWindowOffsets", {0, 0, 1, 2}}, {"InputWindowSizes", {2, 3, 5, 6}}}}},
    {"flipped",
     {{{3, 37}, {3, 37}}},
     {{{"InputWindowSizes", {3, 37}}, {"InputWindowStrides", {-1, -1}}}}},
    {"step_two_and_a_tail_after_vectors",
     {{{2, 150}, {3, 303}}},
     {{{"InputWindowOffsets", {0, 1}},
       {"InputWindowSizes", {3, 300}},
       {"InputWindowStrides", {2, 2}}}}},
    {"step_three_up_to_the_last_element",
     {{{2, 70}, {2, 208}}},
     {{{"InputWindowSizes", {2, 208}}, {"InputWindowStrides", {1, 3}}}}},
    {"step_four_with_fewer_elements_than_reachable",
     {{{2, 67}, {2, 290}}},
     {{{"InputWindowOffsets", {0, 5}},
       {"InputWindowSizes", {2, 285}},
       {"InputWindowStrides", {-1, 4}}}}},
    {"stride_beyond_the_window",
     {{{1, 1}, {3, 5}}},
     {{{"InputWindowOffsets", {1, 1}},
       {"InputWindowSizes", {2, 3}},
       {"InputWindowStrides", {-2147483648.0, 2147483647}}}}},
    {"eight_dimensions",
     {{{2, 2, 1, 2, 1, 3, 2, 3}, {2, 3, 1, 4, 2, 3, 2, 5}}},
     {{{"InputWindowOffsets", {0, 0, 0, 1, 1, 0, 0, 0}},
       {"InputWindowSizes", {2, 3, 1, 3, 1, 3, 2, 5}},
       {"InputWindowStrides", {1, 2, 1, -2, 1, 1, -1, 2}}}}},
    {"several_pieces_per_row",
     {{{2, 9000}, {2, 20000}}},
     {{{"InputWindowOffsets", {0, 300}},
       {"InputWindowSizes", {2, 19000}},
       {"InputWindowStrides", {1, 2}}}}},
};

}  // namespace anydml::slice_grad
