// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A DML_GRAPH_DESC with everything that it points to.
#pragma once

#include <deque>

#include "directml/fixture.h"

namespace anydml::directml {

class GraphBuilder {
 public:
  GraphBuilder(UINT inputs, UINT outputs) : input_count_(inputs), output_count_(outputs) {}

  UINT AddOperator(IDMLOperator* op, const char* name = nullptr) {
    operators_.push_back({op, name});
    nodes_.push_back({DML_GRAPH_NODE_TYPE_OPERATOR, &operators_.back()});
    return static_cast<UINT>(nodes_.size() - 1);
  }
  template <typename T>
  UINT AddConstant(const std::vector<T>& values) {
    constants_.push_back({values.data(), values.size() * sizeof(T), nullptr});
    nodes_.push_back({DML_GRAPH_NODE_TYPE_CONSTANT, &constants_.back()});
    return static_cast<UINT>(nodes_.size() - 1);
  }
  void AddInput(UINT graph_input, UINT node, UINT node_input) {
    inputs_.push_back({graph_input, node, node_input, nullptr});
    input_edges_.push_back({DML_GRAPH_EDGE_TYPE_INPUT, &inputs_.back()});
  }
  void AddOutput(UINT node, UINT node_output, UINT graph_output) {
    outputs_.push_back({node, node_output, graph_output, nullptr});
    output_edges_.push_back({DML_GRAPH_EDGE_TYPE_OUTPUT, &outputs_.back()});
  }
  void AddEdge(UINT from, UINT output, UINT to, UINT input) {
    intermediates_.push_back({from, output, to, input, nullptr});
    intermediate_edges_.push_back({DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &intermediates_.back()});
  }

  // For tests that break them.
  std::vector<DML_GRAPH_NODE_DESC>& nodes() { return nodes_; }
  std::vector<DML_GRAPH_EDGE_DESC>& input_edges() { return input_edges_; }

  DML_GRAPH_DESC desc() const {
    return {input_count_,
            output_count_,
            static_cast<UINT>(nodes_.size()),
            nodes_.data(),
            static_cast<UINT>(input_edges_.size()),
            input_edges_.data(),
            static_cast<UINT>(output_edges_.size()),
            output_edges_.data(),
            static_cast<UINT>(intermediate_edges_.size()),
            intermediate_edges_.data()};
  }

 private:
  UINT input_count_, output_count_;
  std::vector<DML_GRAPH_NODE_DESC> nodes_;
  std::vector<DML_GRAPH_EDGE_DESC> input_edges_, output_edges_, intermediate_edges_;
  std::deque<DML_OPERATOR_GRAPH_NODE_DESC> operators_;
  std::deque<DML_CONSTANT_DATA_GRAPH_NODE_DESC> constants_;
  std::deque<DML_INPUT_GRAPH_EDGE_DESC> inputs_;
  std::deque<DML_OUTPUT_GRAPH_EDGE_DESC> outputs_;
  std::deque<DML_INTERMEDIATE_GRAPH_EDGE_DESC> intermediates_;
};

// Gates in a row: graph input 0 is the first dy, input i + 1 is the x of gate i.
inline GraphBuilder ChainOf(IDMLOperator* gate, UINT length) {
  GraphBuilder graph(length + 1, 1);
  for (UINT i = 0; i < length; ++i) {
    graph.AddOperator(gate);
    graph.AddInput(i + 1, i, 0);
    if (i > 0) graph.AddEdge(i - 1, 0, i, 1);
  }
  graph.AddInput(0, 0, 1);
  graph.AddOutput(length - 1, 0, 0);
  return graph;
}

}  // namespace anydml::directml
