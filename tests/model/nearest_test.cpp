// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace anydml::model {
namespace {

TEST(Nearest, CountsEdits) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("abc", ""), 3u);
  EXPECT_EQ(EditDistance("WindowSizes", "WindowSize"), 1u);
  EXPECT_EQ(EditDistance("GRAD", "GARD"), 1u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(EditDistance("mode", "Mode"), 0u);
}

TEST(Nearest, SuggestsTheNearestOrListsAll) {
  const std::vector<std::string_view> names = {"Strides", "StartPadding", "EndPadding"};
  EXPECT_EQ(Suggest("Stride", names), "; did you mean Strides?");
  EXPECT_EQ(Suggest("endpading", names), "; did you mean EndPadding?");
  EXPECT_EQ(Suggest("Kernel", names), "; valid names are Strides, StartPadding, EndPadding");
  EXPECT_EQ(Suggest("Kernel", {}), "");
}

}  // namespace
}  // namespace anydml::model
