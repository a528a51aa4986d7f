// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What a compiled graph computes, how much memory it needs, and what it may
// overwrite.
#include "graph/gates.h"

namespace anydml::graph {
namespace {

// A layout with gaps: not dense, hence never part of a fused step.
const GateOptions kWithGaps = {.strides = {16, 2}};

TEST(Graph, RunsOneOperatorUnderItsOwnNames) {
  const auto program = MustCompile(GraphOf(*Gate({4}).op));
  EXPECT_EQ(program->name, "ACTIVATION_RELU_GRAD");
  ASSERT_EQ(program->inputs.size(), 2u);
  EXPECT_EQ(program->inputs[1].name, "InputGradientTensor");
  EXPECT_EQ(program->inputs[1].bytes, 16u);
  EXPECT_EQ(program->temporary_bytes, 0u);
  const std::vector<float> x = {1, -1, 2, 0}, dy = {5, 6, 7, 8};
  std::vector<float> dx(4);
  MustRun(*program, {x.data(), dy.data()}, {dx.data()});
  EXPECT_EQ(dx, (std::vector<float>{5, 0, 7, 0}));
}

// N tensors of a chain need two buffers, not N.
TEST(Graph, NeedsTwoBuffersForAChainThatIsNotFused) {
  const std::vector<UINT> sizes = {8, 8};
  const uint64_t one = (7 * 16 + 7 * 2 + 1) * sizeof(float);
  const uint64_t rounded = (one + 255) / 256 * 256;
  EXPECT_EQ(MustCompile(Chain(2, sizes, kWithGaps))->temporary_bytes, rounded);
  EXPECT_EQ(MustCompile(Chain(3, sizes, kWithGaps))->temporary_bytes, 2 * rounded);
  EXPECT_EQ(MustCompile(Chain(50, sizes, kWithGaps))->temporary_bytes, 2 * rounded);
}

TEST(Graph, RunsAChainThatIsNotFused) {
  const Graph graph = Chain(5, {8, 8}, kWithGaps);
  const auto program = MustCompile(graph);
  EXPECT_EQ(program->steps.size(), 5u);
  const TensorDesc& desc = *PortsOf(*graph.nodes[0].op).inputs[0].tensor;
  std::mt19937 random(3);
  std::vector<test::TensorMemory> inputs;
  for (int i = 0; i < 6; ++i) {
    inputs.emplace_back(desc);
    inputs.back().FillRandom(random);
  }
  test::TensorMemory output(desc), expected(inputs[0]);
  for (int i = 0; i < 5; ++i) {
    test::TensorMemory next(desc);
    Bindings bindings;
    bindings.inputs = {inputs[i + 1].data(), expected.data()};
    bindings.outputs = {next.data()};
    RunReference(*graph.nodes[i].op, bindings);
    expected = next;
  }
  std::vector<const void*> pointers;
  for (const auto& input : inputs) pointers.push_back(input.data());
  MustRun(*program, pointers, {output.data()});
  EXPECT_EQ(test::FindDifference(desc, expected.Elements(), output.Elements(), false),
            std::nullopt);
  EXPECT_EQ(output.FindForeignWrite(), std::nullopt);
}

TEST(Graph, LetsOneInputFeedSeveralNodesAndSeveralInputsFeedOne) {
  // gate 0: (x, dy), gate 1: (gate 0, x); both read input 0.
  Graph graph;
  graph.input_count = 2;
  graph.output_count = 1;
  graph.nodes = {Gate({6}), Gate({6})};
  graph.input_edges = {{0, 0, 0}, {1, 0, 1}, {0, 1, 1}};
  graph.intermediate_edges = {{0, 0, 1, 0}};
  graph.output_edges = {{1, 0, 0}};
  const std::vector<float> x = {1, 2, 3, -4, -5, 6}, dy = {1, -1, 1, 1, 1, 0};
  std::vector<float> result(6);
  MustRun(*MustCompile(graph), {x.data(), dy.data()}, {result.data()});
  EXPECT_EQ(result, GateOf(GateOf(x, dy), x));
}

TEST(Graph, LetsOneNodeUseATensorTwice) {
  Graph graph = Chain(2, {6});
  graph.input_edges = {{0, 0, 0}, {1, 0, 1}};
  graph.intermediate_edges = {{0, 0, 1, 0}, {0, 0, 1, 1}};
  const std::vector<float> x = {1, 2, -3, 4, 5, 6}, dy = {1, -1, 1, 0, 7, -9};
  std::vector<float> result(6);
  const auto program = MustCompile(graph);
  EXPECT_EQ(program->inputs[2].bytes, 0u);  // nobody reads it
  MustRun(*program, {x.data(), dy.data(), nullptr}, {result.data()});
  const std::vector<float> between = GateOf(x, dy);
  EXPECT_EQ(result, GateOf(between, between));
}

TEST(Graph, FeedsSeveralOutputsFromOneTensor) {
  Graph graph = Chain(1, {5});
  graph.output_count = 3;
  graph.output_edges = {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}};
  const std::vector<float> dy = {1, 2, 3, 4, 5}, x = {1, -1, 1, -1, 1};
  std::vector<float> a(5), b(5), c(5);
  MustRun(*MustCompile(graph), {dy.data(), x.data()}, {a.data(), b.data(), c.data()});
  EXPECT_EQ(a, GateOf(x, dy));
  EXPECT_EQ(b, a);
  EXPECT_EQ(c, a);
}

TEST(Graph, WritesNoPaddingOfASecondOutput) {
  Graph graph = Chain(1, {3, 4}, kWithGaps);
  graph.output_count = 2;
  graph.output_edges = {{0, 0, 0}, {0, 0, 1}};
  const TensorDesc& desc = *PortsOf(*graph.nodes[0].op).inputs[0].tensor;
  std::mt19937 random(5);
  test::TensorMemory x(desc), dy(desc), a(desc), b(desc);
  x.FillRandom(random);
  dy.FillRandom(random);
  MustRun(*MustCompile(graph), {dy.data(), x.data()}, {a.data(), b.data()});
  EXPECT_EQ(a.Elements(), b.Elements());
  EXPECT_EQ(b.FindForeignWrite(), std::nullopt);
}

TEST(Graph, ReadsATensorThatIsAlsoAnOutput) {
  Graph graph = Chain(2, {5});
  graph.output_count = 2;
  graph.output_edges = {{1, 0, 0}, {0, 0, 1}};
  const auto program = MustCompile(graph);
  EXPECT_EQ(program->temporary_bytes, 0u);
  const std::vector<float> dy = {1, 2, 3, 4, 5}, x0 = {1, -1, 1, 1, 1}, x1 = {1, 1, -1, 1, 0};
  std::vector<float> last(5), between(5);
  MustRun(*program, {dy.data(), x0.data(), x1.data()}, {last.data(), between.data()});
  EXPECT_EQ(between, GateOf(x0, dy));
  EXPECT_EQ(last, GateOf(x1, between));
}

TEST(Graph, DropsNodesThatNoOutputNeeds) {
  Graph graph = Chain(1, {5});
  graph.nodes.push_back(Gate({1000}));
  graph.nodes.push_back(Gate({1000}));
  graph.input_count = 3;
  graph.input_edges.push_back({2, 1, 0});
  graph.input_edges.push_back({2, 1, 1});
  graph.input_edges.push_back({2, 2, 0});
  graph.intermediate_edges.push_back({1, 0, 2, 1});
  const auto program = MustCompile(graph);
  EXPECT_EQ(program->steps.size(), 1u);
  EXPECT_EQ(program->temporary_bytes, 0u);
  EXPECT_EQ(program->inputs[2].bytes, 0u);
}

TEST(Graph, CopiesConstantsWhenItIsCompiled) {
  std::vector<float> x = {1, -1, 1, -1};
  Graph graph = Chain(1, {4});
  graph.nodes.push_back(ConstantNode(x));
  graph.input_edges = {{0, 0, 1}};
  graph.intermediate_edges = {{1, 0, 0, 0}};
  const auto program = MustCompile(graph);
  x.assign(4, 1.0f);
  const std::vector<float> dy = {1, 2, 3, 4};
  std::vector<float> result(4);
  MustRun(*program, {dy.data(), nullptr}, {result.data()});
  EXPECT_EQ(result, (std::vector<float>{1, 0, 3, 0}));
}

// Three halves are 6 bytes; their TotalTensorSizeInBytes is 8.
TEST(Graph, TakesAConstantThatEndsWithItsLastElement) {
  const std::vector<uint16_t> x = {0x3C00, 0xBC00, 0x3C00};
  Graph graph = Chain(1, {3}, {.type = DML_TENSOR_DATA_TYPE_FLOAT16});
  graph.nodes.push_back(ConstantNode(x));
  graph.input_edges = {{0, 0, 1}};
  graph.intermediate_edges = {{1, 0, 0, 0}};
  const std::vector<uint16_t> dy = {1, 2, 3, 0};
  std::vector<uint16_t> result(4, 0xC5C5);
  MustRun(*MustCompile(graph), {dy.data(), nullptr}, {result.data()});
  EXPECT_EQ(result, (std::vector<uint16_t>{1, 0, 3, 0xC5C5}));
}

TEST(Graph, ReadsTheProducersBytesUnderAnotherShape) {
  // The second gate sees the {2, 3} of the first one transposed.
  Graph graph = Chain(2, {2, 3});
  test::Tensor transposed(DML_TENSOR_DATA_TYPE_FLOAT32, {3, 2}, {1, 3});
  test::Tensor packed(DML_TENSOR_DATA_TYPE_FLOAT32, {3, 2});
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {packed, transposed, packed};
  const DML_OPERATOR_DESC op = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc};
  graph.nodes[1].op = CreateOperator(&op, {}).value();
  const std::vector<float> dy = {1, 2, 3, 4, 5, 6}, ones(6, 1.0f);
  std::vector<float> result(6);
  MustRun(*MustCompile(graph), {dy.data(), ones.data(), ones.data()}, {result.data()});
  EXPECT_EQ(result, (std::vector<float>{1, 4, 2, 5, 3, 6}));
}

