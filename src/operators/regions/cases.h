// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes. Random regions are often outside, inverted or infinite; indices often beyond the
// batch.
#pragma once

#include <directml.h>

#include "operators/case.h"

namespace anydml::regions {

struct AlignShape {
  std::string_view name;
  CaseSizes image;
  CaseSizes small;
  double function = DML_REDUCE_FUNCTION_AVERAGE;
  double mode = DML_INTERPOLATION_MODE_LINEAR;
  double least = 1, most = 1;
  double aligns = 0;
  double scale = 1;
};
inline constexpr double kMax = DML_REDUCE_FUNCTION_MAX;
inline constexpr double kNearest = DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR;
inline constexpr AlignShape kShapes[] = {
    {"one_element", {1, 1, 1, 1}, {1, 1, 1, 1}},
    {"average_of_one", {2, 3, 6, 7}, {9, 3, 2, 3}},
    {"average_of_few", {2, 3, 6, 7}, {9, 3, 2, 3}, DML_REDUCE_FUNCTION_AVERAGE, 1, 2, 4},
    {"average_of_few_pixels",
     {3, 2, 5, 9},
     {11, 2, 4, 1},
     DML_REDUCE_FUNCTION_AVERAGE,
     kNearest,
     1,
     5},
    {"maximum_of_few", {2, 3, 6, 7}, {9, 3, 2, 3}, kMax, 1, 1, 3},
    {"maximum_of_few_pixels", {2, 2, 6, 7}, {9, 2, 2, 3}, kMax, kNearest, 2, 2},
    {"corners", {2, 3, 6, 7}, {9, 3, 3, 2}, DML_REDUCE_FUNCTION_AVERAGE, 1, 1, 2, 1},
    {"one_sample_between_corners", {2, 1, 6, 7}, {9, 1, 1, 1}, kMax, 1, 1, 1, 1},
    {"many_pixels", {1, 2, 3, 200}, {7, 2, 1, 2}, DML_REDUCE_FUNCTION_AVERAGE, 1, 1, 100, 0, 16},
};

constexpr Case AlignCase(const AlignShape& shape) {
  Case c = {.name = shape.name};
  const uint32_t count = shape.small.values[0];
  c.sizes = {shape.image, {count, 4}, {count}, shape.small};
  c.settings = {{{"ReductionFunction", {shape.function}},
                 {"InterpolationMode", {shape.mode}},
                 {"MinimumSamplesPerOutput", {shape.least}},
                 {"MaximumSamplesPerOutput", {shape.most}},
                 {"SpatialScaleX", {shape.scale}},
                 {"SpatialScaleY", {shape.scale / 2}}}};
  if (shape.aligns != 0) c.settings[5] = {"AlignRegionsToCorners", {1}};
  return c;
}
inline constexpr auto kAlign1Cases = [] {
  std::array<Case, std::size(kShapes)> cases;
  for (size_t i = 0; i < cases.size(); ++i) cases[i] = AlignCase(kShapes[i]);
  return cases;
}();
inline constexpr std::span<const Case> kAlignCases = std::span(kAlign1Cases).first(6);

// All tensors; without the gradient of the regions; of the averages without the image.
inline constexpr auto kAlignGradCases = [] {
  std::array<Case, std::size(kShapes) + 2> cases;
  for (size_t i = 0; i < cases.size(); ++i) {
    const Case c = AlignCase(kShapes[i < std::size(kShapes) ? i : 2]);
    cases[i] = c;
    cases[i].sizes = {c.sizes[0], c.sizes[3], c.sizes[1], c.sizes[2], c.sizes[0], c.sizes[1]};
  }
  Case& image_alone = cases[std::size(kShapes)];
  image_alone.name = "gradient_of_the_image_alone";
  image_alone.sizes[0] = image_alone.sizes[5] = {};
  Case& regions_alone = cases[std::size(kShapes) + 1];
  regions_alone.name = "gradient_of_the_regions_alone";
  regions_alone.sizes[4] = {};
  return cases;
}();

constexpr Case PoolingCase(std::string_view name, const CaseSizes& image, const CaseSizes& output) {
  Case c = {.name = name};
  c.sizes = {image, {1, 1, output.values[0], 5}, output};
  c.settings[0] = {"PooledSize", {1.0 * output.values[3], 1.0 * output.values[2]}};
  c.settings[1] = {"SpatialScale", {0.75}};
  return c;
}
inline constexpr Case kPoolingCases[] = {
    PoolingCase("one_element", {1, 1, 1, 1}, {1, 1, 1, 1}),
    PoolingCase("bins", {2, 3, 6, 7}, {9, 3, 2, 3}),
    PoolingCase("more_bins_than_pixels", {1, 2, 3, 2}, {5, 2, 4, 5}),
};

// ---- Benchmarks. Random regions: 512 of one level of a pyramid.

inline constexpr BenchCase kAlignBenchCases[] = {{.shape = AlignCase({"average_512x256x7x7",
                                                                      {1, 256, 100, 136},
                                                                      {512, 256, 7, 7},
                                                                      DML_REDUCE_FUNCTION_AVERAGE,
                                                                      1,
                                                                      2,
                                                                      2,
                                                                      0,
                                                                      8})}};
inline constexpr auto kAlignGradBenchCases = [] {
  std::array<BenchCase, 1> cases = {kAlignBenchCases[0]};
  const Case& c = kAlignBenchCases[0].shape;
  cases[0].shape.sizes = {CaseSizes(), c.sizes[3], c.sizes[1], c.sizes[2], c.sizes[0]};
  return cases;
}();
inline constexpr BenchCase kPoolingBenchCases[] = {
    {.shape = PoolingCase("bins_512x256x7x7", {1, 256, 100, 136}, {512, 256, 7, 7}),
     .tensors_of_items = 1}};

}  // namespace anydml::regions
