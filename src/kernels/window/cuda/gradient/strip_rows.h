// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How many rows a strip has.
#pragma once

#include "kernels/window/cuda/gradient/strips.h"

namespace anydml::window::gradient {

// What a kernel asks of the choice of rows.
struct StripCosts {
  int columns, stride;
  int warm_up;            // iterations before the first window row
  int64_t warps_at_once;  // of the whole device
};

inline int64_t IterationsOf(const StripGrid& strip, int64_t rows, int64_t stride) {
  const int64_t above = strip.pad_height - strip.first_window_row * stride;
  return CeilDivideSigned(rows + above, stride);
}

// Warps one above the other. Rows that two of them read are read twice, and a
// wave of warps takes as long if it is not full: the fewest iterations win.
inline int64_t ChooseChunks(const StripGrid& strip, int64_t groups, const StripCosts& costs) {
  constexpr int64_t kMaxRows = 1000;  // numbers of rows are shorter still
  const int64_t most = CeilDivideSigned(strip.height, 4 * costs.stride);
  int64_t best = 0;
  int64_t least = INT64_MAX;
  for (int64_t chunks = CeilDivideSigned(strip.height, kMaxRows); chunks <= most;
       chunks += 1 + chunks / 16) {
    const int64_t rows = CeilDivideSigned(strip.height, chunks);
    const int64_t waves = CeilDivideSigned(groups * chunks, costs.warps_at_once);
    const int64_t cost = waves * (IterationsOf(strip, rows, costs.stride) + costs.warm_up);
    if (cost < least) {
      least = cost;
      best = chunks;
    }
  }
  return best;
}

// Returns the number of chunks.
inline int64_t SetRows(StripGrid& strip, int64_t groups, const StripCosts& costs) {
  const int64_t rows = CeilDivideSigned(strip.height, ChooseChunks(strip, groups, costs));
  strip.rows = static_cast<int>(CeilDivideSigned(rows, costs.stride) * costs.stride);
  strip.iterations = static_cast<int>(IterationsOf(strip, strip.rows, costs.stride));
  const int64_t chunks = CeilDivideSigned(strip.height, strip.rows);
  strip.chunks = cuda::Divider(static_cast<uint64_t>(chunks));
  return chunks;
}

// Warps of a kernel that the device runs at once.
template <auto kKernel>
int64_t WarpsAtOnce(int threads) {
  static const int blocks = [&] {  // of a multiprocessor
    int count = 0;
    const bool known =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kKernel, threads, 0) == cudaSuccess;
    return known ? std::max(count, 1) : 4;
  }();
  int device = 0;
  int multiprocessors = 0;
  const bool known = cudaGetDevice(&device) == cudaSuccess &&
                     cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                                            device) == cudaSuccess;
  return (known ? multiprocessors : 100) * int64_t{blocks} * threads / 32;
}

}  // namespace anydml::window::gradient
