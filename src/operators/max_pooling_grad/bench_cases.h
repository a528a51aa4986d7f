// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the benchmark times of MAX_POOLING_GRAD.
#pragma once

#include "operators/shared_cases.h"

namespace anydml::max_pooling_grad {

// Targets in floors: FLOAT32, other types, the peers' ratio, FLOAT32 and FLOAT16 on CUDA devices.
constexpr BenchCase Timed(std::string_view name, bool core, const BenchTarget& target) {
  BenchCase c = FindBenchCase(shared::kBenchPools, name);
  c.shape.sizes[2] = c.shape.sizes[0];
  c.core = core;
  c.target = target;
  return c;
}
inline constexpr BenchCase kBenchCases[] = {
    Timed("window_2x2_stride_2_8x64x112x112", true, {1.5, 1.5, 2, 1.05, 1.05}),
    Timed("window_3x3_stride_2_8x64x112x112", true, {2, 0, 2, 1.1, 1.2}),
    Timed("window_3x3_stride_1_8x64x56x56", true, {2, 4.5, 2, 1.2, 1.5}),
    Timed("window_5x5_stride_1_8x64x56x56", true, {3.2, 0, 2, 2, 3}),
    Timed("window_3x3_dilation_2_8x64x56x56", true, {2, 4.5, 2, 2, 3}),
    Timed("global_7x7_64x2048x7x7", true, {1.5, 1.5, 2}),
    Timed("volume_2x2x2_stride_2_2x32x16x56x56", true, {1.5, 1.5, 2, 2, 3}),
    Timed("volume_3x3x3_stride_1_2x32x16x56x56", false, {0, 0, 1, 2, 3}),
    Timed("volume_3x3x3_stride_2_2x32x16x56x56", false, {0, 0, 1, 2, 3}),
};

}  // namespace anydml::max_pooling_grad
