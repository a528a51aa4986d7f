// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of MAX_POOLING, MAX_POOLING1 and MAX_POOLING2. The third tensor,
// the indices, is unknown to the oldest version and optional in the others.
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

}  // namespace anydml::max_pooling
