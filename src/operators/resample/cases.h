// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of the RESAMPLE family. Settings that a version lacks are left
// out where its fallback serves. InterpolationMode 1 is LINEAR,
// RoundingDirection 1 is DECREASING.
#pragma once

#include "operators/case.h"

namespace anydml::resample {

inline constexpr Case kCases[] = {
    {"documented_example", {{{2, 2}, {1, 3}}}, {{{"Scales", {0.5, 1.5}}}}},
    {"nothing_changes", {{{2, 3, 5}, {2, 3, 5}}}, {{{"Scales", {1, 1, 1}}}}},
    {"image_twice_as_large_linear",
     {{{2, 3, 5, 7}, {2, 3, 10, 14}}},
     {{{"InterpolationMode", {1}}, {"Scales", {1, 1, 2, 2}}}}},
    {"image_twice_as_large_nearest_floor",
     {{{2, 9, 6, 5}, {2, 9, 12, 10}}},
     {{{"RoundingDirection", {1}},
       {"Scales", {1, 1, 2, 2}},
       {"InputPixelOffsets", {0, 0, 0, 0}},
       {"OutputPixelOffsets", {0, 0, 0, 0}}}}},
    {"channels_in_the_last_axis",
     {{{2, 5, 4, 19}, {2, 7, 9, 19}}},
     {{{"InterpolationMode", {1}}, {"Scales", {1, 1.4, 2.25, 1}}}}},
    {"four_axes_at_once",
     {{{2, 3, 4, 5}, {3, 2, 7, 4}}},
     {{{"InterpolationMode", {1}}, {"Scales", {1.5, 0.7, 1.75, 0.8}}}}},
    {"crop_and_clamp",
     {{{4, 3}, {3, 9}}},
     {{{"InterpolationMode", {1}},
       {"Scales", {2, 1.5}},
       {"InputPixelOffsets", {0, -1.25}},
       {"OutputPixelOffsets", {0, 0.75}}}}},
    {"every_sample_at_pixel_0", {{{5, 3}, {4, 70}}}, {{{"Scales", {3.4028234663852886e38, 40}}}}},
    {"far_larger_between_the_axes",
     {{{300, 2}, {2, 300}}},
     {{{"InterpolationMode", {1}}, {"Scales", {0.01, 150}}}}},
    {"several_tiles_of_the_innermost_axis",
     {{{9, 30}, {11, 2200}}},
     {{{"InterpolationMode", {1}}, {"Scales", {1.25, 70}}}}},
    {"row_longer_than_a_tile",
     {{{2, 17000}, {3, 17000}}},
     {{{"InterpolationMode", {1}}, {"RoundingDirection", {1}}, {"Scales", {1.5, 1}}}}},
};

}  // namespace anydml::resample
