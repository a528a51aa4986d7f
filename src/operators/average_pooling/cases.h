// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of average pooling. The cases of the gradient are those without dilations, with the
// two tensors exchanged.
#pragma once

#include "operators/shared_cases.h"

namespace anydml::average_pooling {

inline constexpr Case kShapes[] = {
    Pool("one_element", {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1}),
    Pool("documented_example", {1, 1, 3, 3}, {1, 1, 2, 2}, {2, 2}),
    Pool("window_2x2_stride_2", {2, 3, 6, 74}, {2, 3, 3, 37}, {2, 2}).Stride(2),
    Pool("window_3x3_stride_1_padded", {2, 3, 5, 37}, {2, 3, 5, 37}, {3, 3}).Pad(1),
    Pool("window_3x3_stride_1_padding_counts", {2, 9, 5, 7}, {2, 9, 5, 7}, {3, 3})
        .Pad(1)
        .Set("IncludePadding", {1}),
    Pool("window_3x3_stride_2_padded", {1, 17, 9, 70}, {1, 17, 5, 35}, {3, 3})
        .Stride(2)
        .Start(1)
        .End(0),
    Pool("ceil_size_overhangs", {1, 2, 4, 4}, {1, 2, 2, 3}, {2, 2}).Stride(3, 1),
    Pool("windows_without_taps", {1, 1, 1, 1}, {1, 1, 1, 3}, {1, 1}).Pad(0, 1),
    Pool("windows_apart", {1, 2, 7, 40}, {1, 2, 2, 8}, {2, 3}).Stride(5),
    Pool("volume", {1, 2, 5, 6, 7}, {1, 2, 3, 3, 7}, {3, 2, 3}).Stride(2, 2, 1).Pad(1, 0, 1),
    // Only every second or third slice and row of the input has a window, and not the first.
    Pool("volume_rows_without_windows", {1, 2, 2, 2, 4}, {1, 2, 2, 2, 2}, {1, 1, 2})
        .Stride(2)
        .Start(1, 1, 0),
    Pool("volume_rows_without_windows_stride_1", {1, 2, 3, 4, 5}, {1, 2, 2, 2, 4}, {1, 1, 2})
        .Stride(3, 3, 1)
        .Start(2, 1, 0),
    Pool("whole_plane_of_49", {3, 5, 7, 7}, {3, 5, 1, 1}, {7, 7}),
    Pool("whole_plane_of_channels", {2, 261, 9, 8}, {2, 261, 1, 1}, {9, 8}),
    Pool("whole_plane_of_two_blocks", {1, 2, 70, 80}, {1, 2, 1, 1}, {70, 80}),
    Pool("window_of_81_padded", {1, 2, 12, 12}, {1, 2, 2, 2}, {9, 9}).Stride(3).Pad(1),
    Pool("window_of_padding_rows", {1, 3, 2, 3}, {1, 3, 3, 3}, {30, 5}).Stride(14, 1).Pad(28, 2),
    Pool("rows_of_whole_lines_2x2", {1, 2, 4, 64}, {1, 2, 2, 32}, {2, 2}).Stride(2),
    Pool("rows_of_whole_lines_3x3", {1, 2, 4, 64}, {1, 2, 4, 64}, {3, 3}).Pad(1),
    Pool("channels_of_whole_lines", {1, 64, 3, 5}, {1, 64, 2, 4}, {2, 2}),
    Pool("channels_of_whole_lines_stride_2", {1, 64, 4, 6}, {1, 64, 2, 3}, {2, 2}).Stride(2),
    Pool("channels_in_chunks", {1, 700, 5, 30}, {1, 700, 3, 15}, {3, 3})
        .Stride(2)
        .Start(1)
        .End(1, 0),
};

inline constexpr Case kDilated[] = {
    Pool("dilated", {1, 1, 4, 4}, {1, 1, 2, 2}, {2, 2}).Dilate(2),
    Pool("dilated_stride_2_padded", {2, 9, 8, 45}, {2, 9, 3, 21}, {2, 3})
        .Stride(3, 2)
        .Dilate(3, 2)
        .Start(2, 1)
        .End(0),
};

inline constexpr auto kCases = Join(kShapes, kDilated);
// With P = 1, 2, 3, 5 by turns.
inline constexpr auto kLpCases = [] {
  auto cases = kCases;
  constexpr double kDegrees[] = {1, 2, 3, 5};
  for (size_t i = 0; i < cases.size(); ++i) {
    const auto is_free = [](const CaseSetting& setting) {
      return setting.field.empty() || setting.field == "IncludePadding";
    };
    *std::ranges::find_if(cases[i].settings, is_free) = {"P", {kDegrees[i % 4]}};
  }
  return cases;
}();
inline constexpr auto kGradientCases = Exchange(Join(kShapes));

constexpr BenchCase Timed(const Case& shape, double cuda_floors = 0) {
  return {.shape = shape,
          .layouts = kImageLayouts,
          .core = true,
          .independent_items = true,
          .target = {.float32_floors = 1.5,
                     .other_floors = 1.5,
                     .cuda_float32_floors = cuda_floors,
                     .cuda_float16_floors = cuda_floors}};
}
inline constexpr std::array kBenchCases = {
    Timed(Pool("window_2x2_stride_2_8x64x112x112", {8, 64, 112, 112}, {8, 64, 56, 56}, {2, 2})
              .Stride(2),
          1.2),
    Timed(Pool("window_3x3_stride_2_8x64x112x112", {8, 64, 112, 112}, {8, 64, 56, 56}, {3, 3})
              .Stride(2)
              .Pad(1),
          1.2),
    Timed(Pool("window_3x3_stride_1_8x64x56x56", {8, 64, 56, 56}, {8, 64, 56, 56}, {3, 3}).Pad(1),
          1.2),
    Timed(Pool("whole_plane_32x2048x7x7", {32, 2048, 7, 7}, {32, 2048, 1, 1}, {7, 7})),
    OfImages(Pool("whole_plane_8x64x112x112", {8, 64, 112, 112}, {8, 64, 1, 1}, {112, 112})),
};
inline constexpr auto kGradientBenchCases = [] {
  auto cases = kBenchCases;
  for (BenchCase& c : cases) {
    std::swap(c.shape.sizes[0], c.shape.sizes[1]);
    const double cuda_floors = c.shape.name.starts_with("whole") ? 0 : 1.6;
    c.target = {.float32_floors = 2,
                .other_floors = 2,
                .cuda_float32_floors = cuda_floors,
                .cuda_float16_floors = cuda_floors};
  }
  return cases;
}();

constexpr BenchCase Norm(AxesCase shape, double p) { return OfImages(shape.Set("P", {p})); }
inline constexpr std::array kLpBenchCases = {
    Norm(Pool("p2_window_3x3_stride_2_8x64x112x112", {8, 64, 112, 112}, {8, 64, 56, 56}, {3, 3})
             .Stride(2)
             .Pad(1),
         2),
    Norm(Pool("p3_window_2x2_stride_2_8x64x112x112", {8, 64, 112, 112}, {8, 64, 56, 56}, {2, 2})
             .Stride(2),
         3),
    Norm(Pool("p2_whole_plane_8x64x112x112", {8, 64, 112, 112}, {8, 64, 1, 1}, {112, 112}), 2),
};

}  // namespace anydml::average_pooling
