// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What normalizations and their gradients have in common.
#pragma once

#include "kernels/elementwise/cuda/row_packs.cuh"
#include "kernels/reduce/cuda/strategies.h"
#include "kernels/reduce/cuda/teams.cuh"

namespace anydml::reduce {

using Floats = TypeList<float, Float16>;

// Two sums at once.
struct Moments {
  float sum;      // or mean
  float squares;  // of deviations, or products; or variance
};

// The pass over all elements; the last tensor is written.
template <class Body, typename E, int N>
void RunElements(const StridedLoop<N>& loop, const Body& body, cuda::Stream stream) {
  constexpr int kCount = 16 / sizeof(E);
  if (cuda::RefusePacked(loop, N - 1, kCount).empty()) {
    cuda::RunPacked<kCount>(loop, stream, body);
  } else {
    cuda::RunSingle(loop, stream, body);
  }
}

}  // namespace anydml::reduce
