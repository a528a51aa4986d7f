// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of the operators of this folder.
#pragma once

#include <directml.h>

#include "operators/case_builders.h"

namespace anydml::rearrangement {

constexpr AxesCase Padded(std::string_view name, const CaseSizes& input, const CaseSizes& output,
                          DML_PADDING_MODE mode, AxesCase::Values start, AxesCase::Values end) {
  return AxesCase(name, {input, output}, input.count)
      .Set("PaddingMode", {static_cast<double>(mode)})
      .Set("PaddingValue", {7})
      .SetAxes("StartPadding", start)
      .SetAxes("EndPadding", end);
}

inline constexpr DML_PADDING_MODE kConstant = DML_PADDING_MODE_CONSTANT,
                                  kEdge = DML_PADDING_MODE_EDGE,
                                  kReflection = DML_PADDING_MODE_REFLECTION,
                                  kSymmetric = DML_PADDING_MODE_SYMMETRIC,
                                  kWrap = DML_PADDING_MODE_WRAP;

inline constexpr Case kPaddingCases[] = {
    Padded("one_element", {1}, {1}, kConstant, {0}, {0}),
    Padded("images", {2, 3, 7, 17}, {2, 3, 9, 20}, kConstant, {0, 0, 1, 1}, {0, 0, 1, 2}),
    Padded("images_edge", {2, 3, 7, 17}, {2, 3, 9, 20}, kEdge, {0, 0, 1, 1}, {0, 0, 1, 2}),
    Padded("images_reflection", {2, 3, 7, 17}, {2, 3, 9, 20}, kReflection, {0, 0, 1, 1},
           {0, 0, 1, 2}),
    Padded("images_symmetric", {2, 3, 7, 17}, {2, 3, 9, 20}, kSymmetric, {0, 0, 1, 1},
           {0, 0, 1, 2}),
    Padded("images_wrapped", {2, 3, 7, 17}, {2, 3, 9, 20}, kWrap, {0, 0, 1, 1}, {0, 0, 1, 2}),
    Padded("channels", {2, 3, 4, 5}, {2, 6, 4, 5}, kConstant, {0, 1, 0, 0}, {0, 2, 0, 0}),
    Padded("channels_wrapped", {2, 3, 4, 5}, {2, 8, 4, 5}, kWrap, {0, 4, 0, 0}, {0, 1, 0, 0}),
    Padded("batches_reflected", {3, 2, 37}, {7, 2, 37}, kReflection, {3, 0, 0}, {1, 0, 0}),
    Padded("edge_of_many", {5, 2, 70}, {305, 2, 70}, kEdge, {100, 0, 0}, {200, 0, 0}),
    Padded("many_periods_reflection", {3, 130}, {17, 700}, kReflection, {5, 301}, {9, 269}),
    Padded("many_periods_symmetric", {3, 130}, {17, 700}, kSymmetric, {8, 401}, {6, 169}),
    Padded("many_periods_wrapped", {3, 130}, {17, 700}, kWrap, {7, 199}, {7, 371}),
    Padded("single_elements", {1, 3, 1}, {4, 7, 90}, kReflection, {2, 2, 50}, {1, 2, 39}),
    Padded("long_borders", {5, 66}, {5, 300}, kConstant, {0, 135}, {0, 99}),
    Padded("eight_dimensions", {2, 1, 3, 2, 1, 2, 3, 5}, {3, 2, 4, 3, 1, 4, 4, 6}, kSymmetric,
           {1, 0, 0, 1, 0, 1, 1, 0}, {0, 1, 1, 0, 0, 1, 0, 1}),
    Padded("several_pieces_per_row", {2, 40000}, {3, 40009}, kConstant, {1, 4}, {0, 5}),
};

constexpr AxesCase Tiled(std::string_view name, const CaseSizes& input, const CaseSizes& output,
                         AxesCase::Values repeats) {
  return AxesCase(name, {input, output}, input.count).Set("Repeats", repeats);
}

inline constexpr Case kTileCases[] = {
    Tiled("one_element", {1}, {1}, {1}),
    Tiled("documented_example", {2, 2}, {2, 4}, {1, 2}),
    Tiled("images", {2, 3, 5, 7}, {4, 3, 15, 14}, {2, 1, 3, 2}),
    Tiled("whole_tensor", {3, 41}, {15, 41}, {5, 1}),
    Tiled("channels", {2, 3, 4, 5}, {2, 9, 4, 5}, {1, 3, 1, 1}),
    Tiled("single_elements", {3, 1, 2, 1}, {3, 70, 2, 90}, {1, 70, 1, 90}),
    Tiled("short_rows", {5, 3}, {5, 51}, {1, 17}),
    Tiled("long_rows", {3, 130}, {6, 390}, {2, 3}),
    Tiled("eight_dimensions", {2, 1, 3, 2, 1, 2, 1, 5}, {4, 2, 3, 4, 1, 2, 3, 10},
          {2, 2, 1, 2, 1, 1, 3, 2}),
    Tiled("several_pieces_per_row", {2, 20000}, {2, 60000}, {1, 3}),
};

// The first versions have no Order.
constexpr AxesCase Blocks(std::string_view name, const CaseSizes& input, const CaseSizes& output,
                          double block, double order = 0) {
  const AxesCase c = AxesCase(name, {input, output}, 1).Set("BlockSize", {block});
  return order == 0 ? c : c.Set("Order", {order});
}

inline constexpr Case kSpaceToDepthCases[] = {
    Blocks("one_element", {1, 1, 1, 1}, {1, 1, 1, 1}, 1),
    Blocks("two_blocks", {1, 1, 2, 4}, {1, 4, 1, 2}, 2),
    Blocks("blocks_of_one", {2, 3, 4, 5}, {2, 3, 4, 5}, 1),
    Blocks("images", {2, 3, 6, 34}, {2, 12, 3, 17}, 2),
    Blocks("images_channels_outer", {2, 3, 6, 34}, {2, 12, 3, 17}, 2, 1),
    Blocks("blocks_of_three", {1, 2, 9, 51}, {1, 18, 3, 17}, 3),
    Blocks("one_block", {2, 2, 4, 4}, {2, 32, 1, 1}, 4, 1),
    Blocks("long_rows", {1, 2, 4, 10000}, {1, 8, 2, 5000}, 2),
};
inline constexpr auto kDepthToSpaceCases = Exchange(Join(kSpaceToDepthCases));

constexpr AxesCase Reversed(std::string_view name, const CaseSizes& input, const CaseSizes& lengths,
                            double axis) {
  return AxesCase(name, {input, lengths, input}, 1).Set("Axis", {axis});
}

inline constexpr Case kReverseCases[] = {
    Reversed("one_element", {1}, {1}, 0),
    Reversed("rows", {3, 4}, {3, 1}, 1),
    Reversed("first_axis", {9, 5, 7}, {1, 5, 7}, 0),
    Reversed("one_length", {8, 1, 1, 1}, {1, 1, 1, 1}, 0),
    Reversed("rows_of_images", {2, 3, 7, 19}, {2, 3, 1, 19}, 2),
    Reversed("eight_dimensions", {2, 1, 3, 6, 1, 2, 3, 5}, {2, 1, 3, 1, 1, 2, 3, 5}, 3),
    Reversed("several_pieces_per_row", {2, 40000}, {2, 1}, 1),
};

// ---- Benchmarks.

inline constexpr BenchTarget kCopySpeed = {.float32_floors = 1.15,
                                           .other_floors = 1.15,
                                           .cuda_float32_floors = 1.1,
                                           .cuda_float16_floors = 1.1};

inline constexpr BenchCase kPaddingBenchCases[] = {
    {.shape = Padded("constant_1_8x64x112x112", {8, 64, 112, 112}, {8, 64, 114, 114}, kConstant,
                     {0, 0, 1, 1}, {0, 0, 1, 1}),
     .layouts = kImageLayouts,
     .core = true,
     .target = kCopySpeed},
    {.shape = Padded("edge_of_rows_8x64x112x112", {8, 64, 112, 112}, {8, 64, 118, 112}, kEdge,
                     {0, 0, 3, 0}, {0, 0, 3, 0}),
     .target = kCopySpeed},
    {.shape = Padded("reflection_3_8x64x112x112", {8, 64, 112, 112}, {8, 64, 118, 118}, kReflection,
                     {0, 0, 3, 3}, {0, 0, 3, 3}),
     .layouts = kImageLayouts},
};
inline constexpr BenchCase kTileBenchCases[] = {
    {.shape =
         Tiled("channels_by_4_8x32x112x112", {8, 32, 112, 112}, {8, 128, 112, 112}, {1, 4, 1, 1}),
     .core = true,
     .target = kCopySpeed},
    {.shape = Tiled("rows_and_columns_by_2_8x64x56x56", {8, 64, 56, 56}, {8, 64, 112, 112},
                    {1, 1, 2, 2}),
     .layouts = kImageLayouts,
     .target = kCopySpeed},
};
inline constexpr BenchCase kSpaceToDepthBenchCases[] = {
    {.shape = Blocks("blocks_of_2_8x64x112x112", {8, 64, 112, 112}, {8, 256, 56, 56}, 2),
     .layouts = kImageLayouts},
};
inline constexpr BenchCase kDepthToSpaceBenchCases[] = {
    {.shape = Blocks("blocks_of_2_8x64x112x112", {8, 256, 56, 56}, {8, 64, 112, 112}, 2),
     .layouts = kImageLayouts},
};
inline constexpr BenchCase kReverseBenchCases[] = {
    {.shape = Reversed("sequences_of_512_64x512x256", {64, 512, 256}, {64, 1, 256}, 1)},
};

}  // namespace anydml::rearrangement
