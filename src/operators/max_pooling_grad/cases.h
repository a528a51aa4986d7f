// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of MAX_POOLING_GRAD.
#pragma once

#include "operators/case.h"

namespace anydml::max_pooling_grad {

inline constexpr Case kCases[] = {
    {"one_window", {{{1, 1, 2, 2}, {1, 1, 1, 1}, {1, 1, 2, 2}}}, {{{"WindowSize", {2, 2}}}}},
    {"window_2x2_stride_2",
     {{{2, 3, 6, 38}, {2, 3, 3, 19}, {2, 3, 6, 38}}},
     {{{"WindowSize", {2, 2}}, {"Strides", {2, 2}}}}},
    {"window_3x3_stride_2_padded",
     {{{1, 2, 9, 41}, {1, 2, 5, 21}, {1, 2, 9, 41}}},
     {{{"WindowSize", {3, 3}},
       {"Strides", {2, 2}},
       {"StartPadding", {1, 1}},
       {"EndPadding", {1, 1}}}}},
    {"window_3x3_stride_1_padded",
     {{{2, 2, 7, 37}, {2, 2, 7, 37}, {2, 2, 7, 37}}},
     {{{"WindowSize", {3, 3}}, {"StartPadding", {1, 1}}, {"EndPadding", {1, 1}}}}},
    {"ceil_size_overhangs",
     {{{1, 3, 8, 8}, {1, 3, 4, 4}, {1, 3, 8, 8}}},
     {{{"WindowSize", {3, 3}}, {"Strides", {2, 2}}}}},
    {"dilation_shares_a_divisor_with_stride",
     {{{1, 2, 13, 40}, {1, 2, 4, 18}, {1, 2, 13, 40}}},
     {{{"WindowSize", {2, 3}},
       {"Strides", {4, 2}},
       {"Dilations", {6, 4}},
       {"StartPadding", {3, 2}},
       {"EndPadding", {3, 0}}}}},
    {"windows_in_padding_only",
     {{{1, 2, 2, 5}, {1, 2, 9, 12}, {1, 2, 2, 5}}},
     {{{"WindowSize", {2, 2}}, {"StartPadding", {5, 3}}, {"EndPadding", {3, 5}}}}},
    {"stride_3_leaves_gaps",
     {{{1, 2, 10, 11}, {1, 2, 3, 4}, {1, 2, 10, 11}}},
     {{{"WindowSize", {2, 2}}, {"Strides", {4, 3}}}}},
    {"volume",
     {{{2, 2, 5, 6, 21}, {2, 2, 3, 5, 21}, {2, 2, 5, 6, 21}}},
     {{{"WindowSize", {2, 2, 3}},
       {"Strides", {2, 1, 1}},
       {"StartPadding", {1, 0, 1}},
       {"EndPadding", {0, 0, 1}}}}},
    {"volume_stride_2",
     {{{1, 3, 4, 6, 36}, {1, 3, 2, 3, 18}, {1, 3, 4, 6, 36}}},
     {{{"WindowSize", {2, 2, 2}}, {"Strides", {2, 2, 2}}}}},
    {"many_planes",
     {{{3, 17, 6, 9}, {3, 17, 6, 8}, {3, 17, 6, 9}}},
     {{{"WindowSize", {3, 2}}, {"StartPadding", {1, 0}}, {"EndPadding", {1, 0}}}}},
    {"several_pieces_per_row",
     {{{1, 1, 1, 1500}, {1, 1, 1, 1485}, {1, 1, 1, 1500}}},
     {{{"WindowSize", {1, 16}}}}},
};

}  // namespace anydml::max_pooling_grad
