// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "c_api/shared_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace anydml::c_api {
namespace {

using Numbers = std::vector<uint32_t>;

TensorDesc Tensor(const Numbers& sizes, const Numbers& strides,
                  DataType type = DataType::kFloat32) {
  TensorDesc tensor;
  tensor.data_type = type;
  tensor.dimension_count = static_cast<uint32_t>(sizes.size());
  std::copy(sizes.begin(), sizes.end(), tensor.sizes.begin());
  std::copy(strides.begin(), strides.end(), tensor.strides.begin());
  return tensor;
}

// The addresses of all bytes, one by one.
std::set<uintptr_t> BytesOf(const TensorDesc& tensor, uintptr_t address) {
  std::set<uintptr_t> bytes;
  std::vector<uint32_t> at(tensor.dimension_count);
  for (bool more = true; more;) {
    uint64_t element = 0;
    for (uint32_t d = 0; d < tensor.dimension_count; ++d) {
      element += uint64_t{at[d]} * tensor.strides[d];
    }
    const uint32_t size = ElementSize(tensor.data_type);
    for (uint32_t r = 0; r < size; ++r) bytes.insert(address + element * size + r);
    more = false;
    for (uint32_t d = tensor.dimension_count; d-- > 0 && !more;) {
      more = ++at[d] < tensor.sizes[d];
      if (!more) at[d] = 0;
    }
  }
  return bytes;
}

TEST(SharedBytes, InterleavedElementsShareNone) {
  const TensorDesc every_second = Tensor({1000000}, {2});
  EXPECT_FALSE(MayShareBytes(every_second, 4096, every_second, 4100));
  EXPECT_TRUE(MayShareBytes(every_second, 4096, every_second, 4104));
}

TEST(SharedBytes, ColumnsOfOneMatrixShareNone) {
  const TensorDesc columns = Tensor({1000, 3}, {6, 1});
  EXPECT_FALSE(MayShareBytes(columns, 4096, columns, 4096 + 12));
  EXPECT_TRUE(MayShareBytes(columns, 4096, columns, 4096 + 8));
}

TEST(SharedBytes, ChannelsOfOneImageShareNone) {
  const TensorDesc half = Tensor({2, 4, 64, 65}, {8 * 64 * 65, 64 * 65, 65, 1});
  EXPECT_FALSE(MayShareBytes(half, 4096, half, 4096 + 4 * 4 * 64 * 65));
  EXPECT_TRUE(MayShareBytes(half, 4096, half, 4096 + 3 * 4 * 64 * 65));
}

TEST(SharedBytes, ElementsOfDifferentSizesMayMeet) {
  const TensorDesc bytes = Tensor({3}, {8}, DataType::kUint8);
  const TensorDesc words = Tensor({3}, {1}, DataType::kUint64);
  EXPECT_TRUE(MayShareBytes(bytes, 4096 + 7, words, 4096));
  EXPECT_FALSE(MayShareBytes(bytes, 4096 + 4, Tensor({3}, {2}), 4096));
}

// Of an image whose channels are interleaved, every `step`-th pixel of one channel.
TensorDesc Channel(uint32_t height, uint32_t width, uint32_t channels, uint32_t step) {
  return Tensor({1, 1, (height + step - 1) / step, (width + step - 1) / step},
                {height * width * channels, height * width * channels, step * width * channels,
                 step * channels});
}

// However large the image is.
TEST(SharedBytes, InterleavedChannelsShareNone) {
  for (uint32_t height : {128u, 256u, 511u, 1000u}) {
    for (uint32_t width : {127u, 256u, 1500u}) {
      for (uint32_t channels : {2u, 3u, 4u}) {
        for (uint32_t step : {1u, 2u, 3u, 5u}) {
          const TensorDesc a = Channel(height, width, channels, 1);
          const TensorDesc b = Channel(height, width, channels, step);
          EXPECT_FALSE(MayShareBytes(a, 4096, b, 4096 + 4))
              << height << " x " << width << " x " << channels << " by " << step;
          EXPECT_FALSE(MayShareBytes(b, 4096 + 4, a, 4096));
          EXPECT_TRUE(MayShareBytes(a, 4096, b, 4096 + 4 * channels));
          EXPECT_TRUE(MayShareBytes(a, 4096, b, 4096 + 3));
        }
      }
    }
  }
}

// Every third row and column of one, every second of the other, of other channels.
TEST(SharedBytes, InterleavedChannelsOfDifferentStepsShareNone) {
  for (uint32_t size : {256u, 300u, 1500u}) {
    const TensorDesc thirds = Channel(size, size, 2, 3), halves = Channel(size, size, 2, 2);
    EXPECT_FALSE(MayShareBytes(thirds, 4096, halves, 4096 + 4)) << size;
    EXPECT_TRUE(MayShareBytes(thirds, 4096, halves, 4096 + 8)) << size;
  }
}

// Rows of which neither divides the other, as views of one memory may have them.
TEST(SharedBytes, RowsOfDifferentLengthsShareNone) {
  const TensorDesc a = Tensor({4000, 1000}, {3001 * 2, 2}), b = Tensor({4000, 1000}, {2999 * 2, 2});
  EXPECT_FALSE(MayShareBytes(a, 4096, b, 4096 + 4));
  EXPECT_TRUE(MayShareBytes(a, 4096, b, 4096 + 8));
}

// Against the sets of all bytes.
TEST(SharedBytes, AgreesWithCountingOnRandomLayouts) {
  std::mt19937 random(7);
  const auto pick = [&](uint32_t least, uint32_t most) {
    return std::uniform_int_distribution<uint32_t>(least, most)(random);
  };
  const DataType types[] = {DataType::kUint8, DataType::kFloat16, DataType::kFloat32,
                            DataType::kUint64};
  int shared = 0;
  for (int i = 0; i < 20000; ++i) {
    TensorDesc tensors[2];
    for (TensorDesc& tensor : tensors) {
      Numbers sizes(pick(1, 3)), strides(sizes.size());
      for (uint32_t& size : sizes) size = pick(1, 4);
      for (uint32_t& stride : strides) stride = pick(0, 12);
      tensor = Tensor(sizes, strides, types[pick(0, 3)]);
    }
    const uintptr_t a = 4096, b = a + pick(0, 100) - 50;
    const std::set<uintptr_t> of_a = BytesOf(tensors[0], a), of_b = BytesOf(tensors[1], b);
    const bool share =
        std::any_of(of_b.begin(), of_b.end(), [&](uintptr_t byte) { return of_a.contains(byte); });
    shared += share;
    ASSERT_EQ(MayShareBytes(tensors[0], a, tensors[1], b), share) << "pair " << i;
  }
  EXPECT_GT(shared, 2000);
  EXPECT_LT(shared, 18000);
}

// Two views of one array, each with a step and a range of its own in every dimension.
TEST(SharedBytes, AgreesWithCountingOnViewsOfOneArray) {
  std::mt19937 random(11);
  const auto pick = [&](uint32_t least, uint32_t most) {
    return std::uniform_int_distribution<uint32_t>(least, most)(random);
  };
  int shared = 0;
  for (int i = 0; i < 5000; ++i) {
    const Numbers whole = {pick(1, 3), pick(1, 9), pick(1, 9), pick(1, 4)};
    const Numbers packed = {whole[1] * whole[2] * whole[3], whole[2] * whole[3], whole[3], 1};
    TensorDesc tensors[2];
    uintptr_t addresses[2] = {4096, 4096};
    for (int k = 0; k < 2; ++k) {
      Numbers sizes(4), strides(4);
      for (size_t d = 0; d < 4; ++d) {
        const uint32_t first = pick(0, whole[d] - 1),
                       end = pick(0, 1) ? whole[d] : pick(first + 1, whole[d]);
        const uint32_t step = pick(1, 3);
        sizes[d] = (end - first + step - 1) / step;
        strides[d] = step * packed[d];
        addresses[k] += uintptr_t{first} * packed[d] * 4;
      }
      tensors[k] = Tensor(sizes, strides);
    }
    const std::set<uintptr_t> of_a = BytesOf(tensors[0], addresses[0]);
    const std::set<uintptr_t> of_b = BytesOf(tensors[1], addresses[1]);
    const bool share =
        std::any_of(of_b.begin(), of_b.end(), [&](uintptr_t byte) { return of_a.contains(byte); });
    shared += share;
    ASSERT_EQ(MayShareBytes(tensors[0], addresses[0], tensors[1], addresses[1]), share) << i;
  }
  EXPECT_GT(shared, 500);
  EXPECT_LT(shared, 4500);
}

}  // namespace
}  // namespace anydml::c_api
