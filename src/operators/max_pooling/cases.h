// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of MAX_POOLING, MAX_POOLING1 and MAX_POOLING2, whose third tensor, the indices, is
// unknown to the oldest version and optional in the others; of MAX_POOLING_GRAD; of MAX_UNPOOLING,
// whose random indices are often below 11, and often outside.
#pragma once

#include "operators/shared_cases.h"

namespace anydml::max_pooling {

inline constexpr Case kWithoutIndices[] = {
    Pool("global_of_many_channels", {1, 2100, 4, 9}, {1, 2100, 1, 1}, {4, 9}),
    Pool("channels_5x5_padded", {1, 37, 9, 11}, {1, 37, 9, 11}, {5, 5}).Pad(2),
    Pool("without_indices", {1, 2, 3, 21}, {1, 2, 2, 20}, {2, 2}),
};

inline constexpr Case kWithIndices[] = {
    Pool("global_small_planes", {2, 37, 7, 7}, {2, 37, 1, 1}, {7, 7}),
    Pool("window_3x3_stride_1_padded", {2, 2, 5, 37}, {2, 2, 5, 37}, {3, 3}).Pad(1),
    Pool("ceil_size_overhangs", {1, 3, 8, 14}, {1, 3, 4, 7}, {3, 3}).Stride(2),
    Pool("dilation_with_uneven_padding", {1, 2, 7, 40}, {1, 2, 4, 18}, {2, 3})
        .Stride(2)
        .Dilate(3, 4)
        .Start(1, 2)
        .End(2, 0),
    Pool("channels_3x3_stride_2", {2, 37, 9, 11}, {2, 37, 5, 6}, {3, 3}).Stride(2).Pad(1),
    Pool("channels_and_padding_only", {1, 170, 2, 5}, {1, 170, 5, 7}, {2, 2}).Start(3, 0).End(1, 3),
    Pool("volume", {2, 2, 3, 4, 21}, {2, 2, 2, 3, 21}, {2, 2, 3})
        .Stride(2, 1, 1)
        .Start(1, 0, 1)
        .End(0, 0, 1),
    Pool("global", {2, 33, 3, 5}, {2, 33, 1, 1}, {3, 5}),
    Pool("window_5x5_stride_1_padded", {1, 2, 7, 37}, {1, 2, 7, 37}, {5, 5}).Pad(2),
    Pool("many_rows_stride_2", {1, 1, 70, 9}, {1, 1, 35, 5}, {3, 3}).Stride(2).Pad(1),
    Pool("many_columns_of_channels", {1, 40, 2, 30}, {1, 40, 2, 30}, {3, 3}).Pad(1),
    Pool("wide_rows", {1, 1, 3, 1105}, {1, 1, 1, 552}, {3, 3}).Stride(1, 2),
    Pool("wider_than_16", {1, 2, 3, 61}, {1, 2, 2, 39}, {2, 23}),
    Pool("wide_and_padded", {1, 1, 2, 400}, {1, 1, 2, 157}, {1, 130}).Stride(1, 2).Start(0, 41),
    Pool("wide_over_channels", {1, 37, 2, 70}, {1, 37, 2, 26}, {1, 20}).Stride(1, 2),
    Pool("tall_and_padded", {1, 2, 90, 5}, {1, 2, 33, 4}, {70, 2}).Start(12, 0),
    Pool("tall_dilation_3_stride_2", {1, 2, 160, 19}, {1, 2, 52, 15}, {20, 3})
        .Stride(2, 1)
        .Dilate(3, 2),
    Pool("one_column", {1, 3, 200, 1}, {1, 3, 198, 1}, {3, 1}),
    Pool("stride_5", {1, 2, 11, 53}, {1, 2, 3, 10}, {3, 7}).Stride(4, 5),
    Pool("volume_3x3x3_padded", {1, 3, 5, 6, 19}, {1, 3, 5, 6, 19}, {3, 3, 3}).Pad(1),
    Pool("volume_dilation_2_stride_2", {1, 3, 9, 10, 21}, {1, 3, 3, 4, 9}, {3, 2, 3})
        .Stride(2)
        .Dilate(2, 3, 2),
    Pool("rows_too_large_for_the_buffer", {1, 1, 257, 130}, {1, 1, 2, 2}, {256, 129}),
};

inline constexpr auto kCases =
    AddThird(Join(kWithoutIndices, shared::kPools, kWithIndices), 1, std::size(kWithoutIndices));

inline constexpr std::span<const BenchCase> kBenchCases = shared::kBenchPools;

inline constexpr Case kOfGradient[] = {
    Pool("window_3x3_stride_2_padded", {1, 2, 9, 41}, {1, 2, 5, 21}, {3, 3}).Stride(2).Pad(1),
    Pool("window_3x3_stride_1_padded", {2, 2, 7, 37}, {2, 2, 7, 37}, {3, 3}).Pad(1),
    Pool("ceil_size_overhangs", {1, 3, 8, 8}, {1, 3, 4, 4}, {3, 3}).Stride(2),
    Pool("dilation_shares_a_divisor_with_stride", {1, 2, 13, 40}, {1, 2, 4, 18}, {2, 3})
        .Stride(4, 2)
        .Dilate(6, 4)
        .Start(3, 2)
        .End(3, 0),
    Pool("dilation_far_beyond_the_axes", {1, 2, 3, 5}, {1, 2, 3, 5}, {1, 1}).Dilate(4294967295.0),
    Pool("one_window_in_far_padding", {1, 2, 8, 1}, {1, 2, 6, 1}, {3, 2})
        .Stride(1, 60005)
        .Start(0, 60000),
    Pool("stride_far_beyond_the_window", {1, 2, 2, 1}, {1, 2, 1, 28}, {2, 17})
        .Stride(1, 2341)
        .Start(0, 1)
        .End(0, 65535),
    Pool("volume", {2, 2, 5, 6, 21}, {2, 2, 3, 5, 21}, {2, 2, 3})
        .Stride(2, 1, 1)
        .Start(1, 0, 1)
        .End(0, 0, 1),
    Pool("volume_rows_without_windows", {1, 2, 2, 2, 4}, {1, 2, 2, 2, 2}, {1, 1, 2})
        .Stride(2)
        .Start(1, 1, 0),
    Pool("volume_rows_without_windows_stride_1", {1, 2, 3, 4, 5}, {1, 2, 2, 2, 4}, {1, 1, 2})
        .Stride(3, 3, 1)
        .Start(2, 1, 0),
    Pool("volume_stride_2", {1, 3, 4, 6, 36}, {1, 3, 2, 3, 18}, {2, 2, 2}).Stride(2),
    Pool("volume_stride_2_whole_lines_of_channels", {1, 32, 4, 4, 4}, {1, 32, 2, 2, 2}, {2, 2, 2})
        .Stride(2),
    Pool("stride_3_whole_lines_of_channels", {1, 160, 7, 7}, {1, 160, 3, 3}, {3, 3})
        .Stride(3)
        .Pad(1),
    Pool("many_planes", {3, 17, 6, 9}, {3, 17, 6, 8}, {3, 2}).Pad(1, 0),
    Pool("window_3x3_stride_2_ceil_whole_rows", {1, 2, 8, 64}, {1, 2, 4, 32}, {3, 3}).Stride(2),
    Pool("dilated_3x3_padded", {1, 2, 21, 40}, {1, 2, 21, 40}, {3, 3}).Dilate(2).Pad(2),
    Pool("dilated_3x3_odd_rows", {2, 2, 9, 37}, {2, 2, 6, 34}, {3, 3}).Dilate(2).Start(1),
    Pool("volume_stride_2_odd_sizes", {1, 2, 5, 5, 21}, {1, 2, 2, 2, 10}, {2, 2, 2}).Stride(2),
    Pool("volume_stride_2_whole_rows", {1, 2, 4, 6, 32}, {1, 2, 2, 3, 16}, {2, 2, 2}).Stride(2),
    Pool("volume_3x3x3_stride_2", {1, 2, 7, 9, 24}, {1, 2, 4, 5, 12}, {3, 3, 3}).Stride(2).Pad(1),
    Pool("volume_3x3x3_stride_1", {1, 3, 5, 8, 19}, {1, 3, 5, 8, 19}, {3, 3, 3}).Pad(1),
    Pool("pairs_leave_a_row_and_a_column", {1, 2, 5, 39}, {1, 2, 2, 19}, {2, 2}).Stride(2),
    Pool("pairs_with_half_a_window_below", {1, 2, 5, 70}, {1, 2, 3, 35}, {2, 2}).Stride(2),
    Pool("global", {2, 133, 3, 5}, {2, 133, 1, 1}, {3, 5}),
    Pool("global_of_many_channels", {1, 1120, 4, 5}, {1, 1120, 1, 1}, {4, 5}),
    Pool("global_longer_than_a_vector", {1, 3, 7, 41}, {1, 3, 1, 1}, {7, 41}),
    Pool("separate_rows_of_overlapping_columns", {1, 3, 7, 41}, {1, 3, 3, 39}, {2, 3}).Stride(2, 1),
    Pool("window_5x5_stride_1_padded", {1, 2, 19, 37}, {1, 2, 19, 37}, {5, 5}).Pad(2),
    Pool("window_4x2_stride_1", {1, 2, 12, 37}, {1, 2, 9, 36}, {4, 2}),
    Pool("many_rows", {1, 2, 70, 19}, {1, 2, 70, 19}, {3, 3}).Pad(1),
    Pool("many_rows_stride_2", {1, 2, 70, 19}, {1, 2, 35, 10}, {3, 3}).Stride(2).Pad(1),
    Pool("dilation_2", {1, 3, 29, 23}, {1, 3, 29, 23}, {3, 3}).Dilate(2).Pad(2),
    Pool("many_columns_of_channels", {1, 40, 5, 60}, {1, 40, 5, 60}, {3, 3}).Pad(1),
    Pool("separate_windows_of_whole_packs_of_channels", {2, 16, 7, 9}, {2, 16, 3, 4}, {2, 2})
        .Stride(2),
    Pool("separate_windows_dilated", {1, 4, 21, 22}, {1, 4, 5, 4}, {2, 2})
        .Stride(5)
        .Dilate(3, 4)
        .Start(3, 2),
    Pool("separate_windows_9x9", {1, 3, 19, 40}, {1, 3, 2, 4}, {9, 9}).Stride(10).Start(1),
    Pool("global_many_planes", {3, 47, 7, 7}, {3, 47, 1, 1}, {7, 7}),
    Pool("global_two_vectors_per_row", {2, 37, 2, 20}, {2, 37, 1, 1}, {2, 20}),
    Pool("global_volume", {1, 19, 2, 3, 8}, {1, 19, 1, 1, 1}, {2, 3, 8}),
    Pool("global_more_elements_than_a_word_has_bits", {1, 35, 9, 9}, {1, 35, 1, 1}, {9, 9}),
    Pool("global_rows_of_33", {1, 19, 3, 33}, {1, 19, 1, 1}, {3, 33}),
    Pool("global_large", {1, 3, 70, 71}, {1, 3, 1, 1}, {70, 71}),
    Pool("window_3x3_stride_1_many_packs", {1, 2, 7, 520}, {1, 2, 7, 520}, {3, 3}).Pad(1),
    Pool("window_3x3_stride_1_few_packs", {7, 5, 6, 16}, {7, 5, 6, 16}, {3, 3}).Pad(1),
    Pool("window_3x3_stride_2_many_packs", {1, 2, 8, 528}, {1, 2, 4, 264}, {3, 3}).Stride(2).Pad(1),
    Pool("window_5x5_many_packs", {1, 1, 9, 288}, {1, 1, 9, 288}, {5, 5}).Pad(2),
    Pool("dilated_3x3_many_packs", {1, 1, 9, 288}, {1, 1, 9, 288}, {3, 3}).Dilate(2).Pad(2),
    Pool("volume_3x3x3_stride_2_with_gaps", {1, 5, 8, 6, 13}, {1, 5, 3, 2, 6}, {3, 3, 3}).Stride(2),
    Pool("many_channels", {1, 410, 5, 7}, {1, 410, 3, 3}, {3, 3}).Stride(1, 2),
    Pool("channels_overlapping_3x3_stride_1", {2, 21, 19, 33}, {2, 21, 19, 33}, {3, 3}).Pad(1),
    Pool("channels_overlapping_3x3_stride_2", {1, 32, 40, 33}, {1, 32, 20, 17}, {3, 3})
        .Stride(2)
        .Pad(1),
    Pool("channels_overlapping_2x2_ceil", {1, 270, 5, 41}, {1, 270, 5, 40}, {2, 2}).Start(1, 0),
    Pool("channels_overlapping_dilated", {1, 17, 23, 38}, {1, 17, 20, 40}, {3, 3})
        .Dilate(2, 3)
        .Start(1, 5)
        .End(0, 3),
    Pool("channels_dense_5x5_two_tiles", {2, 37, 23, 71}, {2, 37, 23, 71}, {5, 5}).Pad(2),
    Pool("channels_dense_5x5_uneven_dilations", {1, 17, 25, 40}, {1, 17, 20, 36}, {5, 5})
        .Dilate(2, 3)
        .Start(3, 1)
        .End(0, 7),
    Pool("channels_dense_5x5_smaller_than_the_window", {2, 16, 3, 2}, {2, 16, 2, 5}, {5, 5})
        .Start(1, 3)
        .End(2, 4),
    Pool("channels_dense_3x3_tail_of_a_tile", {1, 85, 11, 9}, {1, 85, 9, 7}, {3, 3}),
    Pool("window_3x3_stride_2_padding_2", {2, 3, 9, 141}, {2, 3, 5, 71}, {3, 3}).Stride(2).Start(2),
    Pool("window_5x5_dilated_long_rows", {1, 2, 23, 131}, {1, 2, 21, 129}, {5, 5})
        .Dilate(3)
        .Start(6)
        .End(4),
    Pool("wide_rows", {1, 1, 5, 2203}, {1, 1, 3, 1101}, {3, 3}).Stride(1, 2),
    Pool("many_planes_stride_3x2", {3, 45, 10, 9}, {3, 45, 3, 4}, {4, 3}).Stride(3, 2),
    Pool("many_planes_dilation_3", {2, 70, 9, 20}, {2, 70, 9, 17}, {3, 4}).Dilate(3).Pad(3),
    Pool("large_window_9x11", {1, 2, 30, 50}, {1, 2, 22, 40}, {9, 11}),
    Pool("strides_beyond_the_window", {2, 3, 23, 40}, {2, 3, 5, 6}, {2, 3}).Stride(5, 7),
    Pool("strides_3x4_overlapping", {1, 3, 20, 67}, {1, 3, 7, 16}, {5, 6}).Stride(3, 4).Pad(2, 1),
    Pool("volume_dilated_overlapping", {1, 2, 9, 8, 21}, {1, 2, 4, 7, 8}, {3, 2, 4})
        .Stride(2, 1, 3)
        .Dilate(2, 3, 1)
        .Pad(1, 1, 2),
    Pool("volume_3x3x3_many_channels", {1, 33, 5, 6, 7}, {1, 33, 5, 6, 7}, {3, 3, 3}).Pad(1),
    Pool("channels_37_strides_2x3", {1, 37, 15, 18}, {1, 37, 6, 4}, {5, 4})
        .Stride(2, 3)
        .Dilate(1, 2),
    Pool("window_of_70_columns", {1, 2, 3, 150}, {1, 2, 3, 81}, {1, 70}),
    Pool("rows_of_several_tiles", {1, 1, 9, 4000}, {1, 1, 5, 3976}, {5, 9}).Dilate(1, 3),
};

inline constexpr auto kGradientCases = AddThird(Join(shared::kPools, kOfGradient), 0);

// Targets in floors: FLOAT32, other types, the peers' ratio, FLOAT32 and FLOAT16 on CUDA devices.
constexpr BenchCase Timed(std::string_view name, bool core, const BenchTarget& target) {
  BenchCase c = FindBenchCase(shared::kBenchPools, name);
  c.shape.sizes[2] = c.shape.sizes[0];
  c.core = core;
  c.target = target;
  return c;
}
inline constexpr BenchCase kGradientBenchCases[] = {
    Timed("window_2x2_stride_2_8x64x112x112", true, {1.5, 1.5, 2, 1.05, 1.05}),
    Timed("window_3x3_stride_2_8x64x112x112", true, {2, 0, 2, 1.1, 1.2}),
    Timed("window_3x3_stride_1_8x64x56x56", true, {2, 4.5, 2, 1.2, 1.5}),
    Timed("window_5x5_stride_1_8x64x56x56", true, {3.2, 0, 2, 2, 3}),
    Timed("window_3x3_dilation_2_8x64x56x56", true, {2, 4.5, 2, 2, 3}),
    Timed("global_7x7_64x2048x7x7", true, {1.5, 1.5, 2}),
    Timed("volume_2x2x2_stride_2_2x32x16x56x56", true, {1.5, 1.5, 2, 2, 3}),
    Timed("volume_3x3x3_stride_1_2x32x16x56x56", false, {0, 0, 1, 2, 3}),
    Timed("volume_3x3x3_stride_2_2x32x16x56x56", false, {0, 0, 1, 2, 3}),
};

inline constexpr Case kUnpoolingCases[] = {
    {"one_element", {{{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}}}},
    {"planes", {{{2, 3, 2, 3}, {2, 3, 2, 3}, {2, 3, 4, 6}}}},
    {"other_sizes", {{{1, 2, 5, 7}, {1, 2, 5, 7}, {2, 1, 3, 4}}}},
    {"several_parts", {{{1, 1, 20, 30}, {1, 1, 20, 30}, {1, 1, 300, 301}}}},
};

inline constexpr BenchCase kUnpoolingBenchCases[] = {
    {.shape = {"planes_8x64x56x56", {{{8, 64, 28, 28}, {8, 64, 28, 28}, {8, 64, 56, 56}}}}}};

}  // namespace anydml::max_pooling
