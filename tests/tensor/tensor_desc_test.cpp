// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "tensor/tensor_desc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace anydml {
namespace {

using Sizes = std::vector<uint32_t>;

std::optional<uint64_t> PackedBytes(DataType type, const Sizes& sizes) {
  const Dimensions strides = PackedStrides(sizes);
  return MinimumTotalBytes(type, sizes, std::span(strides).first(sizes.size()));
}

TEST(TensorDesc, PackedStridesCountTheElementsThatFollow) {
  const Dimensions strides = PackedStrides(Sizes{2, 3, 4, 5});
  EXPECT_EQ((Sizes(strides.begin(), strides.begin() + 4)), (Sizes{60, 20, 5, 1}));
}

TEST(TensorDesc, ElementCountDoesNotWrapAt32Bits) {
  TensorDesc tensor;
  tensor.dimension_count = 2;
  tensor.sizes = {65536, 65537};
  EXPECT_EQ(tensor.ElementCount(), 4295032832u);
}

TEST(TensorDesc, LogicalElementCountSaysWhenItDoesNotFit) {
  EXPECT_EQ(LogicalElementCount(Sizes{65536, 65536}), 4294967296u);
  EXPECT_EQ(LogicalElementCount(Sizes{0xFFFFFFFF, 0xFFFFFFFF}), 0xFFFFFFFE00000001u);
  EXPECT_EQ(LogicalElementCount(Sizes{65536, 65536, 65536, 65536}), std::nullopt);
}

TEST(TensorDesc, MinimumTotalBytesIsRoundedUpToFour) {
  EXPECT_EQ(PackedBytes(DataType::kFloat16, {3}), 8u);
  EXPECT_EQ(PackedBytes(DataType::kInt8, {1}), 4u);
  EXPECT_EQ(PackedBytes(DataType::kInt8, {5}), 8u);
  EXPECT_EQ(PackedBytes(DataType::kInt64, {3}), 24u);
}

// DV-05
TEST(TensorDesc, MinimumTotalBytesDoesNotWrapAt32Bits) {
  EXPECT_EQ(PackedBytes(DataType::kFloat32, {65536, 65535}), 17179607040u);
  EXPECT_EQ(PackedBytes(DataType::kInt64, {0xFFFFFFFF}), 34359738360u);
  EXPECT_EQ(MinimumTotalBytes(DataType::kFloat32, Sizes{2, 2}, Sizes{0x80000000, 0x80000000}),
            17179869188u);
}

// The exact value in 128 bits says whether the result fits 64.
TEST(TensorDesc, MinimumTotalBytesIsExactOrEmpty) {
  __extension__ using Wide = unsigned __int128;
  std::mt19937 random(7);
  int empty = 0;
  for (int round = 0; round < 20000; ++round) {
    const size_t rank = 1 + random() % 8;
    Sizes sizes(rank), strides(rank);
    Wide extent = 1;
    for (size_t i = 0; i < rank; ++i) {
      const uint32_t shifts = round % 4 == 0 ? 2 : 32;  // large numbers, numbers of any length
      const auto number = [&] { return static_cast<uint32_t>(random()) >> (random() % shifts); };
      sizes[i] = std::max(1u, number());
      strides[i] = number();
      extent += Wide{sizes[i] - 1} * strides[i];
    }
    const DataType type = round % 2 == 0 ? DataType::kInt64 : DataType::kInt8;
    const Wide bytes = (extent * ElementSize(type) + 3) / 4 * 4;
    const bool fits = bytes >> 64 == 0;
    empty += !fits;
    const std::optional<uint64_t> result = MinimumTotalBytes(type, sizes, strides);
    ASSERT_EQ(result.has_value(), fits);
    ASSERT_EQ(result.value_or(0), fits ? static_cast<uint64_t>(bytes) : 0);
  }
  EXPECT_GT(empty, 100) << "the random numbers no longer reach the border";
}

bool HasDuplicateAddress(const Sizes& sizes, const Sizes& strides) {
  std::vector<uint64_t> addresses = {0};
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::vector<uint64_t> grown;
    for (uint64_t address : addresses) {
      for (uint64_t k = 0; k < sizes[i]; ++k) grown.push_back(address + k * strides[i]);
    }
    addresses = std::move(grown);
  }
  return std::set<uint64_t>(addresses.begin(), addresses.end()).size() != addresses.size();
}

TEST(MayOverlap, IsFalseOnlyWhereNoTwoElementsShareAnAddress) {
  std::mt19937 random(11);
  int clear = 0;
  for (int round = 0; round < 20000; ++round) {
    const size_t rank = 1 + random() % 4;
    Sizes sizes(rank), strides(rank);
    for (size_t i = 0; i < rank; ++i) {
      sizes[i] = 1 + random() % 4;
      strides[i] = random() % 24;
    }
    if (MayOverlap(sizes, strides)) continue;
    ++clear;
    ASSERT_FALSE(HasDuplicateAddress(sizes, strides));
  }
  EXPECT_GT(clear, 1000) << "the random layouts no longer contain enough clear ones";
}

// Permuted and padded layouts pass, whatever the padding.
TEST(MayOverlap, IsFalseForEveryPermutedAndPaddedLayout) {
  std::mt19937 random(13);
  for (int round = 0; round < 2000; ++round) {
    const size_t rank = 1 + random() % 8;
    Sizes sizes(rank), strides(rank);
    std::vector<size_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, random);
    uint32_t next = 1 + random() % 3;
    for (size_t i : order) {
      sizes[i] = 1 + random() % 5;
      strides[i] = next;
      next = next * sizes[i] + random() % 3;
    }
    ASSERT_FALSE(MayOverlap(sizes, strides));
  }
}

TEST(MayOverlap, IgnoresTheStridesOfSizeOne) {
  EXPECT_FALSE(MayOverlap(Sizes{1, 3}, Sizes{0, 1}));
  EXPECT_FALSE(MayOverlap(Sizes{1, 3, 1}, Sizes{1, 1, 2}));
  EXPECT_FALSE(MayOverlap(Sizes{1}, Sizes{0}));
}

// B21: conservative for interleaved dimensions.
TEST(MayOverlap, IsTrueForInterleavedDimensionsThatDoNotCollide) {
  EXPECT_FALSE(HasDuplicateAddress({3, 2}, {2, 3}));
  EXPECT_TRUE(MayOverlap(Sizes{3, 2}, Sizes{2, 3}));
}

TEST(MayOverlap, IsTrueForZeroAndShortStrides) {
  EXPECT_TRUE(MayOverlap(Sizes{2}, Sizes{0}));
  EXPECT_TRUE(MayOverlap(Sizes{2, 3}, Sizes{0, 1}));
  EXPECT_TRUE(MayOverlap(Sizes{2, 3}, Sizes{2, 1}));
  EXPECT_TRUE(MayOverlap(Sizes{2, 3}, Sizes{1, 1}));
}

}  // namespace
}  // namespace anydml
