// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The walk of element-wise kernels over inputs of different types, in any layout. The
// row kernels here are the test's own; those of operators are held to their references by
// the conformance test.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "kernels/elementwise/cpu/walk.h"

namespace anydml::elementwise {
namespace {

constexpr uint32_t kSizes[] = {3, 18, 37};

uint16_t Select(uint8_t condition, uint32_t a, uint64_t b) {
  return condition != 0 ? static_cast<uint16_t>(a) : static_cast<uint16_t>(b);
}

// output = condition ? a : b, of four types.
void SelectRows(const Attributes&, const RowBlock& block) {
  for (int64_t row = 0; row < static_cast<int64_t>(block.rows); ++row) {
    for (uint64_t i = 0; i < block.count; ++i) {
      uint32_t a;
      uint64_t b;
      const std::byte condition = block.inputs[0][row * block.steps[0] + i];
      std::memcpy(&a, block.inputs[1] + row * block.steps[1] + i * sizeof a, sizeof a);
      std::memcpy(&b, block.inputs[2] + row * block.steps[2] + i * sizeof b, sizeof b);
      const uint16_t result = Select(static_cast<uint8_t>(condition), a, b);
      std::memcpy(block.output + row * block.steps[kOutput] + i * sizeof result, &result,
                  sizeof result);
    }
  }
}

// A stage before: the condition is its lowest bit, inverted.
void InvertRows(const Attributes&, const RowBlock& block) {
  for (uint64_t i = 0; i < block.count; ++i) {
    block.output[i] = ~block.inputs[0][i] & std::byte{1};
  }
}

using Strides = std::array<uint32_t, 3>;
constexpr Strides kPacked = {666, 37, 1};
constexpr Strides kPaddedRows = {800, 40, 1};
constexpr Strides kPermuted = {18, 1, 54};
constexpr Strides kBroadcastRows = {0, 0, 1};
constexpr Strides kBroadcastColumns = {18, 1, 0};
constexpr Strides kOneElement = {0, 0, 0};

TensorDesc Describe(const Strides& strides) {
  TensorDesc tensor;
  tensor.dimension_count = 3;
  for (int i = 0; i < 3; ++i) tensor.sizes[i] = kSizes[i];
  for (int i = 0; i < 3; ++i) tensor.strides[i] = strides[i];
  return tensor;
}

template <typename Body>
void ForEachElement(const Body& body) {
  for (uint32_t i = 0; i < kSizes[0]; ++i) {
    for (uint32_t j = 0; j < kSizes[1]; ++j) {
      for (uint32_t k = 0; k < kSizes[2]; ++k) {
        body([=](const Strides& s) { return i * s[0] + j * s[1] + k * s[2]; });
      }
    }
  }
}

enum class Way { kPackedRows, kTiles, kRows };

void Check(const std::array<Strides, 4>& layouts, Way way, bool staged) {
  std::vector<uint8_t> condition(2400);
  std::vector<uint32_t> a(2400);
  std::vector<uint64_t> b(2400);
  for (uint32_t i = 0; i < 2400; ++i) {
    condition[i] = static_cast<uint8_t>(i * 7 / 3 % 2);
    a[i] = i * 31 + 1;
    b[i] = i * 17 + 2;
  }
  std::vector<uint16_t> actual(2400, 0xC5C5), expected(2400, 0xC5C5);
  ForEachElement([&](const auto& at) {
    const auto c = static_cast<uint8_t>(condition[at(layouts[0])] ^ (staged ? 1 : 0));
    expected[at(layouts[3])] = Select(c, a[at(layouts[1])], b[at(layouts[2])]);
  });

  const TensorDesc output = Describe(layouts[3]);
  const std::array tensors = {Describe(layouts[0]), Describe(layouts[1]), Describe(layouts[2])};
  const Loop loop =
      ElementwiseLoop<kMaxTensors>({&tensors[0], &tensors[1], &tensors[2], &output, &output});
  const RowEntry row = {.run = SelectRows};
  const Attributes none;
  Work work = {.row = &row, .attributes = &none, .inputs = 3, .element_sizes = {1, 4, 8, 2, 2}};
  if (staged) {
    work.first_stage = InvertRows;
    work.first_attributes = &none;
  }
  Bindings bindings;
  bindings.inputs = {condition.data(), a.data(), b.data()};
  bindings.outputs[0] = actual.data();
  const cpu::Executor executor(3, cpu::Cut::kEverywhere);
  if (way == Way::kPackedRows) {
    ASSERT_TRUE(loop.HasUnitInnerStrides());
    WalkPackedRows(loop, work, bindings, executor);
  } else {
    const cpu::Box box = way == Way::kTiles ? TileOf(loop, work) : RowTile(loop);
    WalkTiles(loop, box, work, bindings, executor);
  }
  EXPECT_EQ(actual, expected);
}

TEST(ElementwiseWalk, TakesInputsOfDifferentTypesInPackedAndPaddedRows) {
  for (bool staged : {false, true}) {
    Check({kPacked, kPacked, kPacked, kPacked}, Way::kPackedRows, staged);
    Check({kPacked, kPaddedRows, kBroadcastRows, kPacked}, Way::kPackedRows, staged);
    Check({kBroadcastRows, kPacked, kPacked, kPaddedRows}, Way::kPackedRows, staged);
  }
}

TEST(ElementwiseWalk, TakesPermutedAndBroadcastInputsOfDifferentTypes) {
  for (const Strides& first : {kPacked, kPermuted, kBroadcastColumns, kOneElement}) {
    for (const Strides& second : {kPaddedRows, kPermuted, kBroadcastRows, kBroadcastColumns}) {
      for (const Strides& output : {kPacked, kPermuted, kPaddedRows}) {
        for (Way way : {Way::kTiles, Way::kRows}) {
          for (bool staged : {false, true}) {
            Check({first, second, kPacked, output}, way, staged);
            Check({kPacked, first, second, output}, way, staged);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace anydml::elementwise
