// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of ACTIVATION_RELU_GRAD.
#pragma once

#include "operators/case.h"

namespace anydml::relu_grad {

inline constexpr Case kCases[] = {
    {"one_element", {{{1}, {1}, {1}}}},
    {"shorter_than_a_vector", {{{3}, {3}, {3}}}},
    {"tail_after_vectors", {{{67}, {67}, {67}}}},
    {"image", {{{2, 3, 5, 7}, {2, 3, 5, 7}, {2, 3, 5, 7}}}},
    {"eight_dimensions",
     {{{2, 1, 3, 2, 1, 2, 3, 5}, {2, 1, 3, 2, 1, 2, 3, 5}, {2, 1, 3, 2, 1, 2, 3, 5}}}},
    {"larger_than_a_tile", {{{3, 5, 18, 21}, {3, 5, 18, 21}, {3, 5, 18, 21}}}},
    {"squares_of_whole_lines", {{{49, 80}, {49, 80}, {49, 80}}}},
    {"several_pieces_per_row", {{{2, 20000}, {2, 20000}, {2, 20000}}}},
};

inline constexpr BenchCase kBenchCases[] = {
    {.shape = {"elements_2_to_the_10", {{{1024}, {1024}, {1024}}}},
     .core = true,
     .every_type = true,
     .independent_items = true,
     .target = {.most_microseconds = 2}},
    {.shape = {"elements_2_to_the_15", {{{32768}, {32768}, {32768}}}},
     .core = true,
     .every_type = true,
     .independent_items = true},
    {.shape = {"elements_2_to_the_20", {{{1048576}, {1048576}, {1048576}}}},
     .core = true,
     .every_type = true,
     .independent_items = true},
    {.shape = {"elements_2_to_the_24", {{{16777216}, {16777216}, {16777216}}}},
     .core = true,
     .every_type = true,
     .independent_items = true,
     .target = {.float32_floors = 1.15,
                .other_floors = 1.15,
                .cuda_float32_floors = 1.05,
                .cuda_float16_floors = 1.05}},
    {.shape = {"elements_2_to_the_26", {{{67108864}, {67108864}, {67108864}}}},
     .core = true,
     .every_type = true,
     .independent_items = true,
     .target = {.float32_floors = 1.15,
                .other_floors = 1.15,
                .peer_ratio = 1.3,
                .cuda_float32_floors = 1.05,
                .cuda_float16_floors = 1.05}},
    {.shape = {"image_8x64x112x112", {{{8, 64, 112, 112}, {8, 64, 112, 112}, {8, 64, 112, 112}}}},
     .layouts = kImageLayouts,
     .core = true,
     .independent_items = true},
    {.shape =
         {"eight_dimensions_2x4x8x4x8x8x16x32",
          {{{2, 4, 8, 4, 8, 8, 16, 32}, {2, 4, 8, 4, 8, 8, 16, 32}, {2, 4, 8, 4, 8, 8, 16, 32}}}},
     .layouts = kPackedAndPermuted,
     .core = true,
     .independent_items = true},
};

}  // namespace anydml::relu_grad
