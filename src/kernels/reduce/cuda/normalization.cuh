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
template <typename E, class Body, int N>
void RunElements(const StridedLoop<N>& loop, bool packed, const Body& body, cuda::Stream stream) {
  if (packed) {
    cuda::RunPacked<16 / sizeof(E)>(loop, stream, body);
  } else {
    cuda::RunSingle(loop, stream, body);
  }
}
template <class Plan>
Refusal AcceptsPackedElements(const Plan& plan) {
  constexpr int kOutput = std::tuple_size_v<decltype(plan.elements.strides)> - 1;
  return {cuda::RefusePacked(plan.elements, kOutput, 16 / ElementSize(plan.type))};
}

}  // namespace anydml::reduce
