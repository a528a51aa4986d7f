// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "base/checked_math.h"

#include <gtest/gtest.h>

namespace anydml {
namespace {

constexpr uint64_t kMax = 0xFFFFFFFFFFFFFFFF;

TEST(CheckedMath, AddsUpToTheLargestNumberAndNoFurther) {
  EXPECT_EQ(CheckedAdd(2, 3), 5u);
  EXPECT_EQ(CheckedAdd(kMax - 1, 1), kMax);
  EXPECT_EQ(CheckedAdd(kMax, 0), kMax);
  EXPECT_EQ(CheckedAdd(kMax, 1), std::nullopt);
  EXPECT_EQ(CheckedAdd(kMax, kMax), std::nullopt);
}

TEST(CheckedMath, MultipliesUpToTheLargestNumberAndNoFurther) {
  EXPECT_EQ(CheckedMultiply(6, 7), 42u);
  EXPECT_EQ(CheckedMultiply(0, kMax), 0u);
  EXPECT_EQ(CheckedMultiply(1, kMax), kMax);
  EXPECT_EQ(CheckedMultiply(0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFE00000001u);
  EXPECT_EQ(CheckedMultiply(0xFFFFFFFF, 0x100000001), kMax);
  EXPECT_EQ(CheckedMultiply(0x100000000, 0x100000000), std::nullopt);
  EXPECT_EQ(CheckedMultiply(2, kMax), std::nullopt);
}

TEST(CheckedMath, RoundsUpToThePowerOfTwo) {
  EXPECT_EQ(CheckedRoundUp(0, 4), 0u);
  EXPECT_EQ(CheckedRoundUp(1, 4), 4u);
  EXPECT_EQ(CheckedRoundUp(4, 4), 4u);
  EXPECT_EQ(CheckedRoundUp(5, 4), 8u);
  EXPECT_EQ(CheckedRoundUp(5, 1), 5u);
  EXPECT_EQ(CheckedRoundUp(kMax - 3, 4), kMax - 3);
  EXPECT_EQ(CheckedRoundUp(kMax - 2, 4), std::nullopt);
}

TEST(CheckedMath, ANumberThatDidNotFitStaysLost) {
  EXPECT_EQ(CheckedAdd(std::nullopt, 1), std::nullopt);
  EXPECT_EQ(CheckedAdd(1, std::nullopt), std::nullopt);
  EXPECT_EQ(CheckedMultiply(std::nullopt, 0), std::nullopt);
  EXPECT_EQ(CheckedMultiply(0, std::nullopt), std::nullopt);
  EXPECT_EQ(CheckedRoundUp(std::nullopt, 4), std::nullopt);
}

TEST(CheckedMath, DividesUpWithoutAddingFirst) {
  EXPECT_EQ(CeilDivide(0, 3), 0u);
  EXPECT_EQ(CeilDivide(1, 3), 1u);
  EXPECT_EQ(CeilDivide(3, 3), 1u);
  EXPECT_EQ(CeilDivide(4, 3), 2u);
  EXPECT_EQ(CeilDivide(kMax, 2), 0x8000000000000000u);
  EXPECT_EQ(CeilDivide(kMax, kMax), 1u);
}

}  // namespace
}  // namespace anydml
