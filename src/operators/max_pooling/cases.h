// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of MAX_POOLING, MAX_POOLING1 and MAX_POOLING2. The third tensor,
// the indices, is unknown to the oldest version and optional in the others.
#pragma once

#include "operators/case.h"

namespace anydml::max_pooling {

inline constexpr Case kCases[] = {
    {"one_window", {{{1, 1, 2, 2}, {1, 1, 1, 1}, {1, 1, 1, 1}}}, {{{"WindowSize", {2, 2}}}}},
    {"without_indices", {{{1, 2, 3, 21}, {1, 2, 2, 20}}}, {{{"WindowSize", {2, 2}}}}},
    {"window_2x2_stride_2",
     {{{2, 3, 6, 38}, {2, 3, 3, 19}, {2, 3, 3, 19}}},
     {{{"WindowSize", {2, 2}}, {"Strides", {2, 2}}}}},
    {"window_3x3_stride_1_padded",
     {{{2, 2, 5, 37}, {2, 2, 5, 37}, {2, 2, 5, 37}}},
     {{{"WindowSize", {3, 3}}, {"StartPadding", {1, 1}}, {"EndPadding", {1, 1}}}}},
    {"ceil_size_overhangs",
     {{{1, 3, 8, 14}, {1, 3, 4, 7}, {1, 3, 4, 7}}},
     {{{"WindowSize", {3, 3}}, {"Strides", {2, 2}}}}},
    {"dilation_with_uneven_padding",
     {{{1, 2, 7, 40}, {1, 2, 4, 18}, {1, 2, 4, 18}}},
     {{{"WindowSize", {2, 3}},
       {"Strides", {2, 2}},
       {"Dilations", {3, 4}},
       {"StartPadding", {1, 2}},
       {"EndPadding", {2, 0}}}}},
    {"windows_in_padding_only",
     {{{1, 2, 2, 5}, {1, 2, 9, 12}, {1, 2, 9, 12}}},
     {{{"WindowSize", {2, 2}}, {"StartPadding", {5, 3}}, {"EndPadding", {3, 5}}}}},
    {"stride_3_leaves_gaps",
     {{{1, 2, 10, 11}, {1, 2, 3, 4}, {1, 2, 3, 4}}},
     {{{"WindowSize", {2, 2}}, {"Strides", {4, 3}}}}},
    {"volume",
     {{{2, 2, 3, 4, 21}, {2, 2, 2, 3, 21}, {2, 2, 2, 3, 21}}},
     {{{"WindowSize", {2, 2, 3}},
       {"Strides", {2, 1, 1}},
       {"StartPadding", {1, 0, 1}},
       {"EndPadding", {0, 0, 1}}}}},
    {"several_pieces_per_row",
     {{{1, 1, 1, 1500}, {1, 1, 1, 1485}, {1, 1, 1, 1485}}},
     {{{"WindowSize", {1, 16}}}}},
};

}  // namespace anydml::max_pooling
