// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/batch_normalization.h"

#include <fmt/format.h>

#include <cmath>

#include "operators/gradient_writer.h"

namespace anydml::train {
namespace {

Status CheckMomentum(float momentum) {
  if (momentum >= 0 && momentum <= 1) return {};
  return InvalidArgument(
      fmt::format("batch normalization: momentum = {} must be from 0 to 1", momentum));
}

Status CheckEpsilon(float epsilon) {
  if (std::isfinite(epsilon) && epsilon >= 0) return {};
  return InvalidArgument(
      fmt::format("batch normalization: epsilon = {} must be finite and at least 0", epsilon));
}

}  // namespace

Result<Normalized> NormalizeForTraining(graph::Values& graph, const GraphValue& x,
                                        const Normalization& normalization) {
  Status status = CheckMomentum(normalization.momentum);
  if (status.ok()) status = CheckEpsilon(normalization.epsilon);
  if (!status.ok()) return status.error();
  const uint64_t n = x.tensor.ElementCount() / normalization.scale.tensor.ElementCount();
  if (n < 2) {
    return InvalidArgument("batch normalization: a channel needs at least 2 elements to train");
  }
  GradientWriter write(graph);
  schema::Settings settings = GradientWriter::Call("BATCH_NORMALIZATION_TRAINING");
  settings.Float("Epsilon", normalization.epsilon);
  const GraphValue inputs[] = {x, normalization.scale, normalization.bias};
  const std::vector<GraphValue> outputs = write.Outputs(settings, inputs);
  if (outputs.size() < 3) return write.Finish({}).error();
  const double momentum = normalization.momentum;
  const double unbiased = static_cast<double>(n) / static_cast<double>(n - 1);
  const auto next = [&](const GraphValue& running, const GraphValue& batch, double factor) {
    return write.Add(write.Scale(running, static_cast<float>(1 - momentum)),
                     write.Scale(batch, static_cast<float>(momentum * factor)));
  };
  const Normalized normalized = {outputs[0], next(normalization.mean, outputs[1], 1),
                                 next(normalization.variance, outputs[2], unbiased)};
  Result<std::vector<GraphValue>> finished = write.Finish({});
  if (!finished.ok()) return finished.error();
  return normalized;
}

Result<GraphValue> NormalizeForEvaluation(graph::Values& graph, const GraphValue& x,
                                          const Normalization& normalization) {
  Status status = CheckEpsilon(normalization.epsilon);
  if (!status.ok()) return status.error();
  GradientWriter write(graph);
  schema::Settings settings = GradientWriter::Call("BATCH_NORMALIZATION");
  settings.Uint("Spatial", 1).Float("Epsilon", normalization.epsilon);
  const GraphValue output = write.Output(settings, {x, normalization.mean, normalization.variance,
                                                    normalization.scale, normalization.bias});
  Result<std::vector<GraphValue>> finished = write.Finish({});
  if (!finished.ok()) return finished.error();
  return output;
}

}  // namespace anydml::train
