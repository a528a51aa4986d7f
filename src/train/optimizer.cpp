// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/optimizer.h"

#include <fmt/format.h>

#include <cmath>

#include "operators/gradient_writer.h"

namespace anydml::train {
namespace {

constexpr std::string_view kAdam = "ADAM_OPTIMIZER";

// v' = momentum v + g; x' = x - rate v'
Result<Updated> AddSgd(graph::Values& graph, const Optimizer& optimizer, const Clock& clock,
                       const GraphValue& parameter, const GraphValue& gradient,
                       const std::vector<GraphValue>& moments) {
  GradientWriter write(graph);
  GraphValue velocity = gradient;
  if (!moments.empty()) {
    velocity = write.Add(write.Scale(moments[0], optimizer.momentum), gradient);
  }
  // One element, seen everywhere.
  const Dimensions strides = {};
  const GraphValue rate = write.View(clock.learning_rate, parameter.tensor.Sizes(),
                                     {strides.data(), parameter.tensor.dimension_count});
  const GraphValue next = write.Subtract(parameter, write.Multiply(velocity, rate));
  Result<std::vector<GraphValue>> finished = write.Finish({next, velocity});
  if (!finished.ok()) return finished.error();
  Updated updated = {next, {}};
  if (!moments.empty()) updated.moments.push_back(velocity);
  return updated;
}

Result<Updated> AddAdam(graph::Values& graph, const Optimizer& optimizer, const Clock& clock,
                        const GraphValue& parameter, const GraphValue& gradient,
                        const std::vector<GraphValue>& moments) {
  schema::Settings settings = GradientWriter::Call(kAdam);
  settings.Float("LearningRate", optimizer.learning_rate).Float("Beta1", optimizer.beta1);
  settings.Float("Beta2", optimizer.beta2).Float("Epsilon", optimizer.epsilon);
  const GraphValue inputs[] = {parameter, moments[0], moments[1], gradient, clock.step};
  Result<std::vector<GraphValue>> outputs = graph.Add(settings.arguments(), inputs);
  if (!outputs.ok()) return outputs.error();
  return Updated{outputs.value()[0], {outputs.value()[1], outputs.value()[2]}};
}

Status CheckBetween(std::string_view name, float value, bool one_is_fine) {
  if (value >= 0 && (one_is_fine ? value <= 1 : value < 1)) return {};
  return InvalidArgument(fmt::format("optimizer: {} = {} must be from 0 to {}1", name, value,
                                     one_is_fine ? "" : "below "));
}

}  // namespace

Status CheckLearningRate(float rate) {
  if (std::isfinite(rate) && rate >= 0) return {};
  return InvalidArgument(
      fmt::format("optimizer: the learning rate {} must be finite and at least 0", rate));
}

Status CheckOptimizer(const Optimizer& optimizer) {
  Status status = CheckLearningRate(optimizer.learning_rate);
  if (status.ok()) status = CheckBetween("momentum", optimizer.momentum, true);
  if (status.ok()) status = CheckBetween("beta1", optimizer.beta1, false);
  if (status.ok()) status = CheckBetween("beta2", optimizer.beta2, false);
  if (!status.ok() || (std::isfinite(optimizer.epsilon) && optimizer.epsilon >= 0)) return status;
  return InvalidArgument(
      fmt::format("optimizer: epsilon = {} must be finite and at least 0", optimizer.epsilon));
}

std::vector<std::string_view> MomentNames(const Optimizer& optimizer) {
  if (optimizer.kind == Optimizer::Kind::kAdam) return {"first_moment", "second_moment"};
  if (optimizer.momentum != 0) return {"velocity"};
  return {};
}

Result<Updated> AddUpdate(graph::Values& graph, const Optimizer& optimizer, const Clock& clock,
                          const GraphValue& parameter, const GraphValue& gradient,
                          const std::vector<GraphValue>& moments) {
  const auto add = optimizer.kind == Optimizer::Kind::kAdam ? AddAdam : AddSgd;
  return add(graph, optimizer, clock, parameter, gradient, moments);
}

Result<std::optional<Operator>> WithLearningRate(const Operator& op, float rate,
                                                 const DeviceOptions& options) {
  if (op.definition->schema->name != kAdam) return std::optional<Operator>();
  schema::Settings settings(*op.arguments);
  settings.Float("LearningRate", rate);
  Result<Operator> changed = CreateOperator(*op.definition, settings.arguments(), options);
  if (!changed.ok()) return changed.error();
  return std::optional<Operator>(std::move(changed).value());
}

}  // namespace anydml::train
