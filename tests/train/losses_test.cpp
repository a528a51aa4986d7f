// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Losses and their gradients against numbers made by hand and by training_numbers.py, in
// float64.
#include "train/losses.h"

#include <cmath>
#include <limits>

#include "gradient/differentiate.h"
#include "models.h"

namespace anydml::train {
namespace {

using LossFunction = Result<GraphValue> (*)(graph::Values&, const GraphValue&, const GraphValue&);

struct Outcome {
  float loss = 0;
  std::vector<float> gradient;  // of the prediction
};

Outcome Evaluate(LossFunction function, const Sizes& sizes, const std::vector<float>& prediction,
                 DataType type, const Sizes& target_sizes, const void* target) {
  const cpu::Executor executor(1);
  graph::Values graph;
  const GraphValue p = Input(graph, "p", sizes);
  const GraphValue t = Input(graph, "t", target_sizes, type);
  const GraphValue loss = Must(function(graph, p, t));
  const std::vector<GraphValue> gradients =
      Must(gradient::Differentiate(graph, loss, std::array{p}));
  const std::array outputs = {loss, gradients[0]};
  Session session = Must(Session::Create(OnCpu(executor), graph, outputs, {true, true}));
  Outcome outcome = {0, std::vector<float>(prediction.size())};
  std::vector<const void*> inputs(2);
  const std::array<void*, 2> results = {&outcome.loss, outcome.gradient.data()};
  MustBe(session.Run(std::array<const void*, 2>{prediction.data(), target}, inputs, results));
  return outcome;
}

Outcome OfFloats(LossFunction function, const std::vector<float>& prediction,
                 const std::vector<float>& target) {
  const Sizes sizes = {1, 1, 1, static_cast<uint32_t>(prediction.size())};
  return Evaluate(function, sizes, prediction, DataType::kFloat32, sizes, target.data());
}

void ExpectNear(const std::vector<float>& values, const std::vector<double>& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-6) << i;
}

TEST(Losses, CrossEntropyIsTheMeanOfMinusLogSoftmax) {
  const std::array<uint32_t, 2> classes = {2, 0};
  const Outcome outcome = Evaluate(CrossEntropy, {2, 3}, {1, 2, 3, -1, 0.5f, 1000},
                                   DataType::kUint32, {2}, classes.data());
  EXPECT_NEAR(outcome.loss, 500.7038029822222, 1e-4);
  // (softmax - one hot) / 2
  ExpectNear(outcome.gradient,
             {0.09003057 / 2, 0.24472847 / 2, (0.66524096 - 1) / 2, -0.5, 0, 0.5});
}

// Every pixel has a class: {N, C, H, W} and {N, H, W}.
// Scores of minus infinity leave classes out: softmax is 1/4 and 3/4.
TEST(Losses, CrossEntropyLeavesClassesOut) {
  const uint32_t truth = 2;
  const float infinity = std::numeric_limits<float>::infinity();
  const Outcome outcome = Evaluate(CrossEntropy, {1, 4}, {0, -infinity, 1.0986123f, -infinity},
                                   DataType::kUint32, {1}, &truth);
  EXPECT_NEAR(outcome.loss, -std::log(0.75), 1e-6);
  ExpectNear(outcome.gradient, {0.25, 0, -0.25, 0});
}

TEST(Losses, CrossEntropyTakesPictures) {
  const std::array<uint32_t, 4> classes = {0, 1, 1, 0};
  const Outcome outcome = Evaluate(CrossEntropy, {1, 2, 2, 2}, std::vector<float>(8, 3),
                                   DataType::kUint32, {1, 2, 2}, classes.data());
  EXPECT_NEAR(outcome.loss, std::log(2), 1e-6);
  const double q = 0.125;
  ExpectNear(outcome.gradient, {-q, q, q, -q, q, -q, -q, q});
}

TEST(Losses, MeanSquareIsExactForSmallIntegers) {
  const Outcome outcome = OfFloats(MeanSquare, {1, 2, -3, 0}, {0, 4, -3, 1});
  EXPECT_EQ(outcome.loss, 1.5f);
  EXPECT_EQ(outcome.gradient, (std::vector<float>{0.5f, -1, 0, -0.5f}));
}

TEST(Losses, BinaryCrossEntropyDoesNotOverflow) {
  const Outcome outcome = OfFloats(BinaryCrossEntropy, {0, 2, -3, 100, -100}, {1, 0.25f, 0, 1, 1});
  EXPECT_NEAR(outcome.loss, 20.47373250863533, 1e-5);
  ExpectNear(outcome.gradient, {-0.1, 0.12615942, 0.00948517, 0, -0.2});
}

TEST(Losses, DiceIsOneMinusTheSharedPart) {
  const Outcome outcome = OfFloats(Dice, {0, 2, -3, 100, -100}, {1, 0.25f, 0, 1, 1});
  EXPECT_NEAR(outcome.loss, 0.3350927976699737, 1e-6);
}

std::string Refusal(LossFunction function, const Sizes& prediction, const Sizes& target,
                    DataType type) {
  graph::Values graph;
  const GraphValue p = Input(graph, "p", prediction);
  const Result<GraphValue> loss = function(graph, p, Input(graph, "t", target, type));
  return loss.ok() ? "accepted" : loss.error().message;
}

TEST(Losses, RefuseTargetsThatDoNotFit) {
  EXPECT_EQ(Refusal(MeanSquare, {4}, {5}, DataType::kFloat32),
            "mean square: the target's sizes {5} must equal the prediction's {4}");
  EXPECT_EQ(Refusal(Dice, {4}, {4}, DataType::kFloat16),
            "Dice: predictions and their targets must be FLOAT32");
  EXPECT_EQ(Refusal(CrossEntropy, {4, 3}, {3}, DataType::kUint32),
            "cross entropy: scores of sizes {4, 3} need classes that are UINT32 of sizes {4}, not "
            "UINT32 of {3}");
}

}  // namespace
}  // namespace anydml::train
