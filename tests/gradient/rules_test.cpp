// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The rule of every operator against central differences. The step is 2^-8 and the elements are
// odd multiples of 1/16, so moved elements are exact and cross no kink. Of functions with third
// derivatives below 100 the quotient is wrong by less than 100 / 6 * 2^-16 = 3e-4, and by
// 2^-24 / 2^-7 = 1e-5 per rounding of a result near 1: the tolerance is 2e-3 of the largest
// derivative. Factors and signs are found; last bits are not looked for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gradient/rule_checks.h"
#include "operators/registry.h"

namespace anydml::gradient {
namespace {

constexpr double kStep = 1.0 / 256;
constexpr double kRuleTolerance = 2e-3;

// The gradients of the elements of y, each with a weight of its own.
std::vector<GraphValue> GradientsOf(Network& network, const Checked& checked, Numbers& weights) {
  if (!network.write.ok()) return {};
  weights.resize(checked.y.tensor.ElementCount());
  for (double& weight : weights) {
    weight = std::uniform_int_distribution<int>(4, 12)(network.random()) / 8.0;
    if (network.Between(0, 1) != 0) weight = -weight;
  }
  const Sizes sizes(checked.y.tensor.Sizes().begin(), checked.y.tensor.Sizes().end());
  const GraphValue loss = network.Loss(checked.y, network.Floats(sizes, weights));
  const std::vector<GraphValue> gradients = network.Differentiate(loss, checked.of);
  for (size_t i = 0; i < gradients.size(); ++i) {
    EXPECT_EQ(gradients[i].tensor.data_type, checked.of[i].tensor.data_type);
  }
  return gradients;
}

double LargestOf(const Numbers& numbers) {
  double largest = 1;
  for (double number : numbers) largest = std::max(largest, std::abs(number));
  return largest;
}

void Compare(Network& network, const Checked& checked) {
  Numbers weights;
  const std::vector<GraphValue> gradients = GradientsOf(network, checked, weights);
  if (gradients.empty()) return;
  const std::vector<Numbers> found = network.Run(gradients);
  for (size_t i = 0; i < found.size(); ++i) {
    Numbers& x = network.elements(checked.of[i]);
    Numbers expected(x.size());
    for (size_t e = 0; e < x.size(); ++e) {
      const double middle = x[e];
      x[e] = middle + kStep;
      const double above = Dot(network.Run({checked.y})[0], weights);
      x[e] = middle - kStep;
      const double below = Dot(network.Run({checked.y})[0], weights);
      x[e] = middle;
      expected[e] = (above - below) / (2 * kStep);
    }
    const double largest = LargestOf(expected);
    ASSERT_EQ(found[i].size(), expected.size());
    for (size_t e = 0; e < x.size(); ++e) {
      ASSERT_NEAR(found[i][e], expected[e], kRuleTolerance * largest)
          << "element " << e << " of input " << i;
    }
  }
}

TEST(Rules, AgreeWithCentralDifferences) {
  uint32_t seed = 1;
  for (const auto& [name, check] : AllChecks()) {
    SCOPED_TRACE(name + ", seed " + std::to_string(seed));
    Network network(seed++);
    const Checked checked = check(network);
    EXPECT_TRUE(network.HasOperator(name));
    Compare(network, checked);
  }
}

// The same graphs in both types. Inputs are exact in FLOAT16; a rule rounds some ten times, by
// 2^-11 each.
TEST(Rules, GiveInFloat16WhatTheyGiveInFloat32) {
  uint32_t seed = 1;
  for (const auto& [name, check] : AllChecks()) {
    SCOPED_TRACE(name + ", seed " + std::to_string(seed));
    std::vector<Numbers> found[2];
    for (int half : {0, 1}) {
      Network network(seed, half != 0 ? DataType::kFloat16 : DataType::kFloat32);
      Numbers weights;
      const Checked checked = check(network);
      const std::vector<GraphValue> gradients = GradientsOf(network, checked, weights);
      ASSERT_FALSE(gradients.empty());
      found[half] = network.Run(gradients);
    }
    ++seed;
    for (size_t i = 0; i < found[0].size(); ++i) {
      for (size_t e = 0; e < found[0][i].size(); ++e) {
        ASSERT_NEAR(found[1][i][e], found[0][i][e], 0.01 * LargestOf(found[0][i]))
            << "element " << e << " of input " << i;
      }
    }
  }
}

TEST(Rules, AreAllChecked) {
  const Checks checks = AllChecks();
  for (const Definition* definition : Registry()) {
    if (definition->gradient == nullptr || definition->gradient == ZeroGradient) continue;
    EXPECT_TRUE(checks.contains(std::string(definition->schema->name))) << definition->schema->name;
  }
}

// Operators that come without a rule are added here, with the reason.
TEST(Rules, AreMissingOnPurposeOnly) {
  const std::vector<std::string_view> without = {
      "ADAM_OPTIMIZER",                     // a step of training
      "BATCH_NORMALIZATION_GRAD",           // not linear in all inputs
      "BATCH_NORMALIZATION_TRAINING_GRAD",  // likewise
      "LOCAL_RESPONSE_NORMALIZATION_GRAD",  // not linear in all inputs
      "MATRIX_MULTIPLY_INTEGER",            // of integers
      "ROI_ALIGN_GRAD",                     // not linear in all inputs
      "ROI_POOLING",                        // ROI_ALIGN takes its place
  };
  for (const Definition* definition : Registry()) {
    const bool is_listed = std::ranges::count(without, definition->schema->name) != 0;
    EXPECT_EQ(definition->gradient == nullptr, is_listed) << definition->schema->name;
  }
}

}  // namespace
}  // namespace anydml::gradient
