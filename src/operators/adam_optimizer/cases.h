// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of ADAM_OPTIMIZER.
#pragma once

#include "operators/case.h"

namespace anydml::adam_optimizer {

// All tensors have the sizes but the step, the fifth of them.
constexpr Case CaseOf(std::string_view name, const CaseSizes& sizes, const CaseSizes& step) {
  Case c = {.name = name};
  c.sizes.fill(sizes);
  c.sizes[4] = step;
  return c;
}
constexpr Case With(Case c, std::initializer_list<CaseSetting> settings) {
  size_t i = 0;
  for (const CaseSetting& setting : settings) c.settings[i++] = setting;
  return c;
}

inline constexpr Case kCases[] = {
    CaseOf("one_element", {1}, {1}),
    CaseOf("tail_after_vectors", {67}, {1, 1, 1}),
    CaseOf("image", {2, 3, 5, 7}, {1, 1, 1, 1}),
    CaseOf("eight_dimensions", {2, 1, 3, 2, 1, 2, 3, 5}, {1}),
    CaseOf("several_pieces_per_row", {2, 20000}, {1, 1}),
    With(CaseOf("exact_factors", {131}, {1}),
         {{"LearningRate", {0.125}}, {"Beta1", {0.5}}, {"Beta2", {0.75}}, {"Epsilon", {0}}}),
};

inline constexpr BenchTarget kTarget = {.float32_floors = 1.15,
                                        .other_floors = 1.15,
                                        .peer_ratio = 1,
                                        .cuda_float32_floors = 1.05,
                                        .cuda_float16_floors = 1.05};
inline constexpr BenchCase kBenchCases[] = {
    {.shape = CaseOf("parameters_2_to_the_24", {16777216}, {1}), .core = true, .target = kTarget},
    {.shape = CaseOf("filters_512x512x3x3", {512, 512, 3, 3}, {1, 1, 1, 1}),
     .layouts = BenchLayout::kPacked | BenchLayout::kChannelsLast},
};

}  // namespace anydml::adam_optimizer
