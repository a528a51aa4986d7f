// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "graph/memory_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace anydml::graph {
namespace {

MemoryPlan Plan(const std::vector<Lifetime>& lifetimes) {
  Result<MemoryPlan> plan = PlanMemory(lifetimes, 256);
  EXPECT_TRUE(plan.ok());
  return plan.value();
}

TEST(MemoryPlan, NeedsNothingForNothing) { EXPECT_EQ(Plan({}).bytes, 0u); }

TEST(MemoryPlan, NeedsTwoBuffersForAChain) {
  std::vector<Lifetime> chain;
  for (uint32_t i = 0; i < 100; ++i) chain.push_back({1024, i, i + 1});
  EXPECT_EQ(Plan(chain).bytes, 2048u);
}

TEST(MemoryPlan, AlignsEveryBlock) {
  const MemoryPlan plan = Plan({{1, 0, 0}, {1, 0, 0}, {257, 0, 0}});
  for (uint64_t offset : plan.offsets) EXPECT_EQ(offset % 256, 0u);
  EXPECT_EQ(plan.bytes, 1024u);
}

TEST(MemoryPlan, PutsASmallBlockIntoTheGapThatALargerOneLeaves) {
  // The first block ends before the others are needed.
  EXPECT_EQ(Plan({{4096, 0, 1}, {1024, 2, 3}, {1024, 2, 4}, {512, 0, 4}}).bytes, 4608u);
}

TEST(MemoryPlan, RefusesMoreThanAnAddressCanHold) {
  const std::vector<Lifetime> lifetimes = {{~uint64_t{0} - 512, 0, 0}, {1024, 0, 0}};
  EXPECT_FALSE(PlanMemory(lifetimes, 256).ok());
  const std::vector<Lifetime> one = {{~uint64_t{0}, 0, 0}};
  EXPECT_FALSE(PlanMemory(one, 256).ok());
}

TEST(MemoryPlan, NeverGivesOneByteToTwoLivingBlocks) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Lifetime> lifetimes(random() % 40);
    for (Lifetime& lifetime : lifetimes) {
      lifetime.bytes = random() % 5000;
      lifetime.first = random() % 20;
      lifetime.last = lifetime.first + random() % 8;
    }
    const MemoryPlan plan = Plan(lifetimes);
    for (size_t a = 0; a < lifetimes.size(); ++a) {
      EXPECT_LE(plan.offsets[a] + lifetimes[a].bytes, plan.bytes);
      for (size_t b = 0; b < a; ++b) {
        if (lifetimes[a].first > lifetimes[b].last || lifetimes[b].first > lifetimes[a].last) {
          continue;
        }
        EXPECT_TRUE(plan.offsets[a] + lifetimes[a].bytes <= plan.offsets[b] ||
                    plan.offsets[b] + lifetimes[b].bytes <= plan.offsets[a]);
      }
    }
  }
}

// The definition, tried byte by 256 bytes: largest first, each at the lowest offset
// that is free all its life.
TEST(MemoryPlan, TakesTheLowestOffsetThatIsFree) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    std::vector<Lifetime> lifetimes(1 + random() % 60);
    for (Lifetime& lifetime : lifetimes) {
      lifetime.bytes = 256 * (1 + random() % 4);
      lifetime.first = random() % 40;
      lifetime.last = lifetime.first + random() % (round % 2 == 0 ? 4 : 40);
    }
    std::ranges::stable_sort(lifetimes, std::ranges::greater(), &Lifetime::bytes);
    const MemoryPlan plan = Plan(lifetimes);
    for (size_t a = 0; a < lifetimes.size(); ++a) {
      const auto is_free = [&](uint64_t offset) {
        for (size_t b = 0; b < a; ++b) {
          const bool meet =
              lifetimes[a].first <= lifetimes[b].last && lifetimes[b].first <= lifetimes[a].last;
          if (meet && offset < plan.offsets[b] + lifetimes[b].bytes &&
              plan.offsets[b] < offset + lifetimes[a].bytes) {
            return false;
          }
        }
        return true;
      };
      uint64_t lowest = 0;
      while (!is_free(lowest)) lowest += 256;
      EXPECT_EQ(plan.offsets[a], lowest);
    }
  }
}

}  // namespace
}  // namespace anydml::graph
