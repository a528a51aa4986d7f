// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of the RESAMPLE family. Settings that a version lacks are left
// out where its fallback serves. InterpolationMode 1 is LINEAR,
// RoundingDirection 1 is DECREASING. UPSAMPLE_2D has cases of its own.
#pragma once

#include "operators/shared_cases.h"

namespace anydml::resample {

inline constexpr Case kOwnCases[] = {
    Linear("far_larger_between_the_axes", {300, 2}, {2, 300}, {0.01, 150}),
    Linear("several_tiles_of_the_innermost_axis", {9, 30}, {11, 2200}, {1.25, 70}),
    Nearest("fewer_rows_of_the_same_lanes", {12, 40}, {6, 40}, {0.5, 1}),
    Linear("two_of_many_columns", {2, 9000}, {3, 1}, {1.5, 0.0001}),
    Linear("half_as_large_linear", {3, 37, 120}, {3, 19, 60}, {1, 0.5, 0.5}),
    Linear("a_fifth_as_large_linear", {2, 41, 300}, {2, 9, 60}, {1, 0.2, 0.2}),
    Nearest("a_quarter_as_large_nearest", {2, 40, 130}, {2, 10, 33}, {1, 0.25, 0.25}),
    Linear("few_channels_and_smaller", {2, 20, 70, 3}, {2, 12, 31, 3}, {1, 0.6, 0.45, 1}),
    Linear("channels_in_the_last_axis_in_boxes", {2, 5, 100, 40}, {2, 7, 200, 40}, {1, 1.4, 2, 1}),
    Linear("long_axis_twice_as_large_linear", {2, 301}, {2, 602}, {1, 2}).AsLongAxes(),
    Linear("long_axis_twice_as_large_of_few", {16}, {32}, {2}).AsLongAxes(),
    Linear("rows_alone_twice_as_large", {5, 37}, {5, 74}, {1, 2}),
    Linear("twice_as_large_linear", {2, 9, 37}, {2, 18, 74}, {1, 2, 2}),
    NearestFloor("twice_as_wide_half_as_high_nearest", {2, 20, 37}, {2, 10, 74}, {1, 0.5, 2},
                 {0, -0.5, -0.5}),
};

inline constexpr auto kCases = Join(shared::kResamplings, kOwnCases);

inline constexpr std::span<const BenchCase> kBenchCases = shared::kBenchResamplings;

// ScaleSize is {Width, Height}.
constexpr AxesCase Upsample(std::string_view name, const CaseSizes& input, const CaseSizes& output,
                            AxesCase::Values scales) {
  return AxesCase(name, {input, output}, 2).Set("ScaleSize", scales);
}
inline constexpr Case kUpsampleCases[] = {
    Upsample("width_comes_first", {1, 1, 1, 2}, {1, 1, 3, 4}, {2, 3}),
    Upsample("nothing_changes", {2, 3, 4, 5}, {2, 3, 4, 5}, {1, 1}),
    Upsample("image_twice_as_large", {2, 3, 5, 37}, {2, 3, 10, 74}, {2, 2}),
    Upsample("image_twice_as_large_linear", {2, 3, 5, 37}, {2, 3, 10, 74}, {2, 2})
        .Set("InterpolationMode", {1}),
    Upsample("height_alone_linear", {2, 3, 7, 8}, {2, 3, 21, 8}, {1, 3})
        .Set("InterpolationMode", {1}),
    Upsample("volume", {2, 3, 2, 5, 7}, {2, 3, 2, 10, 21}, {3, 2}),
    Upsample("volume_linear", {2, 3, 2, 5, 7}, {2, 3, 2, 10, 21}, {3, 2})
        .Set("InterpolationMode", {1}),
    Upsample("volume_width_alone_linear", {2, 2, 3, 4, 19}, {2, 2, 3, 4, 38}, {2, 1})
        .Set("InterpolationMode", {1}),
    Upsample("volume_height_alone", {2, 2, 3, 4, 19}, {2, 2, 3, 16, 19}, {1, 4}),
    Upsample("volume_of_long_axes", {2, 1, 2, 3, 101}, {2, 1, 2, 6, 202}, {2, 2})
        .Set("InterpolationMode", {1})
        .AsLongAxes(),
};

}  // namespace anydml::resample
