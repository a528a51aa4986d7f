// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Graphs with operators whose tensors are arrays: every entry is a place for an edge.
#include "support/array_operators.h"

#include "graph/gates.h"

namespace anydml::graph {
namespace {

Node NodeOf(const Definition& definition, const schema::Arguments& arguments) {
  Result<Operator> op = CreateOperator(definition, arguments, {});
  EXPECT_TRUE(op.ok());
  return {.op = op.value(), .constant = {}, .name = {}};
}

// Input 0 is split in two; the parts are joined in the other order.
Graph Exchange() {
  Graph graph;
  graph.input_count = graph.output_count = 1;
  graph.nodes = {NodeOf(test::kSplit, test::DescribeSplit({1, 2})),
                 NodeOf(test::kJoin, test::DescribeJoin({2, 1}))};
  graph.input_edges = {{0, 0, 0}};
  graph.intermediate_edges = {{0, 1, 1, 0}, {0, 0, 1, 1}};
  graph.output_edges = {{1, 0, 0}};
  return graph;
}

TEST(GraphOfArrays, HasAnEdgePerEntry) {
  const std::vector<float> x = {1, 2, 3, 4, 5, 6};
  std::vector<float> y(6);
  MustRun(*MustCompile(Exchange()), {x.data()}, {y.data()});
  EXPECT_EQ(y, (std::vector<float>{3, 4, 5, 6, 1, 2}));
}

TEST(GraphOfArrays, OfOneOperatorHasItsNames) {
  const Node join = NodeOf(test::kJoin, test::DescribeJoin({2, 1}));
  const auto program = MustCompile(GraphOf(*join.op));
  ASSERT_EQ(program->inputs.size(), 2u);
  EXPECT_EQ(program->inputs[1].name, "InputTensors[1]");
  EXPECT_EQ(program->inputs[1].bytes, 8u);
}

TEST(GraphOfArrays, NamesTheEntryWithoutAnEdge) {
  Graph graph = Exchange();
  graph.intermediate_edges.pop_back();
  const auto program = Compile(graph);
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.error().message, "graph: InputTensors[1] of node 1 (JOIN) has no edge");
}

}  // namespace
}  // namespace anydml::graph
