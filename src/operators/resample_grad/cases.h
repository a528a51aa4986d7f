// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of RESAMPLE_GRAD and RESAMPLE_GRAD1: first the sizes of
// InputGradientTensor (the forward output), then of OutputGradientTensor.
// InterpolationMode 1 is LINEAR, RoundingDirection 1 is DECREASING.
#pragma once

#include "operators/case.h"

namespace anydml::resample_grad {

inline constexpr Case kCases[] = {
    {"documented_example", {{{1, 3}, {2, 2}}}, {{{"Scales", {0.5, 1.5}}}}},
    {"nothing_changes", {{{2, 3, 5}, {2, 3, 5}}}, {{{"Scales", {1, 1, 1}}}}},
    {"image_twice_as_large_linear",
     {{{2, 3, 10, 14}, {2, 3, 5, 7}}},
     {{{"InterpolationMode", {1}}, {"Scales", {1, 1, 2, 2}}}}},
    {"image_twice_as_large_nearest_floor",
     {{{2, 9, 12, 10}, {2, 9, 6, 5}}},
     {{{"RoundingDirection", {1}},
       {"Scales", {1, 1, 2, 2}},
       {"InputPixelOffsets", {0, 0, 0, 0}},
       {"OutputPixelOffsets", {0, 0, 0, 0}}}}},
    {"channels_in_the_last_axis",
     {{{2, 7, 9, 19}, {2, 5, 4, 19}}},
     {{{"InterpolationMode", {1}}, {"Scales", {1, 1.4, 2.25, 1}}}}},
    {"four_axes_at_once",
     {{{3, 2, 7, 4}, {2, 3, 4, 5}}},
     {{{"InterpolationMode", {1}}, {"Scales", {1.5, 0.7, 1.75, 0.8}}}}},
    {"crop_and_clamp",
     {{{3, 9}, {4, 3}}},
     {{{"InterpolationMode", {1}},
       {"Scales", {2, 1.5}},
       {"InputPixelOffsets", {0, -1.25}},
       {"OutputPixelOffsets", {0, 0.75}}}}},
    {"every_sample_at_pixel_0", {{{4, 70}, {5, 3}}}, {{{"Scales", {3.4028234663852886e38, 40}}}}},
    {"elements_without_a_sample", {{{3, 4}, {9, 50}}}, {{{"Scales", {0.2, 0.0625}}}}},
    {"far_larger_between_the_axes",
     {{{300, 2}, {2, 300}}},
     {{{"InterpolationMode", {1}}, {"Scales", {150, 0.01}}}}},
    {"several_tiles_of_the_innermost_axis",
     {{{11, 40}, {9, 2200}}},
     {{{"InterpolationMode", {1}}, {"Scales", {1.25, 0.02}}}}},
    {"row_longer_than_a_tile",
     {{{3, 17000}, {2, 17000}}},
     {{{"InterpolationMode", {1}}, {"RoundingDirection", {1}}, {"Scales", {1.5, 1}}}}},
};

}  // namespace anydml::resample_grad
