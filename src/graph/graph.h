// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A graph of operators as its author describes it: nodes, and edges that name
// them by index. Nothing is checked here; wiring.h does that. Knows nothing of
// the structs that graphs arrive in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "operators/device_program.h"

namespace anydml::graph {

struct Node {
  std::optional<Operator> op;           // none: a constant, which has one output
  std::span<const std::byte> constant;  // the author's memory; Compile copies it
  std::string name;                     // for sentences; may be empty
};

// Inputs and outputs of a node are counted as its operator counts them: those
// of the description in order, optional ones included.
struct InputEdge {
  uint32_t graph_input;
  uint32_t node;
  uint32_t node_input;
};

struct OutputEdge {
  uint32_t node;
  uint32_t node_output;
  uint32_t graph_output;
};

// The two ends may describe the same bytes by different sizes and strides.
struct IntermediateEdge {
  uint32_t from_node;
  uint32_t from_output;
  uint32_t to_node;
  uint32_t to_input;
};

// A node that runs after another although it reads nothing of it: it overwrites what that one
// reads, say.
struct OrderEdge {
  uint32_t first;
  uint32_t then;
};

struct Graph {
  uint32_t input_count = 0;
  uint32_t output_count = 0;
  bool is_one_operator = false;  // made by GraphOf: outputs without an edge are absent tensors
  std::vector<Node> nodes;
  std::vector<InputEdge> input_edges;
  std::vector<OutputEdge> output_edges;
  std::vector<IntermediateEdge> intermediate_edges;
  std::vector<OrderEdge> order_edges;  // of this layer's own making; valid
};

// The graph that is one operator: its inputs and outputs are the operator's, in
// order; an absent optional tensor keeps its place.
Graph GraphOf(const Operator& op);

}  // namespace anydml::graph
