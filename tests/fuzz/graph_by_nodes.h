// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A valid graph executed node by node, each with memory of its own: what the
// compiled graph must give, however it orders, fuses and places things.
#pragma once

#include <map>
#include <vector>

#include "graph/graph.h"

namespace anydml::test {

// Whole words, so that every element type is aligned.
using Words = std::vector<uint64_t>;

class GraphByNodes {
 public:
  GraphByNodes(const graph::Graph& graph, const std::vector<Words>& inputs)
      : graph_(graph), inputs_(inputs), done_(graph.nodes.size()) {}

  // False where the result is nobody's business: an edge that reads bytes which
  // its producer leaves alone, or NaNs as integers.
  bool IsDefined() const;

  // The memory of a node's output, in the layout that its operator describes.
  const Words& Output(uint32_t node, uint32_t output);

  static const TensorDesc& InputOf(const graph::Node& node, uint32_t input);
  static const TensorDesc& OutputOf(const graph::Node& node, uint32_t output);

 private:
  const void* InputMemory(uint32_t node, uint32_t input);
  void Execute(uint32_t node);

  const graph::Graph& graph_;
  const std::vector<Words>& inputs_;
  std::vector<bool> done_;
  std::map<std::pair<uint32_t, uint32_t>, Words> outputs_;
};

}  // namespace anydml::test
