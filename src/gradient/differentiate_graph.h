// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The gradients of a graph that is given as nodes and edges.
#pragma once

#include <memory>
#include <span>

#include "graph/graph.h"
#include "graph/values.h"

namespace anydml::gradient {

struct DifferentiatedGraph {
  graph::Graph graph;                           // inputs and outputs of the first one, gradients
  std::shared_ptr<const graph::Values> values;  // holds the constants that `graph` names
};

// The same graph, and behind its outputs the gradients of one of them with respect to these graph
// inputs. Operators are created for a device with these options.
Result<DifferentiatedGraph> DifferentiateGraph(const graph::Graph& forward, uint32_t loss_output,
                                               std::span<const uint32_t> inputs,
                                               const DeviceOptions& options);

}  // namespace anydml::gradient
