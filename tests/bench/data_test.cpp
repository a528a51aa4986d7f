// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The benchmark's data is such that every contestant has the same right answer,
// and a wrong answer is noticed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

#include "bench/agreement.h"
#include "bench/check.h"
#include "bench/memory.h"
#include "operators/describe.h"

namespace anydml::bench {
namespace {

const cpu::Executor& OneThread() {
  static const cpu::Executor executor(1);
  return executor;
}

TensorDesc Packed(DataType type, std::initializer_list<uint32_t> sizes) {
  TensorDesc tensor;
  tensor.data_type = type;
  for (uint32_t size : sizes) tensor.sizes[tensor.dimension_count++] = size;
  SetStrides(tensor, std::nullopt);
  return tensor;
}

Row RowOf(std::string filter) {
  return SelectRows({.core = false, .filter = std::move(filter), .type = ""}).at(0);
}

// 2 x 8 x 8 neighbours hold every window of the cases, dilated or not.
TEST(BenchData, HasNoTiesAmongNeighbours) {
  const TensorDesc tensor = Packed(DataType::kFloat16, {3, 10, 4, 17, 19});
  Buffer buffer(tensor.total_bytes);
  FillRandom(tensor, 1, OneThread(), buffer.data());
  const auto at = [&](uint32_t d, uint32_t h, uint32_t w) {
    uint16_t bits;
    std::memcpy(&bits, buffer.data() + 2 * (d * 17 * 19 + h * 19 + w), sizeof bits);
    return bits;
  };
  for (uint32_t h = 0; h + 8 <= 17; ++h) {
    for (uint32_t w = 0; w + 8 <= 19; ++w) {
      std::set<uint16_t> seen;
      for (uint32_t i = 0; i < 128; ++i) seen.insert(at(i / 64, h + i / 8 % 8, w + i % 8));
      EXPECT_EQ(seen.size(), 128u);
    }
  }
}

TEST(BenchData, HasNoZeroAndNoBoundOfTheClips) {
  const TensorDesc tensor = Packed(DataType::kFloat32, {100000});
  Buffer buffer(tensor.total_bytes);
  FillRandom(tensor, 2, OneThread(), buffer.data());
  int clipped = 0;
  for (size_t i = 0; i < 100000; ++i) {
    float value;
    std::memcpy(&value, buffer.data() + i * sizeof value, sizeof value);
    EXPECT_GE(std::abs(value), 0.25f);
    EXPECT_LT(std::abs(value), 4.0f);
    EXPECT_NE(std::abs(value), 2.0f);
    clipped += std::abs(value) > 2;
  }
  EXPECT_GT(clipped, 20000);
  EXPECT_LT(clipped, 30000);
}

TEST(BenchData, OfIntegersIsOdd) {
  const TensorDesc tensor = Packed(DataType::kInt8, {1000});
  Buffer buffer(tensor.total_bytes);
  FillRandom(tensor, 3, OneThread(), buffer.data());
  std::set<int> seen;
  for (size_t i = 0; i < 1000; ++i) seen.insert(static_cast<int8_t>(buffer.data()[i]));
  EXPECT_EQ(seen, (std::set<int>{-3, -1, 1, 3}));
}

// A row that was run, with everything a check needs.
struct Ran {
  explicit Ran(std::string filter)
      : row(RowOf(std::move(filter))),
        program(Compile(CreateOperator(*row.definition, Describe(row), {}).value()).value()),
        arena(*program.op.arguments, 7, OneThread()),
        temporary(program.temporary_bytes),
        bindings(arena.Bind()) {
    bindings.temporary = temporary.data();
    EXPECT_TRUE(anydml::Run(program, bindings, OneThread()).ok());
  }

  uint8_t* output() { return bindings.Output<uint8_t>(0); }

  Row row;
  CpuProgram program;
  Arena arena;
  Buffer temporary;
  Bindings bindings;
};

TEST(BenchCheck, FindsOneWrongBitAtEitherEndAndInTheMiddle) {
  Ran ran("RELU_GRAD,2_to_the_20,INT8");
  EXPECT_EQ(FindDifference(ran.row, ran.bindings), std::nullopt);
  for (size_t at : {size_t{0}, size_t{1} << 19, (size_t{1} << 20) - 1}) {
    ran.output()[at] ^= 1;
    EXPECT_NE(FindDifference(ran.row, ran.bindings), std::nullopt) << at;
    ran.output()[at] ^= 1;
  }
}

TEST(BenchCheck, IgnoresThePaddingOfRows) {
  Ran ran("MAX_POOLING_GRAD,3x3_stride_1,FLOAT16,padded");
  ran.output()[2 * 56] ^= 1;  // after the first row
  EXPECT_EQ(FindDifference(ran.row, ran.bindings), std::nullopt);
  ran.output()[2 * 55] ^= 1;  // its last element
  EXPECT_NE(FindDifference(ran.row, ran.bindings), std::nullopt);
}

TEST(BenchAgreement, RefusesAPeerWithAnotherValueAndForgivesTheSignOfZero) {
  Ran ran("RELU_GRAD,2_to_the_10,FLOAT32");
  float* const output = ran.bindings.Output<float>(0);
  const std::vector<float> ours(output, output + 1024);
  const auto peer = [&](auto change) {
    return PeerContestant{"peer", true, [&ours, output, change] {
                            for (size_t i = 0; i < 1024; ++i) output[i] = change(ours[i]);
                          }};
  };
  Agreement agreement(ran.program, ran.bindings, OneThread());
  const auto same = [](float value) { return value; };
  const auto negative_zeros = [](float value) { return value == 0 ? -0.0f : value; };
  const auto rounded = [](float value) { return value * (1 + 0x1p-20f); };
  EXPECT_EQ(agreement.FindDifference(peer(same)), std::nullopt);
  EXPECT_EQ(agreement.FindDifference(peer(negative_zeros)), std::nullopt);
  EXPECT_NE(agreement.FindDifference(peer(rounded)), std::nullopt);
  EXPECT_NE(agreement.FindDifference({"idle", true, [] {}}), std::nullopt);
}

TEST(BenchAgreement, AllowsSumsTheirRoundingAndNoMore) {
  Ran ran("RESAMPLE_GRAD1,linear_half,FLOAT32,NCHW");
  float* const output = ran.bindings.Output<float>(0);
  const std::vector<float> ours(output, output + 8 * 64 * 56 * 56);
  const auto peer = [&](float factor) {
    return PeerContestant{"peer", true, [&ours, output, factor] {
                            for (size_t i = 0; i < ours.size(); ++i) output[i] = ours[i] * factor;
                          }};
  };
  Agreement agreement(ran.program, ran.bindings, OneThread());
  EXPECT_EQ(agreement.FindDifference(peer(1 + 0x1p-22f)), std::nullopt);
  EXPECT_NE(agreement.FindDifference(peer(1.001f)), std::nullopt);
}

}  // namespace
}  // namespace anydml::bench
