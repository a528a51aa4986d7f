// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is trained: a graph of values, its loss, and which of its inputs are kept from step to
// step.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/values.h"

namespace anydml::train {

// The first values of what is kept.
struct Initial {
  enum class Kind : uint8_t { kZeros, kOnes, kUniform };
  Kind kind = Kind::kZeros;
  float bound = 0;  // of uniform values; 0: HeBound of all sizes but the first
};

// An input of the graph that the optimizer changes.
struct Parameter {
  GraphValue value;
  Initial initial;
};

// An input that the graph itself gives anew, such as a running mean.
struct Statistic {
  GraphValue value;
  GraphValue next;
  Initial initial;
};

// UINT32 numbers below `count`, as a cross entropy takes them.
struct Classes {
  GraphValue value;
  uint32_t count = 0;
};

// All of the graph's other inputs are fed per step.
struct Model {
  const graph::Values& graph;
  GraphValue loss;  // one element
  std::vector<Parameter> parameters;
  std::vector<Statistic> statistics;
  std::vector<Classes> classes = {};
};

}  // namespace anydml::train
