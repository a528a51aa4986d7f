// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Shapes that an operator shares with its gradient; the folders of the two do not see one another.
#pragma once

#include <limits>

#include "operators/case_builders.h"

namespace anydml::shared {

inline constexpr Case kPools[] = {
    Pool("one_window", {1, 1, 2, 2}, {1, 1, 1, 1}, {2, 2}),
    Pool("window_2x2_stride_2", {2, 3, 6, 38}, {2, 3, 3, 19}, {2, 2}).Stride(2),
    Pool("windows_in_padding_only", {1, 2, 2, 5}, {1, 2, 9, 12}, {2, 2}).Start(5, 3).End(3, 5),
    Pool("stride_3_leaves_gaps", {1, 2, 10, 11}, {1, 2, 3, 4}, {2, 2}).Stride(4, 3),
    Pool("window_2x2_stride_2_whole_rows", {2, 3, 6, 64}, {2, 3, 3, 32}, {2, 2}).Stride(2),
    Pool("window_2x2_stride_1_whole_rows", {1, 2, 18, 32}, {1, 2, 18, 32}, {2, 2}).End(1),
    Pool("window_3x3_stride_2_whole_rows", {2, 3, 40, 64}, {2, 3, 20, 32}, {3, 3}).Stride(2).Pad(1),
    Pool("window_3x3_stride_2_narrow", {3, 5, 7, 3}, {3, 5, 4, 2}, {3, 3}).Stride(2).Pad(1),
    Pool("window_3x3_stride_1_whole_rows", {2, 3, 35, 64}, {2, 3, 35, 64}, {3, 3}).Pad(1),
    Pool("window_3x3_stride_1_long_odd_rows", {1, 2, 19, 301}, {1, 2, 17, 299}, {3, 3}),
    Pool("window_5x5_padded", {1, 2, 21, 40}, {1, 2, 21, 40}, {5, 5}).Pad(2),
    Pool("window_5x5_odd_rows", {2, 2, 9, 37}, {2, 2, 8, 36}, {5, 5}).Start(2, 1).End(1, 2),
    Pool("several_pieces_per_row", {1, 1, 1, 1500}, {1, 1, 1, 1485}, {1, 16}),
};

inline constexpr BenchCase kBenchPools[] = {
    OfImages(Pool("window_2x2_stride_2_8x64x112x112", {8, 64, 112, 112}, {8, 64, 56, 56}, {2, 2})
                 .Stride(2)),
    OfImages(Pool("window_3x3_stride_2_8x64x112x112", {8, 64, 112, 112}, {8, 64, 56, 56}, {3, 3})
                 .Stride(2)
                 .Pad(1)),
    OfImages(
        Pool("window_3x3_stride_1_8x64x56x56", {8, 64, 56, 56}, {8, 64, 56, 56}, {3, 3}).Pad(1)),
    OfImages(
        Pool("window_5x5_stride_1_8x64x56x56", {8, 64, 56, 56}, {8, 64, 56, 56}, {5, 5}).Pad(2)),
    OfImages(Pool("window_3x3_dilation_2_8x64x56x56", {8, 64, 56, 56}, {8, 64, 56, 56}, {3, 3})
                 .Dilate(2)
                 .Pad(2)),
    OfImages(Pool("global_7x7_64x2048x7x7", {64, 2048, 7, 7}, {64, 2048, 1, 1}, {7, 7})),
    OfImages(Pool("volume_2x2x2_stride_2_2x32x16x56x56", {2, 32, 16, 56, 56}, {2, 32, 8, 28, 28},
                  {2, 2, 2})
                 .Stride(2)),
    OfImages(Pool("volume_3x3x3_stride_1_2x32x16x56x56", {2, 32, 16, 56, 56}, {2, 32, 16, 56, 56},
                  {3, 3, 3})
                 .Pad(1)),
    OfImages(Pool("volume_3x3x3_stride_2_2x32x16x56x56", {2, 32, 16, 56, 56}, {2, 32, 8, 28, 28},
                  {3, 3, 3})
                 .Stride(2)
                 .Pad(1)),
};

inline constexpr double kInfiniteScale = std::numeric_limits<double>::infinity();

inline constexpr Case kResamplings[] = {
    Nearest("documented_example", {2, 2}, {1, 3}, {0.5, 1.5}),
    Nearest("nothing_changes", {2, 3, 5}, {2, 3, 5}, {1, 1, 1}),
    Linear("image_twice_as_large_linear", {2, 3, 5, 7}, {2, 3, 10, 14}, {1, 1, 2, 2}),
    NearestFloor("image_twice_as_large_nearest_floor", {2, 9, 6, 5}, {2, 9, 12, 10}, {1, 1, 2, 2},
                 {0}),
    Linear("channels_in_the_last_axis", {2, 5, 4, 19}, {2, 7, 9, 19}, {1, 1.4, 2.25, 1}),
    Linear("four_axes_at_once", {2, 3, 4, 5}, {3, 2, 7, 4}, {1.5, 0.7, 1.75, 0.8}),
    Linear("crop_and_clamp", {4, 3}, {3, 9}, {2, 1.5}).In(0, -1.25).Out(0, 0.75),
    Nearest("every_sample_at_pixel_0", {5, 3}, {4, 70}, {3.4028234663852886e38, 40}),
    Linear("one_pixel_with_aligned_corners", {2, 1, 1, 5}, {2, 1, 4, 9}, {1, 1, kInfiniteScale, 2})
        .In(0)
        .Out(0),
    Linear("infinite_scales_between_pixels", {6, 7}, {9, 11}, {kInfiniteScale, kInfiniteScale})
        .In(-2.25, -1e9)
        .Out(3, -0.5),
    Nearest("infinite_scales_nearest", {6, 7}, {9, 11}, {kInfiniteScale, 1.5}).In(-2.25, 0),
    Linear("long_axis_of_infinite_scale", {301}, {602}, {kInfiniteScale}).In(-20.5).AsLongAxes(),
    Linear("row_longer_than_a_tile", {2, 17000}, {3, 17000}, {1.5, 1}).Floor(),
    Linear("many_small_planes", {1100, 2, 3}, {1100, 3, 5}, {1, 1.5, 1.6667}),
    Linear("rows_longer_than_a_block", {2, 75, 601}, {2, 37, 301}, {1, 0.5, 0.5}),
    Nearest("rows_longer_than_a_block_nearest", {2, 9, 301}, {2, 14, 601}, {1, 1.6, 2}),
    Linear("eight_terms", {2, 3, 8, 9}, {2, 3, 32, 36}, {1, 1, 4, 4}),
    Linear("many_terms", {3, 4, 5}, {3, 64, 80}, {1, 16, 16}),
    Nearest("many_terms_nearest", {3, 4, 5}, {3, 64, 80}, {1, 16, 16}),
    Linear("innermost_axis_alone", {5, 7, 20}, {5, 7, 33}, {1, 1, 1.65}),
    Linear("outer_axis_alone", {2, 5, 7, 8}, {2, 9, 7, 8}, {1, 1.8, 1, 1}),
    Linear("axes_with_one_between", {3, 3, 5}, {4, 3, 9}, {1.4, 1, 1.8}),
    Linear("volume", {2, 3, 5, 8}, {2, 6, 10, 12}, {1, 2, 2, 1.5}),
    Nearest("volume_nearest", {2, 3, 5, 8}, {2, 6, 10, 12}, {1, 2, 2, 1.5}),
    Linear("sixteen_channels_in_the_last_axis", {2, 5, 4, 16}, {2, 7, 9, 16}, {1, 1.4, 2.25, 1}),
    Nearest("sixteen_channels_nearest", {2, 5, 4, 16}, {2, 15, 12, 16}, {1, 3, 3, 1}),
    Linear("few_channels_in_the_last_axis", {2, 9, 31, 3}, {2, 12, 70, 3}, {1, 1.3, 2.25, 1}),
    Linear("three_axes_in_boxes", {3, 20, 40}, {7, 40, 90}, {2.3, 2, 2.25}),
    Linear("axis_too_long_for_a_table", {699}, {1049}, {1.5}).AsLongAxes(),
    NearestFloor("long_axis_twice_as_large_nearest", {301}, {602}, {2}).AsLongAxes(),
    Linear("long_axis_half_as_large_linear", {602}, {301}, {0.5}).AsLongAxes(),
    Linear("long_axis_of_any_factor", {2, 733}, {2, 1100}, {1, 1.5}).AsLongAxes(),
    Linear("rows_alone", {40, 21}, {40, 50}, {1, 2.4}),
    // Whole factors, rows of whole packs.
    Linear("packs_twice_as_large_linear", {2, 3, 11, 24}, {2, 3, 22, 48}, {1, 1, 2, 2}),
    NearestFloor("packs_twice_as_large_nearest", {2, 3, 11, 24}, {2, 3, 22, 48}, {1, 1, 2, 2}),
    Linear("packs_half_as_large_linear", {2, 3, 14, 32}, {2, 3, 7, 16}, {1, 1, 0.5, 0.5}),
    Linear("packs_twice_as_wide", {3, 5, 16}, {3, 5, 32}, {1, 1, 2}),
};

inline constexpr BenchCase kBenchResamplings[] = {
    OfImages(
        NearestFloor("nearest_2x_8x64x56x56", {8, 64, 56, 56}, {8, 64, 112, 112}, {1, 1, 2, 2})),
    OfImages(Linear("linear_2x_8x64x56x56", {8, 64, 56, 56}, {8, 64, 112, 112}, {1, 1, 2, 2})),
    OfImages(NearestFloor("nearest_half_8x64x56x56", {8, 64, 56, 56}, {8, 64, 28, 28},
                          {1, 1, 0.5, 0.5})),
    OfImages(Linear("linear_half_8x64x56x56", {8, 64, 56, 56}, {8, 64, 28, 28}, {1, 1, 0.5, 0.5})),
    OfImages(NearestFloor("nearest_64_to_100_8x64x64x64", {8, 64, 64, 64}, {8, 64, 100, 100},
                          {1, 1, 1.5625, 1.5625})),
    OfImages(Linear("linear_64_to_100_8x64x64x64", {8, 64, 64, 64}, {8, 64, 100, 100},
                    {1, 1, 1.5625, 1.5625})),
    OfImages(
        NearestFloor("nearest_4x_8x64x28x28", {8, 64, 28, 28}, {8, 64, 112, 112}, {1, 1, 4, 4})),
    OfImages(Linear("linear_4x_8x64x28x28", {8, 64, 28, 28}, {8, 64, 112, 112}, {1, 1, 4, 4})),
    {.shape =
         Linear("linear_three_axes_32x8x56x56", {32, 8, 56, 56}, {32, 16, 112, 112}, {1, 2, 2, 2}),
     .layouts = BenchLayout::kPacked | BenchLayout::kPaddedRows,
     .independent_items = true},
    {.shape =
         Linear("linear_three_axes_8x56x56x32", {8, 56, 56, 32}, {16, 112, 112, 32}, {2, 2, 2, 1})},
    {.shape = Linear("linear_one_axis_1048576", {1048576}, {2097152}, {2})},
    {.shape = Linear("linear_one_axis_262144", {262144}, {524288}, {2})},
    {.shape =
         Linear("linear_four_axes_8x32x28x28", {8, 32, 28, 28}, {12, 48, 56, 56}, {1.5, 1.5, 2, 2}),
     .layouts = BenchLayout::kPacked | BenchLayout::kPaddedRows},
};

inline constexpr Case kParts[] = {
    Part("one_element", {1}, {1}, {}, {1}),
    Part("whole_tensor_is_one_copy", {2, 3, 5}, {2, 3, 5}, {}, {2, 3, 5}),
    Part("middle_channels", {2, 5, 4, 5}, {2, 2, 4, 5}, {0, 1, 0, 0}, {2, 2, 4, 5}),
    Part("crop", {2, 3, 8, 9}, {2, 3, 5, 6}, {0, 0, 1, 2}, {2, 3, 5, 6}),
    Part("flipped", {3, 37}, {3, 37}, {}, {3, 37}, {-1, -1}),
    Part("stride_beyond_the_window", {3, 5}, {1, 1}, {1, 1}, {2, 3}, {-2147483648.0, 2147483647}),
    Part("eight_dimensions", {2, 3, 1, 4, 2, 3, 2, 5}, {2, 2, 1, 2, 1, 3, 2, 3},
         {0, 0, 0, 1, 1, 0, 0, 0}, {2, 3, 1, 3, 1, 3, 2, 5}, {1, 2, 1, -2, 1, 1, -1, 2}),
};

inline constexpr Case kBenchParts[] = {
    Part("window_96_step_1_8x64x112x112", {8, 64, 112, 112}, {8, 64, 96, 96}, {0, 0, 8, 8},
         {8, 64, 96, 96}),
    Part("window_96_step_2_8x64x112x112", {8, 64, 112, 112}, {8, 64, 48, 48}, {0, 0, 8, 8},
         {8, 64, 96, 96}, {1, 1, 2, 2}),
    Part("window_96_step_minus_1_8x64x112x112", {8, 64, 112, 112}, {8, 64, 96, 96}, {0, 0, 8, 8},
         {8, 64, 96, 96}, {1, 1, -1, -1}),
    Part("window_1x1_8x64x112x112", {8, 64, 112, 112}, {8, 64, 1, 1}, {0, 0, 50, 60},
         {8, 64, 1, 1}),
    Part("whole_window_8x64x112x112", {8, 64, 112, 112}, {8, 64, 112, 112}, {}, {8, 64, 112, 112}),
    Part("eight_dimensions_2x4x8x4x8x8x16x32", {2, 4, 8, 4, 8, 8, 16, 32},
         {2, 3, 4, 4, 8, 4, 16, 24}, {0, 1, 0, 0, 0, 0, 0, 4}, {2, 3, 8, 4, 8, 8, 16, 24},
         {1, 1, 2, -1, 1, -2, 1, 1}),
};
constexpr BenchCase TimedPart(const Case& shape) {
  return {.shape = shape,
          .layouts = shape.sizes[0].count == 4 ? kImageLayouts : kPackedAndPermuted};
}

}  // namespace anydml::shared
