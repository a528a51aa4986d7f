// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes.
#pragma once

#include <directml.h>

#include "operators/case.h"

namespace anydml::normalization {

inline constexpr CaseSetting kEpsilonSetting = {"Epsilon", {1e-5}};
inline constexpr double kRelu = DML_OPERATOR_ACTIVATION_RELU;

constexpr Case BatchCase(std::string_view name, const CaseSizes& x, const CaseSizes& mean,
                         const CaseSizes& variance, const CaseSizes& scale, const CaseSizes& bias) {
  Case c = {.name = name};
  c.sizes = {x, mean, variance, scale, bias, x};
  c.settings[0] = kEpsilonSetting;
  return c;
}
constexpr Case BatchCase(std::string_view name, const CaseSizes& x, const CaseSizes& channels) {
  return BatchCase(name, x, channels, channels, channels, channels);
}
constexpr Case Fused(Case c) {
  c.settings[1] = {"FusedActivation", {kRelu}};
  return c;
}

inline constexpr Case kBatchCases[] = {
    BatchCase("one_element", {1, 1, 1, 1}, {1, 1, 1, 1}),
    BatchCase("channels_of_images", {2, 5, 7, 9}, {1, 5, 1, 1}),
    BatchCase("long_rows", {2, 2, 1, 4500}, {1, 2, 1, 1}),
    BatchCase("every_tensor_has_its_own_sizes", {2, 3, 4, 5}, {1, 3, 1, 1}, {1, 1, 1, 1},
              {2, 3, 1, 1}, {1, 3, 4, 5}),
    BatchCase("other_dimensions", {6, 11}, {1, 11}),
    BatchCase("eight_dimensions", {2, 1, 3, 2, 1, 2, 3, 5}, {1, 1, 3, 1, 1, 2, 1, 1}),
    Fused(BatchCase("activation", {2, 3, 5, 7}, {1, 3, 1, 1})),
};

constexpr Case TrainingCase(std::string_view name, const CaseSizes& x, const CaseSizes& scale,
                            bool adds) {
  Case c = {.name = name};
  c.sizes = {x, scale, scale, adds ? x : CaseSizes(), x, scale, scale};
  c.settings[0] = kEpsilonSetting;
  return c;
}
inline constexpr Case kTrainingCases[] = {
    TrainingCase("one_element", {1, 1}, {1, 1}, false),
    TrainingCase("channels_of_images", {2, 5, 7, 9}, {1, 5, 1, 1}, false),
    TrainingCase("blocks_of_images", {4, 3, 37, 31}, {1, 3, 1, 1}, false),
    TrainingCase("something_is_added", {2, 3, 5, 7}, {1, 3, 1, 1}, true),
    TrainingCase("features", {300, 19}, {1, 19}, false),
    TrainingCase("features_of_blocks", {4100, 6}, {1, 6}, false),
    TrainingCase("eight_dimensions", {2, 1, 3, 2, 1, 2, 3, 5}, {1, 1, 3, 1, 1, 2, 1, 1}, true),
    Fused(TrainingCase("activation", {2, 3, 5, 7}, {1, 3, 1, 1}, true)),
};

constexpr Case GradCase(std::string_view name, const CaseSizes& x, const CaseSizes& mean) {
  Case c = {.name = name};
  c.sizes = {x, x, mean, mean, mean, x, mean, mean};
  c.settings[0] = kEpsilonSetting;
  return c;
}
inline constexpr Case kGradCases[] = {
    GradCase("one_element", {1, 1}, {1, 1}),
    GradCase("channels_of_images", {2, 5, 7, 9}, {1, 5, 1, 1}),
    GradCase("blocks_of_images", {4, 3, 37, 31}, {1, 3, 1, 1}),
    GradCase("features", {300, 19}, {1, 19}),
    GradCase("features_of_blocks", {4100, 6}, {1, 6}),
    GradCase("eight_dimensions", {2, 1, 3, 2, 1, 2, 3, 5}, {1, 1, 3, 1, 1, 2, 1, 1}),
};

constexpr Case MvnCase(std::string_view name, const CaseSizes& x, const CaseSizes& scale,
                       const CaseSizes& bias, const CaseSetting& axes) {
  Case c = {.name = name};
  c.sizes = {x, scale, bias, x};
  c.settings = {{kEpsilonSetting, axes}};
  return c;
}
constexpr Case With(Case c, std::string_view field, double value) {
  c.settings[2] = {field, {value}};
  return c;
}
constexpr Case FusedMvn(Case c) {
  c.settings[2] = {"FusedActivation", {kRelu}};
  return c;
}
inline constexpr Case kMvnCases[] = {
    MvnCase("one_element", {1}, {}, {}, {"Axes", {0}}),
    MvnCase("no_axes", {2, 3}, {2, 3}, {2, 3}, {"Axes", {}}),
    MvnCase("layers", {5, 67}, {1, 67}, {1, 67}, {"Axes", {1}}),
    MvnCase("layers_without_bias", {2, 3, 131}, {1, 1, 131}, {}, {"Axes", {2}}),
    MvnCase("layers_of_several_blocks", {2, 5000}, {1, 5000}, {1, 5000}, {"Axes", {1}}),
    MvnCase("instances", {2, 3, 9, 11}, {1, 3, 1, 1}, {1, 3, 1, 1}, {"Axes", {2, 3}}),
    MvnCase("without_scale_and_bias", {3, 300}, {}, {}, {"Axes", {1}}),
    MvnCase("channels_of_images", {2, 5, 7, 9}, {1, 5, 1, 1}, {1, 5, 1, 1}, {"Axes", {1}}),
    MvnCase("features", {300, 19}, {1, 19}, {1, 19}, {"Axes", {0}}),
    MvnCase("scale_and_bias_of_other_sizes", {3, 4, 5}, {3, 1, 5}, {1, 4, 1}, {"Axes", {2, 0}}),
    MvnCase("eight_dimensions", {2, 1, 3, 2, 1, 2, 3, 5}, {1, 1, 3, 2, 1, 1, 3, 5}, {},
            {"Axes", {6, 7, 2}}),
    MvnCase("more_than_the_cache_keeps", {1, 70000}, {1, 70000}, {1, 1}, {"Axes", {1}}),
    With(MvnCase("mean_alone", {4, 70}, {1, 70}, {1, 70}, {"Axes", {1}}), "NormalizeVariance", 0),
    With(MvnCase("variance_alone", {4, 4200}, {1, 4200}, {}, {"Axes", {1}}), "UseMean", 0),
    With(MvnCase("variance_alone_of_columns", {300, 7}, {}, {}, {"Axes", {0}}), "UseMean", 0),
    With(MvnCase("neither", {4, 70}, {}, {}, {"Axes", {1}}), "UseVariance", 0),
    FusedMvn(MvnCase("activation", {2, 67}, {1, 67}, {1, 67}, {"Axes", {1}})),
};
inline constexpr Case kMvn0Cases[] = {
    MvnCase("planes", {2, 3, 9, 11}, {1, 3, 1, 1}, {1, 3, 1, 1}, {"CrossChannel", {0}}),
    MvnCase("all_channels", {2, 3, 9, 11}, {}, {}, {"CrossChannel", {1}}),
    With(MvnCase("without_variance", {2, 3, 9, 11}, {}, {}, {"CrossChannel", {1}}),
         "NormalizeVariance", 0),
};

constexpr Case LpCase(std::string_view name, const CaseSizes& x, double axis, double p) {
  Case c = {.name = name};
  c.sizes = {x, x};
  c.settings = {{{"Axis", {axis}}, {"P", {p}}, {"Epsilon", {0.125}}}};
  return c;
}
inline constexpr Case kLpCases[] = {
    LpCase("one_element", {1}, 0, 2),
    LpCase("rows", {5, 133}, 1, 1),
    LpCase("rows_of_squares", {5, 131}, 1, 2),
    LpCase("rows_of_blocks", {2, 5000}, 1, 2),
    LpCase("rows_longer_than_the_buffer", {2, 17000}, 1, 1),
    LpCase("channels_of_images", {2, 19, 5, 7}, 1, 2),
    LpCase("features", {300, 19}, 0, 1),
    LpCase("long_columns", {1100, 5}, 0, 2),
    LpCase("eight_dimensions", {2, 1, 3, 2, 1, 2, 3, 5}, 2, 2),
};

constexpr Case ResponseCase(std::string_view name, const CaseSizes& x, bool cross_channel,
                            double local_size, double beta) {
  Case c = {.name = name};
  c.sizes = {x, x};
  c.settings = {{{"CrossChannel", {cross_channel ? 1.0 : 0.0}},
                 {"LocalSize", {local_size}},
                 {"Alpha", {0.5}},
                 {"Beta", {beta}},
                 {"Bias", {1}}}};
  return c;
}
inline constexpr Case kResponseCases[] = {
    ResponseCase("one_element", {1, 1, 1, 1}, true, 5, 0.75),
    ResponseCase("channels", {2, 7, 5, 6}, true, 5, 0.75),
    ResponseCase("even_region_of_channels", {1, 19, 3, 5}, true, 4, 0.5),
    ResponseCase("channels_of_one_row", {1, 5, 1, 1100}, true, 3, 0.75),
    ResponseCase("all_channels", {1, 5, 2, 3}, true, 4294967295.0, 1),
    ResponseCase("many_channels", {1, 1100, 1, 2}, true, 1100, 0.75),
    ResponseCase("planes", {2, 3, 5, 37}, false, 3, 0.75),
    ResponseCase("even_region_of_planes", {1, 2, 6, 7}, false, 4, 0.25),
    ResponseCase("larger_than_the_plane", {1, 17, 3, 4}, false, 9, 0.75),
    ResponseCase("long_rows", {1, 1, 2, 1030}, false, 5, 2),
};
inline constexpr auto kResponseGradCases = [] {
  auto cases = std::to_array(kResponseCases);
  for (Case& c : cases) c.sizes[2] = c.sizes[0];
  return cases;
}();

// ---- Benchmarks. What has to be reached counts the passes: two reads and a write forward, four
// reads and a write backward, which are 3/2 and 5/3 of the bytes of a row.

inline constexpr BenchTarget kTrainingTarget = {.cuda_float32_floors = 1.8,
                                                .cuda_float16_floors = 1.8};
inline constexpr BenchTarget kGradTarget = {.cuda_float32_floors = 2, .cuda_float16_floors = 2};
inline constexpr BenchCase kBatchBenchCases[] = {
    {.shape = BatchCase("images_32x256x56x56", {32, 256, 56, 56}, {1, 256, 1, 1}),
     .layouts = kImageLayouts}};
inline constexpr BenchCase kTrainingBenchCases[] = {
    {.shape = TrainingCase("images_32x256x56x56", {32, 256, 56, 56}, {1, 256, 1, 1}, false),
     .layouts = kImageLayouts,
     .target = kTrainingTarget},
    {.shape = TrainingCase("images_64x64x112x112", {64, 64, 112, 112}, {1, 64, 1, 1}, false),
     .target = kTrainingTarget},
    {.shape = TrainingCase("images_128x512x7x7", {128, 512, 7, 7}, {1, 512, 1, 1}, false),
     .target = kTrainingTarget}};
inline constexpr BenchCase kGradBenchCases[] = {
    {.shape = GradCase("images_32x256x56x56", {32, 256, 56, 56}, {1, 256, 1, 1}),
     .layouts = kImageLayouts,
     .target = kGradTarget},
    {.shape = GradCase("images_128x512x7x7", {128, 512, 7, 7}, {1, 512, 1, 1}),
     .target = kGradTarget}};
inline constexpr BenchCase kMvnBenchCases[] = {
    {.shape = MvnCase("layers_32768x1024", {32768, 1024}, {1, 1024}, {1, 1024}, {"Axes", {1}}),
     .target = {.float32_floors = 1.3, .cuda_float32_floors = 1.2, .cuda_float16_floors = 1.2}},
    {.shape = MvnCase("instances_16x64x128x128", {16, 64, 128, 128}, {1, 64, 1, 1}, {1, 64, 1, 1},
                      {"Axes", {2, 3}}),
     .target = {.float32_floors = 1.3}}};

// A read, and a read and a write.
inline constexpr BenchCase kLpBenchCases[] = {
    {.shape = LpCase("rows_32768x1024", {32768, 1024}, 1, 2),
     .independent_items = true,
     .target = {.float32_floors = 1.5}},
    {.shape = LpCase("channels_16x64x128x128", {16, 64, 128, 128}, 1, 2),
     .independent_items = true}};
inline constexpr BenchCase kResponseBenchCases[] = {
    {.shape = ResponseCase("channels_8x64x56x56", {8, 64, 56, 56}, true, 5, 0.75),
     .layouts = kImageLayouts,
     .independent_items = true},
    {.shape = ResponseCase("planes_8x64x56x56", {8, 64, 56, 56}, false, 3, 0.75),
     .layouts = kImageLayouts,
     .independent_items = true}};
inline constexpr auto kResponseGradBenchCases = [] {
  auto cases = std::to_array(kResponseBenchCases);
  for (BenchCase& c : cases) c.shape.sizes[2] = c.shape.sizes[0];
  return cases;
}();

}  // namespace anydml::normalization
