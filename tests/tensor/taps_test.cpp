// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Whether an axis may be skipped (B13), on axes so long that it is decided
// without a walk over their samples.
#include "tensor/taps.h"

#include <gtest/gtest.h>

namespace anydml {
namespace {

bool WalkSaysSkip(const TapAxis& axis) {
  for (uint64_t o = 0; o < axis.sample_count; ++o) {
    const Taps taps = TapsOf(axis, o);
    if (taps.pixel != o || taps.weight != 1 || taps.next_weight != 0) return false;
  }
  return true;
}

TEST(Taps, LongAxesAreSkippedExactlyWhenAWalkWouldSkipThem) {
  constexpr uint64_t kLong = kMaxSinglePrecisionElements + 3;
  for (Sampling sampling : {Sampling::kFloor, Sampling::kCeil, Sampling::kLinear}) {
    for (float in : {0.0f, 0.5f, -0.25f, -0.999f, 1.0f, 1e-30f, 1e-3f, 1e-45f, -1e9f, 3e6f}) {
      for (float out : {0.0f, -0.5f, 0.25f, 0.5f, -1e-3f, 1e-45f, 1e9f, -3e6f, -0.1f}) {
        const TapAxis axis = {sampling, kLong, kLong, 1.0f, in, out};
        EXPECT_EQ(EverySampleIsItsPixel(axis), WalkSaysSkip(axis))
            << static_cast<int>(sampling) << " " << in << " " << out;
      }
    }
  }
}

TEST(Taps, AnAxisOfBillionsIsDecidedAtOnce) {
  constexpr uint64_t kBillions = 4000000000u;
  EXPECT_TRUE(EverySampleIsItsPixel({Sampling::kLinear, kBillions, kBillions, 1, 0.5f, -0.5f}));
  EXPECT_FALSE(EverySampleIsItsPixel({Sampling::kLinear, kBillions, kBillions, 1, 0.5f, 0}));
}

// Found by fuzz_desc: an offset that is no multiple of 2^-20 made the plan walk over
// four billion samples.
TEST(Taps, AnAxisOfBillionsWithAFineOffsetIsDecidedAtOnce) {
  constexpr uint64_t kBillions = 4000000000u;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(EverySampleIsItsPixel({Sampling::kFloor, kBillions, kBillions, 1, -1e-3f, 0}));
    EXPECT_TRUE(EverySampleIsItsPixel({Sampling::kLinear, kBillions, kBillions, 1, 1e-45f, 0}));
    // From 2^29 on, o + (1 - 2^-24) rounds to o + 1.
    const float almost_one = -0x1.fffffep-1f;
    EXPECT_TRUE(EverySampleIsItsPixel({Sampling::kFloor, 1u << 29, 1u << 29, 1, almost_one, 0}));
    EXPECT_FALSE(EverySampleIsItsPixel({Sampling::kFloor, kBillions, kBillions, 1, almost_one, 0}));
  }
}

}  // namespace
}  // namespace anydml
