// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The edges of a graph, checked and turned around: for every input of every
// node where it comes from. A malformed graph gets one sentence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/graph.h"

namespace anydml::graph {

// A tensor of an operator's node: the place where an edge may end.
struct Port {
  size_t field;      // of the schema
  std::string name;  // of the field, or of an entry of its array
  const TensorDesc* tensor;
};

struct Ports {
  std::vector<Port> inputs;
  std::vector<Port> outputs;
};
Ports PortsOf(const Operator& op);

struct Source {
  enum class Kind : uint8_t { kNone, kGraphInput, kNode };
  Kind kind = Kind::kNone;
  uint32_t index = 0;   // of the graph input, or of the node
  uint32_t output = 0;  // of the node
};

struct Wiring {
  std::vector<Ports> ports;                    // by node; empty for a constant
  std::vector<std::vector<Source>> inputs;     // by node and input
  std::vector<Source> outputs;                 // by graph output
  std::vector<std::string> reinterpretations;  // edges that change the data type, in words
};

Result<Wiring> Wire(const Graph& graph);

// The operators that some graph output needs, producers first; otherwise in the
// order of the nodes. Fails when nodes form a cycle.
Result<std::vector<uint32_t>> OrderNodes(const Graph& graph, const Wiring& wiring);

// "node 3 (ACTIVATION_RELU_GRAD)" or "node 3 'gate' (constant)".
std::string Describe(const Graph& graph, uint32_t node);

}  // namespace anydml::graph
