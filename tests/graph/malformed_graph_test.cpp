// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Every way to draw a graph wrongly, and its sentence.
#include "graph/gates.h"

namespace anydml::graph {
namespace {

// One gate, correctly wired; each test breaks it.
Graph OneGate() { return Chain(1, {4}); }

TEST(MalformedGraph, AcceptsTheGraphThatTheOthersBreak) { EXPECT_EQ(Refuse(OneGate()), ""); }

// What DirectMLX's ClipGrad draws: the edge of the gradient is forgotten.
TEST(MalformedGraph, MissesTheEdgeOfARequiredInput) {
  Graph graph = OneGate();
  graph.input_edges = {{0, 0, 0}};
  EXPECT_EQ(Refuse(graph),
            "graph: InputGradientTensor of node 0 (ACTIVATION_RELU_GRAD) has no edge");
}

// A line break, and a character that turns the rest of the line around.
TEST(MalformedGraph, NamesOfNodesStayOnTheirLine) {
  Graph graph = OneGate();
  graph.input_edges = {{0, 0, 0}};
  graph.nodes[0].name = "a\nb\xE2\x80\xAE";
  EXPECT_EQ(Refuse(graph),
            "graph: InputGradientTensor of node 0 'a\\x0ab\\u202e' (ACTIVATION_RELU_GRAD) has no "
            "edge");
}

TEST(MalformedGraph, MissesTheEdgeOfAGraphOutput) {
  Graph graph = OneGate();
  graph.output_count = 2;
  EXPECT_EQ(Refuse(graph), "graph: graph output 1 has no edge");
}

TEST(MalformedGraph, NamesAnIndexThatDoesNotExist) {
  Graph graph = OneGate();
  graph.input_edges[0] = {2, 0, 1};
  EXPECT_EQ(Refuse(graph), "graph: an input edge names graph input 2 of 2");
  graph = OneGate();
  graph.input_edges[0] = {0, 1, 1};
  EXPECT_EQ(Refuse(graph), "graph: an input edge names node 1 of 1");
  graph = OneGate();
  graph.input_edges[0] = {0, 0, 2};
  EXPECT_EQ(Refuse(graph),
            "graph: an input edge names input 2 of node 0 (ACTIVATION_RELU_GRAD), which has 2");
  graph = OneGate();
  graph.output_edges[0] = {1, 0, 0};
  EXPECT_EQ(Refuse(graph), "graph: an output edge names node 1 of 1");
  graph = OneGate();
  graph.output_edges[0] = {0, 1, 0};
  EXPECT_EQ(Refuse(graph),
            "graph: an output edge names output 1 of node 0 (ACTIVATION_RELU_GRAD), which has 1");
  graph = OneGate();
  graph.output_edges[0] = {0, 0, 1};
  EXPECT_EQ(Refuse(graph), "graph: an output edge names graph output 1 of 1");
  graph = Chain(2, {4});
  graph.intermediate_edges[0] = {7, 0, 1, 1};
  EXPECT_EQ(Refuse(graph), "graph: an intermediate edge names node 7 of 2");
  graph.intermediate_edges[0] = {0, 3, 1, 1};
  EXPECT_EQ(Refuse(graph),
            "graph: an intermediate edge names output 3 of node 0 (ACTIVATION_RELU_GRAD), which "
            "has 1");
  graph.intermediate_edges[0] = {0, 0, 9, 1};
  EXPECT_EQ(Refuse(graph), "graph: an intermediate edge names node 9 of 2");
}

TEST(MalformedGraph, FeedsOneInputTwice) {
  Graph graph = OneGate();
  graph.input_edges.push_back({1, 0, 1});
  EXPECT_EQ(Refuse(graph),
            "graph: InputGradientTensor of node 0 (ACTIVATION_RELU_GRAD) is fed by two edges");
}

TEST(MalformedGraph, FeedsOneOutputTwice) {
  Graph graph = OneGate();
  graph.output_edges.push_back({0, 0, 0});
  EXPECT_EQ(Refuse(graph), "graph: graph output 0 is fed by two edges");
}

TEST(MalformedGraph, FeedsAnOutputByAConstant) {
  const std::vector<float> values(4);
  Graph graph = OneGate();
  graph.nodes.push_back(ConstantNode(values));
  graph.output_edges[0] = {1, 0, 0};
  EXPECT_EQ(Refuse(graph),
            "graph: graph output 0 is fed by node 1 (constant); it must be fed by an operator");
}

TEST(MalformedGraph, FormsACycle) {
  Graph graph = Chain(3, {4});
  graph.input_edges[0] = {0, 0, 0};  // x of the first gate, and its dy ...
  graph.input_edges.erase(graph.input_edges.begin() + 1);
  graph.intermediate_edges.push_back({1, 0, 0, 1});  // ... comes from the second
  graph.nodes[0].name.assign(1, 'a');
  EXPECT_EQ(Refuse(graph),
            "graph: the edges form a cycle: node 0 'a' (ACTIVATION_RELU_GRAD) -> node 1 "
            "(ACTIVATION_RELU_GRAD) -> node 0 'a' (ACTIVATION_RELU_GRAD)");
}

TEST(MalformedGraph, FeedsANodeByItself) {
  Graph graph = OneGate();
  graph.input_edges = {{0, 0, 0}};
  graph.intermediate_edges.push_back({0, 0, 0, 1});
  EXPECT_EQ(Refuse(graph),
            "graph: the edges form a cycle: node 0 (ACTIVATION_RELU_GRAD) -> node 0 "
            "(ACTIVATION_RELU_GRAD)");
}

TEST(MalformedGraph, JoinsTensorsOfDifferentSize) {
  Graph graph = Chain(2, {4});
  graph.nodes[1] = Gate({5});
  EXPECT_EQ(Refuse(graph),
            "graph: the edge from OutputGradientTensor of node 0 (ACTIVATION_RELU_GRAD) to "
            "InputGradientTensor of node 1 (ACTIVATION_RELU_GRAD) carries 16 bytes and its "
            "consumer needs 20");
}

TEST(MalformedGraph, JoinsTensorsOfDifferentType) {
  Graph graph = Chain(2, {4});
  graph.nodes[1] = Gate({4}, {.type = DML_TENSOR_DATA_TYPE_FLOAT16});
  EXPECT_EQ(Refuse(graph),
            "graph: the edge from OutputGradientTensor of node 0 (ACTIVATION_RELU_GRAD) to "
            "InputGradientTensor of node 1 (ACTIVATION_RELU_GRAD) joins FLOAT32 of 16 bytes with "
            "FLOAT16 of 8 bytes: the data types must be equal");
}

TEST(MalformedGraph, GivesAConstantThatIsTooShort) {
  const std::vector<float> values(3);
  Graph graph = OneGate();
  graph.nodes.push_back(ConstantNode(values));
  graph.input_edges = {{0, 0, 1}};
  graph.intermediate_edges = {{1, 0, 0, 0}};
  EXPECT_EQ(Refuse(graph),
            "graph: the edge from node 1 (constant) to InputTensor of node 0 "
            "(ACTIVATION_RELU_GRAD) carries 12 bytes and its consumer needs 16");
}

TEST(MalformedGraph, GivesAConstantThatNoMemoryHolds) {
  const std::vector<float> values(4);
  Graph graph = OneGate();
  graph.nodes.push_back(ConstantNode(values));
  graph.nodes.back().constant = {graph.nodes.back().constant.data(), SIZE_MAX};
  graph.input_edges = {{0, 0, 1}};
  graph.intermediate_edges = {{1, 0, 0, 0}};
  EXPECT_EQ(Refuse(graph), "graph: not enough memory for a constant of 18446744073709551615 bytes");
}

TEST(MalformedGraph, OwnsATensorThatAnotherNodeMakes) {
  Graph graph = Chain(2, {4});
  graph.nodes[1] = Gate({4}, {.x_flags = DML_TENSOR_FLAG_OWNED_BY_DML});
  graph.input_edges = {{0, 0, 0}, {1, 0, 1}, {2, 1, 1}};
  graph.intermediate_edges = {{0, 0, 1, 0}};
  EXPECT_EQ(Refuse(graph),
            "graph: InputTensor of node 1 (ACTIVATION_RELU_GRAD) is OWNED_BY_DML and must be fed "
            "by a graph input");
}

}  // namespace
}  // namespace anydml::graph
