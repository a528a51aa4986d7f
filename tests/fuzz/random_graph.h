// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Graphs of valid operators whose edges mostly fit.
#pragma once

#include <deque>
#include <vector>

#include "fuzz/bytes.h"
#include "graph/graph.h"

namespace anydml::test {

struct RandomGraph {
  graph::Graph graph;
  std::deque<std::vector<std::byte>> constants;  // that its nodes point to
};

RandomGraph MakeRandomGraph(Bytes& bytes);

}  // namespace anydml::test
