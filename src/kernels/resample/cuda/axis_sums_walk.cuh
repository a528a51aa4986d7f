// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Walks down an axis, holding the sums of kSize neighbours in registers: every
// source row is asked for once, in ascending order, and every target row is
// given away as soon as it is complete (B13).
//
// Sums of rows may be -0 where B13 says +0: a sum that starts from +0 does not
// see the difference, so only the last axis adds that zero.
#pragma once

#include "backends/cuda/launch.cuh"
#include "kernels/resample/cuda/axis_sums.h"

namespace anydml::cuda {

enum class WalkKind : uint8_t { kForward, kTransposed, kRowByRow };

// 1 * x is x: nearest sampling needs no products.
template <bool kUnitWeights>
__device__ inline float Product(float weight, float value) {
  return kUnitWeights ? value : weight * value;
}

// Rows are samples, targets are pixels: a row goes to the sums of its pixel and
// of the next one.
template <bool kUnitWeights, int kSize, class Row, class Store>
__device__ inline void WalkTransposed(const DeviceTermTable& axis, uint32_t begin, uint32_t end,
                                      const Row& row, const Store& store) {
  float own[kSize] = {}, next[kSize] = {};
  int target = static_cast<int>(begin) - 1;  // whose sums are not wanted
  const auto complete = [&] {
    if (target >= static_cast<int>(begin)) store(target, own);
    for (int i = 0; i < kSize; ++i) {
      own[i] = next[i];
      next[i] = 0;
    }
    ++target;
  };
  uint32_t sample = axis.ranges[begin].begin;
  const uint32_t last = axis.ranges[end - 1].end;
  SampleTaps following = axis.samples[sample];
  for (; sample < last; ++sample) {
    const SampleTaps taps = following;
    following = axis.samples[sample + 1];
    float values[kSize];
    row(sample, values);
#pragma unroll 1
    while (target < static_cast<int>(taps.pixel)) complete();
    for (int i = 0; i < kSize; ++i) own[i] += Product<kUnitWeights>(taps.weight, values[i]);
    if (!kUnitWeights && taps.next_weight != 0) {
      for (int i = 0; i < kSize; ++i) next[i] += taps.next_weight * values[i];
    }
  }
#pragma unroll 1
  while (target < static_cast<int>(end)) complete();
}

// Rows are pixels, targets are samples: at most two rows make a target, and the
// next target often needs one of them again.
template <bool kUnitWeights, int kSize, class Row, class Store>
__device__ inline void WalkForward(const DeviceTermTable& axis, uint32_t begin, uint32_t end,
                                   const Row& row, const Store& store) {
  float own[kSize], next[kSize];
  uint32_t own_pixel = ~0u, next_pixel = ~0u;
  SampleTaps following = axis.samples[begin];
  for (uint32_t target = begin; target < end; ++target) {
    const SampleTaps taps = following;
    following = axis.samples[target + 1];
    if (taps.pixel != own_pixel) {
      if (taps.pixel == next_pixel) {
        for (int i = 0; i < kSize; ++i) own[i] = next[i];
      } else {
        row(taps.pixel, own);
      }
      own_pixel = taps.pixel;
    }
    float sums[kSize];
    for (int i = 0; i < kSize; ++i) sums[i] = Product<kUnitWeights>(taps.weight, own[i]) + 0.0f;
    if (!kUnitWeights && taps.next_weight != 0) {
      if (next_pixel != taps.pixel + 1) {
        next_pixel = taps.pixel + 1;
        row(next_pixel, next);
      }
      for (int i = 0; i < kSize; ++i) sums[i] += taps.next_weight * next[i];
    }
    store(target, sums);
  }
}

// The axis does not change.
template <int kSize, class Row, class Store>
__device__ inline void WalkRowByRow(uint32_t begin, uint32_t end, const Row& row,
                                    const Store& store) {
  for (uint32_t target = begin; target < end; ++target) {
    float sums[kSize];
    row(target, sums);
    for (int i = 0; i < kSize; ++i) sums[i] += 0.0f;
    store(target, sums);
  }
}

template <WalkKind kKind, bool kUnitWeights, int kSize, class Row, class Store>
__device__ inline void WalkRows(const DeviceTermTable& axis, uint32_t begin, uint32_t end,
                                const Row& row, const Store& store) {
  if constexpr (kKind == WalkKind::kForward) {
    WalkForward<kUnitWeights, kSize>(axis, begin, end, row, store);
  } else if constexpr (kKind == WalkKind::kTransposed) {
    WalkTransposed<kUnitWeights, kSize>(axis, begin, end, row, store);
  } else {
    WalkRowByRow<kSize>(begin, end, row, store);
  }
}

}  // namespace anydml::cuda
