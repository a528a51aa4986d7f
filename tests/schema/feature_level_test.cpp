// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "schema/feature_level.h"

#include <directml.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace anydml {
namespace {

TEST(FeatureLevels, AscendAndHaveTheValuesOfTheHeader) {
  constexpr DML_FEATURE_LEVEL kOfTheHeader[] = {
      DML_FEATURE_LEVEL_1_0, DML_FEATURE_LEVEL_2_0, DML_FEATURE_LEVEL_2_1, DML_FEATURE_LEVEL_3_0,
      DML_FEATURE_LEVEL_3_1, DML_FEATURE_LEVEL_4_0, DML_FEATURE_LEVEL_4_1, DML_FEATURE_LEVEL_5_0,
      DML_FEATURE_LEVEL_5_1, DML_FEATURE_LEVEL_5_2, DML_FEATURE_LEVEL_6_0, DML_FEATURE_LEVEL_6_1,
      DML_FEATURE_LEVEL_6_2, DML_FEATURE_LEVEL_6_3, DML_FEATURE_LEVEL_6_4};
  ASSERT_EQ(std::size(kOfTheHeader), kFeatureLevels.size());
  for (size_t i = 0; i < kFeatureLevels.size(); ++i) {
    EXPECT_EQ(static_cast<uint32_t>(kFeatureLevels[i]), static_cast<uint32_t>(kOfTheHeader[i]));
  }
  EXPECT_TRUE(std::ranges::is_sorted(kFeatureLevels));
  EXPECT_EQ(kFeatureLevels.back(), kNewestFeatureLevel);
}

TEST(FeatureLevels, AreNamedAsTheHeadingsOfThePagesAre) {
  EXPECT_EQ(FeatureLevelName(FeatureLevel::k1_0), "1_0");
  EXPECT_EQ(FeatureLevelName(FeatureLevel::k5_2), "5_2");
  EXPECT_EQ(FeatureLevelName(FeatureLevel::k6_4), "6_4");
}

TEST(FeatureLevels, AreReadWithUnderscoreAndWithPoint) {
  for (FeatureLevel level : kFeatureLevels) {
    std::string name = FeatureLevelName(level);
    EXPECT_EQ(ParseFeatureLevel(name), level) << name;
    std::ranges::replace(name, '_', '.');
    EXPECT_EQ(ParseFeatureLevel(name), level) << name;
  }
}

TEST(FeatureLevels, ThatDoNotExistAreNotRead) {
  for (const char* text : {"", "5", "5_", "5_3", "7_0", "0_0", "05_1", "5_01", "5_1 ", " 5_1",
                           "5-1", "5__1", "k5_1", "0x5100", "20736"}) {
    EXPECT_EQ(ParseFeatureLevel(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace anydml
