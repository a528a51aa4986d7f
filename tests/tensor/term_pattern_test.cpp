// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "tensor/term_pattern.h"

#include <gtest/gtest.h>

namespace anydml {
namespace {

// Centres of pixels for linear sampling; nearest takes the pixel that holds it.
TapAxis Axis(Sampling sampling, uint64_t pixels, uint64_t samples) {
  const bool linear = sampling == Sampling::kLinear;
  return {.sampling = sampling,
          .pixel_count = pixels,
          .sample_count = samples,
          .scale = static_cast<float>(samples) / static_cast<float>(pixels),
          .input_pixel_offset = linear ? 0.5f : 0.0f,
          .output_pixel_offset = -0.5f};
}

TermPattern PatternOf(Sampling sampling, uint64_t pixels, uint64_t samples, bool transposed) {
  return FindPattern(Axis(sampling, pixels, samples), transposed).pattern;
}

TEST(TermPattern, IsFoundForWholeFactors) {
  EXPECT_EQ(PatternOf(Sampling::kFloor, 12, 24, true), TermPattern::kPairs);
  EXPECT_EQ(PatternOf(Sampling::kLinear, 12, 24, true), TermPattern::kPairsAround);
  EXPECT_EQ(PatternOf(Sampling::kFloor, 12, 48, true), TermPattern::kFours);
  EXPECT_EQ(PatternOf(Sampling::kLinear, 12, 48, true), TermPattern::kFoursAround);
  EXPECT_EQ(PatternOf(Sampling::kLinear, 24, 12, true), TermPattern::kHalf);
  EXPECT_EQ(PatternOf(Sampling::kFloor, 24, 12, true), TermPattern::kHalf);
  EXPECT_EQ(PatternOf(Sampling::kFloor, 12, 24, false), TermPattern::kHalf);
  EXPECT_EQ(PatternOf(Sampling::kLinear, 12, 24, false), TermPattern::kHalfAround);
  EXPECT_EQ(PatternOf(Sampling::kLinear, 24, 12, false), TermPattern::kPairs);
}

TEST(TermPattern, IsNotFoundForOtherFactorsAndOffsets) {
  EXPECT_EQ(PatternOf(Sampling::kLinear, 64, 100, true), TermPattern::kNone);
  EXPECT_EQ(PatternOf(Sampling::kLinear, 12, 36, true), TermPattern::kNone);
  TapAxis shifted = Axis(Sampling::kFloor, 12, 24);
  shifted.input_pixel_offset = 0.5f;  // samples 2c + 1 and 2c + 2
  EXPECT_EQ(FindPattern(shifted, true).pattern, TermPattern::kNone);
  TapAxis all_at_pixel_0 = Axis(Sampling::kFloor, 50, 100);
  all_at_pixel_0.scale = 3e38f;
  EXPECT_EQ(FindPattern(all_at_pixel_0, true).pattern, TermPattern::kNone);
}

// At the ends samples lie outside and give the edge all their weight (B12).
TEST(TermPattern, HasWeightsOfItsOwnAtTheEnds) {
  const RepeatedTerms terms = FindPattern(Axis(Sampling::kLinear, 6, 12), true);
  const float first[] = {0, 1, 0.75f, 0.25f}, between[] = {0.25f, 0.75f, 0.75f, 0.25f},
              last[] = {0.25f, 0.75f, 1, 0};
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ(terms.first[k], first[k]) << k;
    EXPECT_EQ(terms.between[0][k], between[k]) << k;
    EXPECT_EQ(terms.last[k], last[k]) << k;
  }
}

}  // namespace
}  // namespace anydml
