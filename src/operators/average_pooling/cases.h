// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of average pooling. The cases of the gradient are those without dilations, with the
// two tensors exchanged.
#pragma once

#include <algorithm>

#include "operators/case.h"

namespace anydml::average_pooling {

inline constexpr std::array kShapes = {
    Case{"one_element", {{{1, 1, 1, 1}, {1, 1, 1, 1}}}, {{{"WindowSize", {1, 1}}}}},
    Case{"documented_example", {{{1, 1, 3, 3}, {1, 1, 2, 2}}}, {{{"WindowSize", {2, 2}}}}},
    Case{"window_2x2_stride_2",
         {{{2, 3, 6, 74}, {2, 3, 3, 37}}},
         {{{"WindowSize", {2, 2}}, {"Strides", {2, 2}}}}},
    Case{"window_3x3_stride_1_padded",
         {{{2, 3, 5, 37}, {2, 3, 5, 37}}},
         {{{"WindowSize", {3, 3}}, {"StartPadding", {1, 1}}, {"EndPadding", {1, 1}}}}},
    Case{"window_3x3_stride_1_padding_counts",
         {{{2, 9, 5, 7}, {2, 9, 5, 7}}},
         {{{"WindowSize", {3, 3}},
           {"StartPadding", {1, 1}},
           {"EndPadding", {1, 1}},
           {"IncludePadding", {1}}}}},
    Case{"window_3x3_stride_2_padded",
         {{{1, 17, 9, 70}, {1, 17, 5, 35}}},
         {{{"WindowSize", {3, 3}},
           {"Strides", {2, 2}},
           {"StartPadding", {1, 1}},
           {"EndPadding", {0, 0}}}}},
    Case{"ceil_size_overhangs",
         {{{1, 2, 4, 4}, {1, 2, 2, 3}}},
         {{{"WindowSize", {2, 2}}, {"Strides", {3, 1}}}}},
    Case{"windows_without_taps",
         {{{1, 1, 1, 1}, {1, 1, 1, 3}}},
         {{{"WindowSize", {1, 1}}, {"StartPadding", {0, 1}}, {"EndPadding", {0, 1}}}}},
    Case{"windows_apart",
         {{{1, 2, 7, 40}, {1, 2, 2, 8}}},
         {{{"WindowSize", {2, 3}}, {"Strides", {5, 5}}}}},
    Case{"volume",
         {{{1, 2, 5, 6, 7}, {1, 2, 3, 3, 7}}},
         {{{"WindowSize", {3, 2, 3}},
           {"Strides", {2, 2, 1}},
           {"StartPadding", {1, 0, 1}},
           {"EndPadding", {1, 0, 1}}}}},
    Case{"whole_plane_of_49", {{{3, 5, 7, 7}, {3, 5, 1, 1}}}, {{{"WindowSize", {7, 7}}}}},
    Case{"whole_plane_of_two_blocks",
         {{{1, 2, 70, 80}, {1, 2, 1, 1}}},
         {{{"WindowSize", {70, 80}}}}},
    Case{"window_of_81_padded",
         {{{1, 2, 12, 12}, {1, 2, 2, 2}}},
         {{{"WindowSize", {9, 9}},
           {"Strides", {3, 3}},
           {"StartPadding", {1, 1}},
           {"EndPadding", {1, 1}}}}},
    Case{"window_of_padding_rows",
         {{{1, 3, 2, 3}, {1, 3, 3, 3}}},
         {{{"WindowSize", {30, 5}},
           {"Strides", {14, 1}},
           {"StartPadding", {28, 2}},
           {"EndPadding", {28, 2}}}}},
    Case{"rows_of_whole_lines_2x2",
         {{{1, 2, 4, 64}, {1, 2, 2, 32}}},
         {{{"WindowSize", {2, 2}}, {"Strides", {2, 2}}}}},
    Case{"rows_of_whole_lines_3x3",
         {{{1, 2, 4, 64}, {1, 2, 4, 64}}},
         {{{"WindowSize", {3, 3}}, {"StartPadding", {1, 1}}, {"EndPadding", {1, 1}}}}},
    Case{"channels_of_whole_lines", {{{1, 64, 3, 5}, {1, 64, 2, 4}}}, {{{"WindowSize", {2, 2}}}}},
    Case{"channels_of_whole_lines_stride_2",
         {{{1, 64, 4, 6}, {1, 64, 2, 3}}},
         {{{"WindowSize", {2, 2}}, {"Strides", {2, 2}}}}},
    Case{"channels_in_chunks",
         {{{1, 700, 5, 30}, {1, 700, 3, 15}}},
         {{{"WindowSize", {3, 3}},
           {"Strides", {2, 2}},
           {"StartPadding", {1, 1}},
           {"EndPadding", {1, 0}}}}},
};

inline constexpr std::array kDilated = {
    Case{"dilated",
         {{{1, 1, 4, 4}, {1, 1, 2, 2}}},
         {{{"WindowSize", {2, 2}}, {"Dilations", {2, 2}}}}},
    Case{"dilated_stride_2_padded",
         {{{2, 9, 8, 45}, {2, 9, 3, 21}}},
         {{{"WindowSize", {2, 3}},
           {"Strides", {3, 2}},
           {"Dilations", {3, 2}},
           {"StartPadding", {2, 1}},
           {"EndPadding", {0, 0}}}}},
};

inline constexpr auto kCases = [] {
  std::array<Case, kShapes.size() + kDilated.size()> cases;
  std::ranges::copy(kDilated, std::ranges::copy(kShapes, cases.begin()).out);
  return cases;
}();
inline constexpr auto kGradientCases = [] {
  auto cases = kShapes;
  for (Case& c : cases) std::swap(c.sizes[0], c.sizes[1]);
  return cases;
}();

inline constexpr BenchTarget kForwardTarget = {.float32_floors = 1.5,
                                               .other_floors = 1.5,
                                               .peer_ratio = 1,
                                               .cuda_float32_floors = 1.2,
                                               .cuda_float16_floors = 1.2};
inline constexpr BenchTarget kGradientTarget = {.float32_floors = 2,
                                                .other_floors = 2,
                                                .peer_ratio = 1,
                                                .cuda_float32_floors = 1.6,
                                                .cuda_float16_floors = 1.6};

inline constexpr std::array kBenchCases = {
    BenchCase{.shape = {"window_2x2_stride_2_8x64x112x112",
                        {{{8, 64, 112, 112}, {8, 64, 56, 56}}},
                        {{{"WindowSize", {2, 2}}, {"Strides", {2, 2}}}}},
              .layouts = kImageLayouts,
              .core = true,
              .independent_items = true,
              .target = kForwardTarget},
    BenchCase{.shape = {"window_3x3_stride_2_8x64x112x112",
                        {{{8, 64, 112, 112}, {8, 64, 56, 56}}},
                        {{{"WindowSize", {3, 3}},
                          {"Strides", {2, 2}},
                          {"StartPadding", {1, 1}},
                          {"EndPadding", {1, 1}}}}},
              .layouts = kImageLayouts,
              .core = true,
              .independent_items = true,
              .target = kForwardTarget},
    BenchCase{
        .shape = {"window_3x3_stride_1_8x64x56x56",
                  {{{8, 64, 56, 56}, {8, 64, 56, 56}}},
                  {{{"WindowSize", {3, 3}}, {"StartPadding", {1, 1}}, {"EndPadding", {1, 1}}}}},
        .layouts = kImageLayouts,
        .core = true,
        .independent_items = true,
        .target = kForwardTarget},
    BenchCase{.shape = {"whole_plane_32x2048x7x7",
                        {{{32, 2048, 7, 7}, {32, 2048, 1, 1}}},
                        {{{"WindowSize", {7, 7}}}}},
              .layouts = kImageLayouts,
              .core = true,
              .independent_items = true,
              .target = {.float32_floors = 1.5, .other_floors = 1.5}},
    BenchCase{.shape = {"whole_plane_8x64x112x112",
                        {{{8, 64, 112, 112}, {8, 64, 1, 1}}},
                        {{{"WindowSize", {112, 112}}}}},
              .layouts = kImageLayouts,
              .independent_items = true},
};
inline constexpr auto kGradientBenchCases = [] {
  auto cases = kBenchCases;
  for (BenchCase& c : cases) {
    std::swap(c.shape.sizes[0], c.shape.sizes[1]);
    c.target = kGradientTarget;
    if (c.shape.name.starts_with("whole")) {
      c.target.cuda_float32_floors = c.target.cuda_float16_floors = 0;
    }
  }
  return cases;
}();

}  // namespace anydml::average_pooling
