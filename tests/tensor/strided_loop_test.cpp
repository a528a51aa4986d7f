// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Walks of several tensors together, against plain enumeration.
#include "tensor/strided_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace anydml {
namespace {

constexpr int N = 3;
using Offsets = std::array<int64_t, N>;
using Loop = StridedLoop<N>;

// The offsets of every element (of every row, without the innermost dimension),
// last dimension fastest.
std::vector<Offsets> Enumerate(const Loop& loop, uint32_t dimensions) {
  std::vector<Offsets> all = {Offsets{}};
  for (uint32_t i = 0; i < dimensions; ++i) {
    std::vector<Offsets> grown;
    for (const Offsets& start : all) {
      for (uint64_t k = 0; k < loop.sizes[i]; ++k) {
        Offsets offsets = start;
        for (int t = 0; t < N; ++t) offsets[t] += static_cast<int64_t>(k) * loop.strides[t][i];
        grown.push_back(offsets);
      }
    }
    all = std::move(grown);
  }
  return all;
}

Loop RandomLoop(std::mt19937& random, uint32_t max_dimensions) {
  Loop loop;
  loop.rank = 1 + random() % max_dimensions;
  for (uint32_t i = 0; i < loop.rank; ++i) {
    loop.sizes[i] = 1 + random() % 4;
    for (int t = 0; t < N; ++t) loop.strides[t][i] = static_cast<int64_t>(random() % 13) - 6;
  }
  return loop;
}

// Strides of packed tensors in a shared random order of dimensions, some of them
// walked backwards: the loops that have something to merge.
Loop RandomMergeableLoop(std::mt19937& random) {
  Loop loop;
  loop.rank = 2 + random() % 5;
  std::array<int64_t, N> next;
  for (int t = 0; t < N; ++t) next[t] = random() % 4 == 0 ? -1 : 1;
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < loop.rank; ++i) order.push_back(i);
  std::ranges::shuffle(order, random);
  for (uint32_t i : order) {
    loop.sizes[i] = 1 + random() % 4;
    for (int t = 0; t < N; ++t) {
      loop.strides[t][i] = next[t];
      next[t] *= static_cast<int64_t>(loop.sizes[i]);
      if (random() % 8 == 0) next[t] *= 2;
    }
  }
  return loop;
}

void ExpectSameElements(const Loop& loop, const Loop& coalesced) {
  std::vector<Offsets> expected = Enumerate(loop, loop.rank);
  std::vector<Offsets> actual = Enumerate(coalesced, coalesced.rank);
  std::ranges::sort(expected);
  std::ranges::sort(actual);
  ASSERT_EQ(actual, expected);
}

TEST(Coalesce, VisitsTheSameElementsInAnyLayout) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    const Loop loop = RandomLoop(random, 5);
    const Loop coalesced = Coalesce(loop);
    ASSERT_GE(coalesced.rank, 1u);
    ASSERT_LE(coalesced.rank, loop.rank);
    ExpectSameElements(loop, coalesced);
  }
}

TEST(Coalesce, VisitsTheSameElementsWhereDimensionsMerge) {
  std::mt19937 random(5);
  int merged = 0;
  for (int round = 0; round < 2000; ++round) {
    const Loop loop = RandomMergeableLoop(random);
    const Loop coalesced = Coalesce(loop);
    merged += coalesced.rank < loop.rank;
    ExpectSameElements(loop, coalesced);
  }
  EXPECT_GT(merged, 1000);
}

TEST(Coalesce, LeavesNoDimensionOfSizeOneAndNoNeighboursToMerge) {
  std::mt19937 random(17);
  for (int round = 0; round < 2000; ++round) {
    const Loop loop = Coalesce(RandomMergeableLoop(random));
    for (uint32_t i = 0; i < loop.rank; ++i) ASSERT_TRUE(loop.sizes[i] > 1 || loop.rank == 1);
    for (uint32_t i = 0; i + 1 < loop.rank; ++i) {
      bool contiguous = true;
      for (int t = 0; t < N; ++t) {
        const auto size = static_cast<int64_t>(loop.sizes[i + 1]);
        contiguous = contiguous && loop.strides[t][i] == loop.strides[t][i + 1] * size;
      }
      ASSERT_FALSE(contiguous);
    }
  }
}

