// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Optimizers as DirectML operators: what becomes of a parameter and of what is kept
// beside it, its moments.
#pragma once

#include <string_view>
#include <vector>

#include "graph/values.h"

namespace anydml::train {

struct Optimizer {
  enum class Kind : uint8_t { kSgd, kAdam };
  Kind kind = Kind::kAdam;
  float learning_rate = 1e-3f;
  float momentum = 0;  // of SGD
  float beta1 = 0.9f;  // of Adam
  float beta2 = 0.999f;
  float epsilon = 1e-8f;
};

Status CheckOptimizer(const Optimizer& optimizer);
Status CheckLearningRate(float rate);

// The ends of the names of a parameter's moments.
std::vector<std::string_view> MomentNames(const Optimizer& optimizer);

// Values of the graph for all parameters alike.
struct Clock {
  GraphValue step;           // UINT32, counts from 1: Adam's
  GraphValue learning_rate;  // FLOAT32: SGD's
};

// The parameter after the step, and its moments.
struct Updated {
  GraphValue parameter;
  std::vector<GraphValue> moments;
};
Result<Updated> AddUpdate(graph::Values& graph, const Optimizer& optimizer, const Clock& clock,
                          const GraphValue& parameter, const GraphValue& gradient,
                          const std::vector<GraphValue>& moments);

// The operator with another learning rate, where that is an attribute of it: an
// ADAM_OPTIMIZER. Null for any other.
Result<std::optional<Operator>> WithLearningRate(const Operator& op, float rate,
                                                 const DeviceOptions& options);

}  // namespace anydml::train
