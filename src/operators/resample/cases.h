// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of the RESAMPLE family. Settings that a version lacks are left
// out where its fallback serves. InterpolationMode 1 is LINEAR,
// RoundingDirection 1 is DECREASING. UPSAMPLE_2D has cases of its own; those of the gradients are
// written as the forward operator's, and InputGradientTensor has the sizes of its output.
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

inline constexpr Case kOfGradient[] = {
    Nearest("elements_without_a_sample", {9, 50}, {3, 4}, {0.2, 0.0625}),
    Linear("far_larger_between_the_axes", {2, 300}, {300, 2}, {150, 0.01}),
    Linear("several_tiles_of_the_innermost_axis", {9, 2200}, {11, 40}, {1.25, 0.02}),
    Linear("twice_as_large_linear", {3, 19, 60}, {3, 37, 120}, {1, 2, 2}),
    // Rows of one to two vectors, of every size: whole planes, planes in pieces, and volumes.
    Linear("narrow_planes_twice_as_large_linear", {2, 3, 11, 28}, {2, 3, 22, 56}, {1, 1, 2, 2}),
    Linear("high_narrow_plane_twice_as_large_linear", {700, 17}, {1400, 34}, {2, 2}),
    Linear("narrow_volumes_twice_as_large_linear", {4, 3, 6, 13}, {6, 5, 12, 26}, {1.5, 1.5, 2, 2}),
    Linear("two_rows_twice_as_large_linear", {3, 2, 6}, {3, 4, 12}, {1, 2, 2}),
    // Volumes with channels last: vectors of channels in twos and alone, and rows in pieces.
    Linear("channels_of_volumes_twice_as_large_linear", {3, 4, 5, 48}, {6, 8, 10, 48},
           {2, 2, 2, 1}),
    Linear("wide_volumes_twice_as_large_linear", {2, 4, 28, 128}, {4, 8, 56, 128}, {2, 2, 2, 1}),
    // One or two terms per lane, none to four per row.
    Nearest("few_rows_nearest", {2, 9, 50}, {2, 5, 77}, {1, 0.5555556, 1.54}),
    Nearest("many_rows_nearest", {2, 9, 33}, {2, 30, 50}, {1, 3.333333, 1.515152}),
    Linear("four_times_as_large_linear", {2, 10, 65}, {2, 40, 260}, {1, 4, 4}),
    Linear("half_as_large_linear", {2, 40, 62}, {2, 20, 31}, {1, 0.5, 0.5}),
    NearestFloor("half_as_large_nearest", {2, 40, 62}, {2, 20, 31}, {1, 0.5, 0.5}, {0, -0.5, 0}),
    Linear("hundreds_of_terms", {2, 2, 20}, {310, 2, 20}, {155, 1, 1}),
    Linear("hundreds_of_terms_of_longer_rows", {2, 40}, {310, 300}, {155, 7.5}),
    Linear("channels_in_the_last_axis_in_boxes", {2, 7, 200, 40}, {2, 5, 100, 40},
           {1, 0.7, 0.5, 1}),
    Nearest("twice_as_large_nearest", {2, 3, 19, 50}, {2, 3, 38, 100}, {1, 1, 2, 2}),
    Linear("twice_as_large_and_shifted", {3, 19, 50}, {3, 38, 100}, {1, 2, 2})
        .In(0, 0.5, -3)
        .Out(0, -0.5, 0.25),
    Linear("long_axis_twice_as_large_linear", {301}, {602}, {2}).AsLongAxes(),
    Linear("long_axis_four_times_as_large_linear", {2, 301}, {2, 1204}, {1, 4}).AsLongAxes(),
    NearestFloor("long_axis_half_as_large_nearest", {602}, {301}, {0.5}).AsLongAxes(),
    Linear("looked_up_in_windows_linear", {3, 37, 45}, {3, 59, 70}, {1, 1.59, 1.5625}),
    NearestFloor("looked_up_in_windows_nearest", {3, 37, 45}, {3, 59, 70}, {1, 1.59, 1.5625},
                 {0, -0.5, -0.5}),
    Linear("volume_of_repeated_rows", {2, 7, 33, 37}, {2, 14, 66, 74}, {1, 2, 2, 2}),
    Linear("volume_cut_into_boxes", {5, 115, 106}, {9, 230, 212}, {1.8, 2, 2}),
    Linear("four_axes_cut_into_boxes", {4, 33, 20, 28}, {6, 50, 40, 56}, {1.5, 1.5, 2, 2}),
    Linear("volume_with_channels_in_the_last_axis", {3, 11, 13, 20}, {6, 22, 26, 20}, {2, 2, 2, 1}),
    Linear("volume_of_long_rows_with_channels_in_the_last_axis", {4, 11, 30, 40}, {7, 23, 60, 40},
           {1.75, 2, 2, 1}),
    Linear("many_terms_with_channels_in_the_last_axis", {2, 5, 6, 17}, {2, 40, 48, 17},
           {1, 8, 8, 1}),
    // The first three samples of a row meet at its edge.
    Linear("short_rows_of_three_terms", {4, 5, 8}, {4, 9, 8}, {1, 1.8, 1})
        .In(0.5, 0.5, 2)
        .Out(-0.5, -0.5, 0),
    Linear("short_rows_of_three_terms_in_a_longer_vector", {6, 3, 28}, {6, 5, 17},
           {1, 1.6667, 0.6071})
        .In(0.5)
        .Out(-0.5, -0.5, 2),
    Linear("rows_alone_twice_as_large", {5, 45}, {5, 90}, {1, 2}),
    Linear("rows_alone_half_as_large", {5, 74}, {5, 37}, {1, 0.5}),
    // Whole factors, rows of whole packs.
    Linear("packs_four_times_as_large_linear", {2, 3, 5, 24}, {2, 3, 20, 96}, {1, 1, 4, 4}),
    NearestFloor("packs_four_times_as_large_nearest", {2, 3, 5, 24}, {2, 3, 20, 96}, {1, 1, 4, 4}),
    NearestFloor("packs_half_as_large_nearest", {2, 3, 14, 32}, {2, 3, 7, 16}, {1, 1, 0.5, 0.5}),
    Linear("packs_twice_as_wide_other_height", {3, 5, 16}, {3, 9, 32}, {1, 1.8, 2}),
    Linear("packs_of_a_volume", {2, 3, 5, 16}, {2, 6, 10, 32}, {1, 2, 2, 2}),
};