TensorDesc Describe(std::initializer_list<uint32_t> sizes,
                    std::initializer_list<uint32_t> strides) {
  TensorDesc tensor;
  tensor.dimension_count = static_cast<uint32_t>(sizes.size());
  std::ranges::copy(sizes, tensor.sizes.begin());
  std::ranges::copy(strides, tensor.strides.begin());
  return tensor;
}

TEST(ElementwiseLoop, MakesOneRowOfALayoutThatAllTensorsShare) {
  const TensorDesc nhwc = Describe({2, 3, 4, 5}, {60, 1, 15, 3});
  const Loop loop = ElementwiseLoop<N>({&nhwc, &nhwc, &nhwc});
  EXPECT_EQ(loop.rank, 1u);
  EXPECT_EQ(loop.inner_size(), 120u);
  EXPECT_TRUE(loop.HasUnitInnerStrides());
  EXPECT_EQ(loop.RowCount(), 1u);
}

TEST(ElementwiseLoop, WritesTheOutputRowByRow) {
  const TensorDesc nchw = Describe({2, 3, 4, 5}, {60, 20, 5, 1});
  const TensorDesc nhwc = Describe({2, 3, 4, 5}, {60, 1, 15, 3});
  const Loop loop = ElementwiseLoop<N>({&nchw, &nchw, &nhwc});
  EXPECT_EQ(loop.inner_stride(2), 1);
  EXPECT_EQ(loop.inner_size(), 3u);
  EXPECT_EQ(loop.RowCount(), 40u);
}

TEST(ElementwiseLoop, KeepsABroadcastDimensionApart) {
  const TensorDesc packed = Describe({4, 6}, {6, 1}), broadcast = Describe({4, 6}, {0, 1});
  const Loop loop = ElementwiseLoop<N>({&broadcast, &packed, &packed});
  ASSERT_EQ(loop.rank, 2u);
  EXPECT_EQ(loop.strides[0][0], 0);
  EXPECT_EQ(loop.RowCount(), 4u);
}

TEST(ElementwiseLoop, MakesARowOfOneOfASingleElement) {
  const TensorDesc one = Describe({1, 1}, {7, 0});
  const Loop loop = ElementwiseLoop<N>({&one, &one, &one});
  EXPECT_EQ(loop.rank, 1u);
  EXPECT_EQ(loop.inner_size(), 1u);
  EXPECT_TRUE(loop.HasUnitInnerStrides());
}

// The largest tensor of bytes has 2^32 - 1 of them: no 32-bit product survives.
TEST(ElementwiseLoop, CountsBeyond32Bits) {
  const TensorDesc large = Describe({65535, 65537}, {65537, 1});
  EXPECT_EQ(ElementwiseLoop<N>({&large, &large, &large}).inner_size(), 4294967295u);
}

TEST(RowWalk, GivesTheOffsetsOfEveryRowFromAnyStart) {
  std::mt19937 random(19);
  for (int round = 0; round < 300; ++round) {
    const Loop loop = RandomLoop(random, 4);
    const std::vector<Offsets> rows = Enumerate(loop, loop.rank - 1);
    ASSERT_EQ(loop.RowCount(), rows.size());
    for (size_t first = 0; first < rows.size(); ++first) {
      RowWalk<N> walk(loop, first);
      for (size_t row = first; row < rows.size(); ++row, walk.Next()) {
        ASSERT_EQ(walk.offsets(), rows[row]);
      }
    }
  }
}

TEST(RowWalk, StartsFarIntoLargeTensors) {
  Loop loop;
  loop.rank = 3;
  loop.sizes = {65536, 65535, 1};
  for (int t = 0; t < N; ++t) loop.strides[t] = {65535, 1, 1};
  loop.strides[1] = {-65535, -1, 1};
  RowWalk<N> walk(loop, uint64_t{65536} * 65535 - 1);
  EXPECT_EQ(walk.offsets(), (Offsets{4294901759, -4294901759, 4294901759}));
}

}  // namespace
}  // namespace anydml
