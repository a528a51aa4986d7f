// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of the operators of this folder.
#pragma once

#include "operators/case.h"

namespace anydml::movement {

inline constexpr Case kJoinCases[] = {
    {"one_element", {{{1}, {1}}}, {{{"InputCount", {1}}}}},
    {"documented_example", {{{2, 2}, {2, 1}, {2, 3}}}, {{{"InputCount", {2}}, {"Axis", {1}}}}},
    {"channels_of_images",
     {{{2, 3, 4, 5}, {2, 1, 4, 5}, {2, 4, 4, 5}, {2, 8, 4, 5}}},
     {{{"InputCount", {3}}, {"Axis", {1}}}}},
    {"batches", {{{2, 3, 4}, {1, 3, 4}, {3, 3, 4}}}, {{{"InputCount", {2}}, {"Axis", {0}}}}},
    {"rows_that_begin_inside_lines",
     {{{5, 37}, {5, 101}, {5, 18}, {5, 156}}},
     {{{"InputCount", {3}}, {"Axis", {1}}}}},
    {"neighbours_of_different_tensors",
     {{{3, 7, 1}, {3, 7, 1}, {3, 7, 2}}},
     {{{"InputCount", {2}}, {"Axis", {2}}}}},
    {"eight_dimensions",
     {{{2, 1, 3, 2, 1, 2, 3, 5}, {2, 1, 3, 4, 1, 2, 3, 5}, {2, 1, 3, 6, 1, 2, 3, 5}}},
     {{{"InputCount", {2}}, {"Axis", {3}}}}},
    {"several_pieces_per_row",
     {{{2, 20000}, {2, 30001}, {2, 50001}}},
     {{{"InputCount", {2}}, {"Axis", {1}}}}},
};

inline constexpr Case kSplitCases[] = {
    {"one_element", {{{1}, {1}}}, {{{"OutputCount", {1}}}}},
    {"documented_example", {{{2, 3}, {2, 2}, {2, 1}}}, {{{"OutputCount", {2}}, {"Axis", {1}}}}},
    {"channels_of_images",
     {{{2, 8, 4, 5}, {2, 3, 4, 5}, {2, 1, 4, 5}, {2, 4, 4, 5}}},
     {{{"OutputCount", {3}}, {"Axis", {1}}}}},
    {"rows_that_begin_inside_lines",
     {{{5, 156}, {5, 37}, {5, 101}, {5, 18}}},
     {{{"OutputCount", {3}}, {"Axis", {1}}}}},
    {"neighbours_of_different_tensors",
     {{{3, 7, 2}, {3, 7, 1}, {3, 7, 1}}},
     {{{"OutputCount", {2}}, {"Axis", {2}}}}},
    {"eight_dimensions",
     {{{2, 1, 3, 6, 1, 2, 3, 5}, {2, 1, 3, 2, 1, 2, 3, 5}, {2, 1, 3, 4, 1, 2, 3, 5}}},
     {{{"OutputCount", {2}}, {"Axis", {3}}}}},
    {"several_pieces_per_row",
     {{{2, 50001}, {2, 20000}, {2, 30001}}},
     {{{"OutputCount", {2}}, {"Axis", {1}}}}},
};

inline constexpr Case kConstantCases[] = {
    {"one_element", {{{1}}}, {{{"Value", {5}}}}},
    {"image", {{{2, 3, 5, 7}}}, {{{"Value", {3}}}}},
    {"eight_dimensions", {{{2, 1, 3, 2, 1, 2, 3, 5}}}, {{{"Value", {1}}}}},
    {"several_pieces_per_row", {{{2, 20000}}}, {{{"Value", {7}}}}},
};

inline constexpr Case kSequenceCases[] = {
    {"one_element", {{{1}}}, {{{"ValueStart", {5}}, {"ValueDelta", {3}}}}},
    {"documented_example", {{{2, 2}}}, {{{"ValueStart", {10}}, {"ValueDelta", {-2}}}}},
    {"image", {{{2, 3, 5, 7}}}, {{{"ValueStart", {0.1}}, {"ValueDelta", {0.3}}}}},
    {"integers_wrap", {{{5, 61}}}, {{{"ValueStart", {100}}, {"ValueDelta", {99}}}}},
    {"eight_dimensions",
     {{{2, 1, 3, 2, 1, 2, 3, 5}}},
     {{{"ValueStart", {-7}}, {"ValueDelta", {2.75}}}}},
    {"several_pieces_per_row", {{{2, 20000}}}, {{{"ValueStart", {-20}}, {"ValueDelta", {0.013}}}}},
};

inline constexpr Case kGatherCases[] = {
    {"one_element", {{{1}, {1}, {1}}}, {{{"Axis", {0}}, {"IndexDimensions", {1}}}}},
    {"documented_example", {{{4}, {5}, {5}}}, {{{"Axis", {0}}, {"IndexDimensions", {1}}}}},
    {"rows_of_a_table", {{{7, 24}, {1, 9}, {9, 24}}}, {{{"Axis", {0}}, {"IndexDimensions", {1}}}}},
    {"columns", {{{3, 2}, {1, 2}, {3, 2}}}, {{{"Axis", {1}}, {"IndexDimensions", {2}}}}},
    {"no_index_dimensions",
     {{{3, 5, 8}, {1, 1, 1}, {1, 3, 8}}},
     {{{"Axis", {1}}, {"IndexDimensions", {0}}}}},
    {"matrix_of_indices",
     {{{1, 3, 19}, {1, 2, 4}, {2, 4, 19}}},
     {{{"Axis", {1}}, {"IndexDimensions", {2}}}}},
    {"cropped_indices_behind_the_input",
     {{{2, 3}, {1, 4}, {2, 4}}},
     {{{"Axis", {1}}, {"IndexDimensions", {2}}}}},
    {"eight_dimensions",
     {{{1, 1, 2, 3, 4, 2, 1, 5}, {1, 1, 1, 1, 1, 1, 2, 3}, {1, 2, 3, 2, 3, 2, 1, 5}}},
     {{{"Axis", {4}}, {"IndexDimensions", {2}}}}},
    {"several_pieces_per_row",
     {{{3, 1, 20000}, {1, 1, 4}, {4, 1, 20000}}},
     {{{"Axis", {0}}, {"IndexDimensions", {1}}}}},
};

inline constexpr Case kOneHotCases[] = {
    {"one_element", {{{1}, {2}, {1}}}, {{{"Axis", {0}}}}},
    {"documented_example", {{{3, 1}, {1, 2}, {3, 4}}}, {{{"Axis", {1}}}}},
    {"classes_of_pixels", {{{2, 1, 4, 5}, {1, 3, 1, 1}, {2, 6, 4, 5}}}, {{{"Axis", {1}}}}},
    {"long_rows", {{{5, 1}, {2, 2}, {5, 131}}}, {{{"Axis", {1}}}}},
    {"eight_dimensions",
     {{{2, 1, 3, 1, 1, 2, 1, 5}, {1, 1, 1, 1, 2, 1, 1, 1}, {2, 1, 3, 4, 1, 2, 1, 5}}},
     {{{"Axis", {3}}}}},
    {"several_pieces_per_row", {{{2, 1}, {2, 1}, {2, 20000}}}, {{{"Axis", {1}}}}},
};

// ---- Benchmarks.

inline constexpr BenchTarget kCopySpeed = {.float32_floors = 1.15,
                                           .other_floors = 1.15,
                                           .cuda_float32_floors = 1.1,
                                           .cuda_float16_floors = 1.1};

inline constexpr BenchCase kJoinBenchCases[] = {
    {.shape = {"channels_64_and_64_8x112x112",
               {{{8, 64, 112, 112}, {8, 64, 112, 112}, {8, 128, 112, 112}}},
               {{{"InputCount", {2}}, {"Axis", {1}}}}},
     .layouts = kImageLayouts,
     .core = true,
     .target = kCopySpeed},
    {.shape =
         {"channels_of_four_8x56x56",
          {{{8, 64, 56, 56}, {8, 96, 56, 56}, {8, 32, 56, 56}, {8, 35, 56, 56}, {8, 227, 56, 56}}},
          {{{"InputCount", {4}}, {"Axis", {1}}}}},
     .layouts = kImageLayouts},
};
inline constexpr BenchCase kSplitBenchCases[] = {
    {.shape = {"channels_64_and_64_8x112x112",
               {{{8, 128, 112, 112}, {8, 64, 112, 112}, {8, 64, 112, 112}}},
               {{{"OutputCount", {2}}, {"Axis", {1}}}}},
     .layouts = kImageLayouts,
     .core = true,
     .target = kCopySpeed},
    {.shape = {"three_of_512_4096",
               {{{4096, 1536}, {4096, 512}, {4096, 512}, {4096, 512}}},
               {{{"OutputCount", {3}}, {"Axis", {1}}}}}},
};
inline constexpr BenchCase kConstantBenchCases[] = {
    {.shape = {"elements_2_to_the_24", {{{16777216}}}, {{{"Value", {3}}}}}, .every_type = true},
    {.shape = {"image_8x64x112x112", {{{8, 64, 112, 112}}}, {{{"Value", {3}}}}},
     .layouts = kImageLayouts},
};
inline constexpr BenchCase kSequenceBenchCases[] = {
    {.shape = {"elements_2_to_the_24",
               {{{16777216}}},
               {{{"ValueStart", {3}}, {"ValueDelta", {2}}}}},
     .every_type = true},
};
inline constexpr BenchCase kGatherBenchCases[] = {
    {.shape = {"rows_of_768_8x2048_of_4096",
               {{{8, 4096, 768}, {1, 1, 2048}, {8, 2048, 768}}},
               {{{"Axis", {1}}, {"IndexDimensions", {1}}}}},
     .core = true,
     .elements_read = 12582912,
     .target = kCopySpeed},
    {.shape = {"elements_of_rows",
               {{{4096, 1024}, {1, 1024}, {4096, 1024}}},
               {{{"Axis", {1}}, {"IndexDimensions", {1}}}}}},
};
inline constexpr BenchCase kOneHotBenchCases[] = {
    {.shape = {"classes_1000_of_16384", {{{16384, 1}, {1, 2}, {16384, 1000}}}, {{{"Axis", {1}}}}},
     .every_type = true},
    {.shape = {"classes_of_pixels_21_8x224x224",
               {{{8, 1, 224, 224}, {2, 1, 1, 1}, {8, 21, 224, 224}}},
               {{{"Axis", {1}}}}},
     .every_type = true},
};

}  // namespace anydml::movement