TEST(Graph, NotesAnEdgeThatReinterpretsTheDataType) {
  Graph graph = Chain(2, {4});
  graph.nodes[1] = Gate({4}, {.type = DML_TENSOR_DATA_TYPE_INT32});
  const auto program = MustCompile(graph);
  ASSERT_EQ(program->notes.size(), 1u);
  EXPECT_EQ(program->notes[0],
            "graph: the edge from OutputGradientTensor of node 0 (ACTIVATION_RELU_GRAD) to "
            "InputGradientTensor of node 1 (ACTIVATION_RELU_GRAD) reinterprets FLOAT32 as INT32");
}

TEST(Graph, TakesTheMostDemandingUserOfAnInput) {
  Graph graph = Chain(2, {4});
  test::Tensor aligned(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  aligned.buffer().GuaranteedBaseOffsetAlignment = 64;
  aligned.buffer().TotalTensorSizeInBytes = 32;
  aligned.buffer().Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
  test::Tensor plain(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {aligned, plain, plain};
  const DML_OPERATOR_DESC op = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc};
  graph.nodes[1].op = CreateOperator(&op, {}).value();
  graph.input_edges = {{0, 0, 1}, {1, 0, 0}, {1, 1, 0}};
  const auto program = MustCompile(graph);
  EXPECT_EQ(program->inputs[0].alignment, 16u);
  EXPECT_FALSE(program->inputs[0].owned);
  EXPECT_EQ(program->inputs[1].alignment, 64u);
  EXPECT_EQ(program->inputs[1].bytes, 32u);
  EXPECT_TRUE(program->inputs[1].owned);
}

// B23 for graphs.
TEST(Graph, SaysWhichInputsAnOutputMayOverwrite) {
  const auto single = MustCompile(GraphOf(*Gate({4}).op));
  EXPECT_TRUE(MayAlias(*single, 0, 0));
  EXPECT_TRUE(MayAlias(*single, 1, 0));
  // In a chain every input is read before, or in place with, the last write.
  const auto chain = MustCompile(Chain(3, {8, 8}, kWithGaps));
  for (uint32_t input = 0; input < 4; ++input) EXPECT_TRUE(MayAlias(*chain, input, 0));
  // The first gate's result is an output, and input 2 is read later.
  Graph early = Chain(2, {8, 8}, kWithGaps);
  early.output_count = 2;
  early.output_edges = {{1, 0, 0}, {0, 0, 1}};
  const auto program = MustCompile(early);
  EXPECT_TRUE(MayAlias(*program, 1, 1));
  EXPECT_FALSE(MayAlias(*program, 2, 1));
  EXPECT_TRUE(MayAlias(*program, 2, 0));
}

TEST(Graph, DoesNotOverwriteAnInputOfAnotherLayout) {
  test::Tensor packed(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3});
  test::Tensor transposed(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3}, {1, 2});
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {transposed, packed, packed};
  const DML_OPERATOR_DESC op = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc};
  const auto program = MustCompile(GraphOf(CreateOperator(&op, {}).value()));
  EXPECT_FALSE(MayAlias(*program, 0, 0));
  EXPECT_TRUE(MayAlias(*program, 1, 0));
}

}  // namespace
}  // namespace anydml::graph