inline constexpr auto kGradientCases = Exchange(Join(shared::kResamplings, kOfGradient));

// Targets in floors: FLOAT32, other types, the peers' ratio, FLOAT32 and FLOAT16 on CUDA devices.
constexpr BenchCase Timed(std::string_view name, bool core, const BenchTarget& target) {
  BenchCase c = FindBenchCase(shared::kBenchResamplings, name);
  std::swap(c.shape.sizes[0], c.shape.sizes[1]);
  c.core = core;
  c.target = target;
  return c;
}
inline constexpr BenchCase kGradientBenchCases[] = {
    Timed("nearest_2x_8x64x56x56", true, {1.5, 0, 2, 1.05, 1.05}),
    Timed("linear_2x_8x64x56x56", true, {2, 3, 5, 1.1, 1.2}),
    Timed("nearest_half_8x64x56x56", true, {1.5, 0, 2, 1.1, 1.15}),
    Timed("linear_half_8x64x56x56", true, {2, 3, 5, 1.1, 1.1}),
    Timed("nearest_64_to_100_8x64x64x64", true, {1.5, 0, 2, 1.1, 1.15}),
    Timed("linear_64_to_100_8x64x64x64", true, {2, 3, 5, 1.2, 1.5}),
    Timed("nearest_4x_8x64x28x28", true, {1.5, 0, 2, 1.1, 1.15}),
    Timed("linear_4x_8x64x28x28", true, {2, 3, 5, 1.2, 1.5}),
    Timed("linear_three_axes_32x8x56x56", true, {2, 3, 5, 2, 3}),
    // A volume whose channels lie last.
    Timed("linear_three_axes_8x56x56x32", true, {2, 3, 5}),
    Timed("linear_one_axis_1048576", true, {2, 3, 5}),
    // The same with a table of terms.
    Timed("linear_one_axis_262144", false, {2, 3}),
    Timed("linear_four_axes_8x32x28x28", true, {2, 3, 5}),
};

}  // namespace anydml::resample
