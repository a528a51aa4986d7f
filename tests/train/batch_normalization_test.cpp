// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/batch_normalization.h"

#include <cmath>

#include "models.h"

namespace anydml::train {
namespace {

constexpr float kEpsilon = 0.25f;

// One channel of {2, 1, 2}: scale 2, bias 1, running statistics as given.
struct Graph {
  graph::Values values;
  GraphValue x = Input(values, "x", {2, 1, 2});
  Normalization normalization = {Input(values, "scale", {1, 1, 1}),
                                 Input(values, "bias", {1, 1, 1}),
                                 Input(values, "mean", {1, 1, 1}),
                                 Input(values, "variance", {1, 1, 1}),
                                 0.125f,
                                 kEpsilon};
};

std::vector<float> Evaluate(Graph& graph, const std::vector<GraphValue>& outputs,
                            const std::vector<float>& x) {
  const cpu::Executor executor(1);
  Session session =
      Must(Session::Create(OnCpu(executor), graph.values, outputs, std::vector<bool>(5, true)));
  const float scale = 2, bias = 1, mean = 8, variance = 16;
  std::vector<float> results(x.size() + outputs.size() - 1);
  std::vector<void*> addresses = {results.data()};
  for (size_t i = 1; i < outputs.size(); ++i) addresses.push_back(&results[x.size() + i - 1]);
  std::vector<const void*> inputs(5);
  const std::array<const void*, 5> fed = {x.data(), &scale, &bias, &mean, &variance};
  MustBe(session.Run(fed, inputs, addresses));
  return results;
}

// The batch {1, 3, 5, 7} has the mean 4 and the variance 5; without bias it is 5 * 4 / 3.
TEST(BatchNormalization, OfATrainingChangesRunningStatistics) {
  Graph graph;
  const Normalized normalized =
      Must(NormalizeForTraining(graph.values, graph.x, graph.normalization));
  const std::vector<float> results = Evaluate(
      graph, {normalized.output, normalized.next_mean, normalized.next_variance}, {1, 3, 5, 7});
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(results[i], (2 * i - 3) / std::sqrt(5 + kEpsilon) * 2 + 1, 1e-6);
  }
  EXPECT_EQ(results[4], 7.5f);  // 7/8 * 8 + 1/8 * 4
  EXPECT_NEAR(results[5], 0.875 * 16 + 0.125 * 20 / 3, 1e-6);
}

TEST(BatchNormalization, OfAnEvaluationUsesRunningStatistics) {
  Graph graph;
  const GraphValue output =
      Must(NormalizeForEvaluation(graph.values, graph.x, graph.normalization));
  const std::vector<float> results = Evaluate(graph, {output}, {1, 3, 5, 7});
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(results[i], (2 * i + 1 - 8) / std::sqrt(16 + kEpsilon) * 2 + 1, 1e-6);
  }
}

TEST(BatchNormalization, RefusesOneElementPerChannel) {
  graph::Values values;
  const GraphValue x = Input(values, "x", {1, 2});
  const GraphValue other = Input(values, "other", {1, 2});
  EXPECT_EQ(NormalizeForTraining(values, x, {other, other, other, other}).error().message,
            "batch normalization: a channel needs at least 2 elements to train");
  EXPECT_EQ(NormalizeForTraining(values, x, {other, other, other, other, 2}).error().message,
            "batch normalization: momentum = 2 must be from 0 to 1");
}

}  // namespace
}  // namespace anydml::train
