// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Learning rates that change. The bits of cosines are those of training_numbers.py, which has
// them from fractions.
#include "train/schedule.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "base/sha256.h"

namespace anydml::train {
namespace {

using Kind = Schedule::Kind;

std::vector<float> Rates(const Schedule& schedule, uint64_t count) {
  std::vector<float> rates;
  for (uint64_t n = 0; n < count; ++n) rates.push_back(RateOf(schedule, n).value());
  return rates;
}

TEST(Schedule, WarmsUpAndStays) {
  const Schedule schedule = {.learning_rate = 0.5f, .warm_up = 4};
  EXPECT_EQ(Rates(schedule, 6), (std::vector<float>{0.125f, 0.25f, 0.375f, 0.5f, 0.5f, 0.5f}));
}

TEST(Schedule, DecaysAfterSoManySteps) {
  const Schedule schedule = {
      .kind = Kind::kStepDecay, .learning_rate = 8, .factor = 0.5f, .warm_up = 1, .steps = 2};
  EXPECT_EQ(Rates(schedule, 8), (std::vector<float>{8, 8, 8, 4, 4, 2, 2, 1}));
  EXPECT_EQ(RateOf(schedule, ~uint64_t{0}).value(), 0.0f);
  EXPECT_EQ(RateOf({.kind = Kind::kStepDecay, .learning_rate = 1, .factor = 0.75f, .steps = 1}, 5)
                .value(),
            243.0f / 1024);
}

TEST(Schedule, FollowsACosine) {
  Schedule schedule = {.kind = Kind::kCosine, .learning_rate = 0.1f, .last = 0.01f, .steps = 7};
  const std::vector<uint32_t> bits = {0x3dcccccd, 0x3dc3ac5d, 0x3daa19d0, 0x3d8525c5,
                                      0x3d3843d3, 0x3cdcb77b, 0x3c6cda8a};
  for (size_t n = 0; n < bits.size(); ++n) {
    EXPECT_EQ(std::bit_cast<uint32_t>(RateOf(schedule, n).value()), bits[n]) << n;
  }
  EXPECT_EQ(RateOf(schedule, 7).value(), 0.01f);
  schedule.warm_up = 3;
  EXPECT_EQ(RateOf(schedule, 8).value(), std::bit_cast<float>(bits[5]));
  const std::vector<float> many =
      Rates({.kind = Kind::kCosine, .learning_rate = 2e-3f, .steps = 1000}, 1000);
  EXPECT_EQ(Sha256().Add(std::as_bytes(std::span(many))).Text(),
            "7eded107fffe8869dfea01f6986263fcfd58179b0377572ff670843ac27930f2");
}

TEST(Schedule, RefusesWhatIsNoRate) {
  const auto refusal = [](const Schedule& schedule) {
    const Result<float> rate = RateOf(schedule, 0);
    return rate.ok() ? "accepted" : rate.error().message;
  };
  EXPECT_EQ(refusal({}), "accepted");
  EXPECT_EQ(refusal({.learning_rate = -1}),
            "schedule: learning_rate = -1 must be finite and at least 0");
  EXPECT_EQ(refusal({.kind = Kind::kStepDecay, .factor = 2, .steps = 1}),
            "schedule: factor = 2 must be from 0 to 1");
  EXPECT_EQ(refusal({.kind = Kind::kCosine}), "schedule: steps = 0 must be at least 1");
}

}  // namespace
}  // namespace anydml::train
