// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/nearest.h"

#include <gtest/gtest.h>

#include <algorithm>
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

TEST(Nearest, SuggestsTheNameThatHasTheWordsOfTheGivenOne) {
  const std::vector<std::string_view> fields = {"InputTensor", "InputGradientTensor",
                                                "OutputGradientTensor", "ScaleBias", "Scales"};
  EXPECT_EQ(Suggest("OutputTensor", fields), "; did you mean OutputGradientTensor?");
  EXPECT_EQ(Suggest("Scale", fields), "; did you mean Scales?");  // one letter is nearer
  const std::vector<std::string_view> operators = {"ELEMENT_WISE_CLIP",      "ACTIVATION_RELU",
                                                   "ACTIVATION_RELU_GRAD",   "MAX_POOLING",
                                                   "ELEMENT_WISE_CLIP_GRAD", "MAX_POOLING_GRAD"};
  EXPECT_EQ(Suggest("relu_grad", operators), "; did you mean ACTIVATION_RELU_GRAD?");
  EXPECT_EQ(Suggest("ReluGrad", operators), "; did you mean ACTIVATION_RELU_GRAD?");
  EXPECT_EQ(Suggest("clip", operators), "; did you mean ELEMENT_WISE_CLIP?");
  EXPECT_EQ(Suggest("_", operators).substr(0, 17), "; valid names are");
}

TEST(Nearest, DoesNotGuessBetweenNamesThatHaveTheWordsAlike) {
  const std::vector<std::string_view> names = {"StartPadding", "FinalPadding"};
  EXPECT_EQ(Suggest("Padding", names), "; valid names are StartPadding, FinalPadding");
}

TEST(Nearest, ListsTwelveNames) {
  const std::vector<std::string_view> names(20, "name");
  const auto commas = [](const std::string& text) { return std::ranges::count(text, ','); };
  EXPECT_EQ(commas(Suggest("Kernel", names)), 12);
  EXPECT_TRUE(Suggest("Kernel", names).ends_with(", ..."));
}

}  // namespace
}  // namespace anydml::model
