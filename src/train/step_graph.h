// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A model's graph with the backward pass and the updates: what a step computes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "train/model.h"
#include "train/optimizer.h"

namespace anydml::train {

// A tensor that is kept from step to step: an input of the graph, and the output that is
// written over it.
struct Kept {
  enum class Kind : uint8_t { kParameter, kMoment, kStatistic, kCounter };
  std::string name;
  Kind kind = Kind::kParameter;
  TensorDesc tensor;
  uint32_t input = 0;
  GraphValue next;
  Initial initial;
};

// An input whose integers must be below `count`.
struct Limit {
  uint32_t input = 0;
  uint32_t count = 0;
};

struct StepGraph {
  graph::Values graph;
  GraphValue loss;
  std::vector<GraphValue> gradients;      // of the model's parameters
  std::vector<Kept> kept;                 // the counter of steps, UINT32, comes last
  std::optional<uint32_t> learning_rate;  // the input that has it, of an SGD
  std::vector<Limit> limits = {};
};

// Names of what is kept become names of files.
Status CheckKeptName(std::string_view name);

Result<StepGraph> MakeStepGraph(const Model& model, const Optimizer& optimizer);

}  // namespace anydml::train
