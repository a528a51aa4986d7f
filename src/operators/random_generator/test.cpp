// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about RANDOM_GENERATOR: Random123's vectors, the counter, the refusals.
#include <gtest/gtest.h>

#include "operators/random_generator/desc.h"
#include "support/run.h"

namespace anydml::random_generator {
namespace {

using test::In;
using test::Tensor;
using Words = std::vector<uint32_t>;
using Sizes = std::vector<UINT>;

constexpr DML_TENSOR_DATA_TYPE kUint = DML_TENSOR_DATA_TYPE_UINT32;

// An output: 0 the words, 1 the state behind them.
Words Generate(const Words& state, const Sizes& sizes, size_t output = 0,
               const Sizes& strides = {}) {
  const Tensor x(kUint, {6}), y(kUint, sizes, strides);
  const DML_RANDOM_GENERATOR_OPERATOR_DESC desc = {x, y, x,
                                                   DML_RANDOM_GENERATOR_TYPE_PHILOX_4X32_10};
  return test::RunOn<uint32_t>(DML_OPERATOR_RANDOM_GENERATOR, &desc, {In(state)},
                               output == 0 ? test::Count(sizes) : 6, output);
}

TEST(RandomGenerator, GivesTheVectorsOfRandom123) {
  EXPECT_EQ(Generate({0, 0, 0, 0, 0, 0}, {4}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Generate(Words(6, 0xffffffff), {4}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Generate({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0}, {4}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// B58: of 128 bits, word 0 the least significant; a counter that was begun is used up.
TEST(RandomGenerator, CountsBlocksOfFour) {
  const Words state = {0xfffffffe, 0xffffffff, 0, 0, 0x12345678, 0x9abcdef0};
  const Words words = Generate(state, {10, 7});
  EXPECT_EQ(Words(words.begin(), words.begin() + 4),
            (Words{0x8585f0db, 0x6086bac5, 0x5c5bd3c5, 0x0d643e33}));
  EXPECT_EQ(Words(words.begin() + 8, words.begin() + 12),
            (Words{0xfbef6f67, 0x181cb2f8, 0x35ca0c8b, 0x0c18f38c}));
  uint32_t sum = 0;
  for (uint32_t j = 0; j < words.size(); ++j) sum += (2 * j + 1) * words[j];
  EXPECT_EQ(sum, 0xcc710c8e);
  EXPECT_EQ(Generate(state, {10, 7}, 1), (Words{0x10, 0, 1, 0, 0x12345678, 0x9abcdef0}));
  EXPECT_EQ(Generate(Words(6, 0xffffffff), {1}, 1), (Words{0, 0, 0, 0, 0xffffffff, 0xffffffff}));
}

TEST(RandomGenerator, GoesOnWhereItsStateIs) {
  const Words state = {5, 6, 7, 8, 9, 10};
  const Words all = Generate(state, {20}), behind = Generate(Generate(state, {8}, 1), {12});
  EXPECT_EQ(Words(all.begin() + 8, all.end()), behind);
}

TEST(RandomGenerator, CountsLogicalElements) {
  const Words packed = Generate(Words(6, 1), {2, 3}),
              turned = Generate(Words(6, 1), {2, 3}, 0, {1, 2});
  for (size_t i = 0; i < 2; ++i) {
    for (size_t j = 0; j < 3; ++j) EXPECT_EQ(turned[i + 2 * j], packed[3 * i + j]);
  }
}

TEST(RandomGenerator, RefusesWhatDoesNotFit) {
  const Tensor state(kUint, {6}), y(kUint, {2, 5}), square(kUint, {2, 3}), wide(kUint, {1, 6}),
      numbers(DML_TENSOR_DATA_TYPE_INT32, {2});
  const auto refuse = [](const DML_TENSOR_DESC* x, const DML_TENSOR_DESC* output,
                         const DML_TENSOR_DESC* next, int type) {
    const DML_RANDOM_GENERATOR_OPERATOR_DESC desc = {x, output, next,
                                                     static_cast<DML_RANDOM_GENERATOR_TYPE>(type)};
    return test::Refuse(DML_OPERATOR_RANDOM_GENERATOR, &desc);
  };
  EXPECT_EQ(refuse(state, y, nullptr, 0), "");
  EXPECT_EQ(refuse(wide, y, wide, 0), "");
  EXPECT_EQ(
      refuse(square, y, nullptr, 0),
      "RANDOM_GENERATOR: InputStateTensor.Sizes = {2, 3} must be 6 in the last entry and 1 in "
      "the others");
  EXPECT_EQ(refuse(state, y, y, 0),
            "RANDOM_GENERATOR: OutputStateTensor.DimensionCount = 2 must equal "
            "InputStateTensor.DimensionCount = 1");
  EXPECT_EQ(refuse(state, numbers, nullptr, 0),
            "RANDOM_GENERATOR: OutputTensor.DataType = INT32 must be UINT32");
  EXPECT_EQ(refuse(state, y, nullptr, 1), "RANDOM_GENERATOR: Type = 1 must be PHILOX_4X32_10 (0)");
}

}  // namespace
}  // namespace anydml::random_generator
