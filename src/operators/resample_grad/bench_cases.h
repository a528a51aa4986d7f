// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the benchmark times of RESAMPLE_GRAD1.
#pragma once

#include "operators/shared_cases.h"

namespace anydml::resample_grad {

// Targets in floors: FLOAT32, other types, the peers' ratio, FLOAT32 and FLOAT16 on CUDA devices.
constexpr BenchCase Timed(std::string_view name, bool core, const BenchTarget& target) {
  BenchCase c = FindBenchCase(shared::kBenchResamplings, name);
  std::swap(c.shape.sizes[0], c.shape.sizes[1]);
  c.core = core;
  c.target = target;
  return c;
}
inline constexpr BenchCase kBenchCases[] = {
    Timed("nearest_2x_8x64x56x56", true, {1.5, 0, 2, 1.05, 1.05}),
    Timed("linear_2x_8x64x56x56", true, {2, 3, 5, 1.1, 1.2}),
    Timed("nearest_half_8x64x56x56", true, {1.5, 0, 2, 1.1, 1.15}),
    Timed("linear_half_8x64x56x56", true, {2, 3, 5, 1.1, 1.1}),
    Timed("nearest_64_to_100_8x64x64x64", true, {1.5, 0, 2, 1.1, 1.15}),
    Timed("linear_64_to_100_8x64x64x64", true, {2, 3, 5, 1.2, 1.5}),
    Timed("nearest_4x_8x64x28x28", true, {1.5, 0, 2, 1.1, 1.15}),
    Timed("linear_4x_8x64x28x28", true, {2, 3, 5, 1.2, 1.5}),
    Timed("linear_three_axes_32x8x56x56", true, {2, 3, 5, 2, 3}),
    // A volume whose channels lie last.
    Timed("linear_three_axes_8x56x56x32", true, {2, 3, 5}),
    Timed("linear_one_axis_1048576", true, {2, 3, 5}),
    // The same with a table of terms.
    Timed("linear_one_axis_262144", false, {2, 3}),
    Timed("linear_four_axes_8x32x28x28", true, {2, 3, 5}),
};

}  // namespace anydml::resample_grad
