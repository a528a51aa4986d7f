// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of VALUE_SCALE_2D.
#pragma once

#include "operators/case.h"

namespace anydml::value_scale_2d {

inline constexpr Case kCases[] = {
    {"one_element", {{{1, 1, 1, 1}, {1, 1, 1, 1}}}, {{{"Scale", {3}}, {"Bias", {1}}}}},
    {"one_channel", {{{2, 1, 5, 19}, {2, 1, 5, 19}}}, {{{"Scale", {0.3}}, {"Bias", {-0.7}}}}},
    {"three_channels",
     {{{2, 3, 5, 67}, {2, 3, 5, 67}}},
     {{{"Scale", {-1.1}}, {"Bias", {0.1, -2.5, 1e-3}}}}},
    {"short_rows", {{{9, 3, 1, 7}, {9, 3, 1, 7}}}, {{{"Scale", {2}}, {"Bias", {1, 2, 3}}}}},
    {"scale_overflows",
     {{{1, 3, 2, 33}, {1, 3, 2, 33}}},
     {{{"Scale", {3e38}}, {"Bias", {-3e38, 0, -0.0}}}}},
    {"several_pieces_per_row",
     {{{1, 3, 1, 20000}, {1, 3, 1, 20000}}},
     {{{"Scale", {0.017}}, {"Bias", {-2.1, -2, -1.8}}}}},
};

inline constexpr BenchCase kBenchCases[] = {
    {.shape = {"images_32x3x224x224",
               {{{32, 3, 224, 224}, {32, 3, 224, 224}}},
               {{{"Scale", {0.017}}, {"Bias", {-2.1, -2, -1.8}}}}},
     .layouts = kImageLayouts,
     .independent_items = true},
};

}  // namespace anydml::value_scale_2d
