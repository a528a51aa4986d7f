// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Cuts a strided loop into tiles: boxes of elements of which every tensor reads
// or writes whole runs, whatever its order of dimensions. A walk in the order of
// one tensor touches a line of the others per element; a tile touches each line
// once. Names no operator.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "backends/cpu/executor.h"
#include "base/checked_math.h"
#include "tensor/strided_loop.h"

namespace anydml::cpu {

// Sizes of a box, one per dimension of its loop.
struct Box {
  uint32_t rank = 0;
  std::array<uint64_t, kMaxDimensions> sizes = {};

  uint64_t ElementCount() const {
    uint64_t count = 1;
    for (uint32_t i = 0; i < rank; ++i) count *= sizes[i];
    return count;
  }
};

// Elements of a tile at most: 16 KiB per tensor of 32-bit elements.
inline constexpr uint64_t kMaxTileElements = 4096;

namespace internal {

// Dimensions from the smallest stride of a tensor to the largest, without those
// that repeat its elements.
template <int N>
Box GrowAlong(const StridedLoop<N>& loop, int tensor, uint64_t run, Box box) {
  const auto& strides = loop.strides[tensor];
  const auto magnitude = [&](uint32_t i) { return strides[i] < 0 ? -strides[i] : strides[i]; };
  std::array<bool, kMaxDimensions> used = {};
  for (uint64_t length = 1; length < run;) {
    uint32_t next = loop.rank;
    for (uint32_t i = 0; i < loop.rank; ++i) {
      const bool smaller = next == loop.rank || magnitude(i) < magnitude(next);
      if (!used[i] && strides[i] != 0 && smaller) next = i;
    }
    if (next == loop.rank) break;
    used[next] = true;
    const uint64_t wanted = std::min(loop.sizes[next], CeilDivide(run, length));
    box.sizes[next] = std::max(box.sizes[next], wanted);
    length *= box.sizes[next];
  }
  return box;
}

}  // namespace internal

// Runs of 256 bytes in every tensor where that is possible, of fewer where tensors
// of many orders would make the tile too large.
template <int N>
Box ChooseTile(const StridedLoop<N>& loop, uint64_t element_size) {
  Box box;
  for (uint64_t run = 256 / element_size; run != 0; run /= 2) {
    box = Box{.rank = loop.rank};
    std::fill_n(box.sizes.begin(), loop.rank, 1);
    for (int t = N; t-- > 0;) box = internal::GrowAlong(loop, t, run, box);
    if (box.ElementCount() <= kMaxTileElements) break;
  }
  return box;
}

// One tile: its sizes, and the element offset of its first element per tensor.
template <int N>
struct Tile {
  Box box;
  std::array<int64_t, N> offsets = {};
};

namespace internal {

// Dimensions from the largest stride of the first input that does not have the
// output's order to its smallest.
template <int N>
std::array<uint32_t, kMaxDimensions> InputOrder(const StridedLoop<N>& loop) {
  const auto magnitude = [&](int t, uint32_t i) { return std::abs(loop.strides[t][i]); };
  const auto descends = [&](int t) {
    for (uint32_t i = 0; i + 1 < loop.rank; ++i) {
      if (magnitude(t, i) < magnitude(t, i + 1)) return false;
    }
    return true;
  };
  int input = 0;
  while (input + 1 < N && descends(input)) ++input;
  std::array<uint32_t, kMaxDimensions> order = {};
  for (uint32_t i = 0; i < loop.rank; ++i) {
    uint32_t k = i;
    for (; k > 0 && magnitude(input, order[k - 1]) < magnitude(input, i); --k) {
      order[k] = order[k - 1];
    }
    order[k] = i;
  }
  return order;
}

}  // namespace internal

// Calls body(tile, next) for tiles that cover the loop, with the one that comes next
// (at the end the same). Every piece of a thread has a body of its own, from
// make_body(), and calls done() at its end. In the order of an input: what is read in
// part, the processor fetches whole; what is written, it does not fetch ahead.
template <int N, typename MakeBody, typename Done>
void ForEachTile(const StridedLoop<N>& loop, const Box& box, const Executor& executor,
                 uint64_t elements_per_unit, const MakeBody& make_body, const Done& done) {
  std::array<uint64_t, kMaxDimensions> counts = {};
  uint64_t tiles = 1;
  for (uint32_t i = 0; i < loop.rank; ++i) {
    counts[i] = CeilDivide(loop.sizes[i], box.sizes[i]);
    tiles *= counts[i];
  }
  const uint64_t grain = std::max<uint64_t>(1, elements_per_unit / box.ElementCount());
  const auto order = internal::InputOrder(loop);
  const auto tile_at = [&](uint64_t index) {
    Tile<N> tile = {.box = box};
    for (uint32_t k = loop.rank; k-- > 0;) {
      const uint32_t i = order[k];
      const uint64_t first = index % counts[i] * box.sizes[i];
      tile.box.sizes[i] = std::min(box.sizes[i], loop.sizes[i] - first);
      for (int t = 0; t < N; ++t) {
        tile.offsets[t] += static_cast<int64_t>(first) * loop.strides[t][i];
      }
      index /= counts[i];
    }
    return tile;
  };
  executor.ParallelFor(tiles, grain, [&](uint64_t begin, uint64_t end) {
    auto body = make_body();
    Tile<N> tile = tile_at(begin);
    for (uint64_t index = begin; index < end; ++index) {
      const Tile<N> next = tile_at(std::min(index + 1, end - 1));
      body(std::as_const(tile), next);
      tile = next;
    }
    done();
  });
}

// Calls body(offsets) for each row of a box, its last dimension, in order.
// offsets[k] moves by strides[k] along the dimensions outside.
template <size_t K, typename Body>
void ForEachRowOfBox(const Box& box, const std::array<const int64_t*, K>& strides,
                     const Body& body) {
  std::array<uint64_t, kMaxDimensions> at = {};
  std::array<int64_t, K> offsets = {};
  for (;;) {
    body(std::as_const(offsets));
    for (uint32_t i = box.rank - 1;;) {
      if (i-- == 0) return;
      for (size_t k = 0; k < K; ++k) offsets[k] += strides[k][i];
      if (++at[i] < box.sizes[i]) break;
      for (size_t k = 0; k < K; ++k) {
        offsets[k] -= static_cast<int64_t>(box.sizes[i]) * strides[k][i];
      }
      at[i] = 0;
    }
  }
}

// Strides of a box whose elements lie side by side.
inline std::array<int64_t, kMaxDimensions> PackedStrides(const Box& box) {
  std::array<int64_t, kMaxDimensions> strides = {};
  int64_t stride = 1;
  for (uint32_t i = box.rank; i-- > 0;) {
    strides[i] = stride;
    stride *= static_cast<int64_t>(box.sizes[i]);
  }
  return strides;
}

// Dimensions that are contiguous in every tensor of the strides become one row.
template <size_t K>
Box MergeRows(Box box, const std::array<const int64_t*, K>& strides) {
  while (box.rank > 1) {
    const uint32_t last = box.rank - 1;
    for (size_t k = 0; k < K; ++k) {
      if (strides[k][last - 1] != static_cast<int64_t>(box.sizes[last])) return box;
    }
    box.sizes[last - 1] *= box.sizes[last];
    --box.rank;
  }
  return box;
}

}  // namespace anydml::cpu
