// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Chains of element-wise operators run as one step, with the bits of the
// separate operators.
#include "graph/fusion.h"

#include "graph/gates.h"

namespace anydml::graph {
namespace {

// The same chain, one operator after the other.
std::vector<uint8_t> RunOneByOne(const Graph& graph, std::vector<test::TensorMemory>& inputs,
                                 const cpu::Executor& executor) {
  test::TensorMemory last = inputs[0];
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    test::TensorMemory next(last.desc());
    Bindings bindings;
    bindings.inputs = {inputs[i + 1].data(), last.data()};
    bindings.outputs = {next.data()};
    Result<CpuProgram> program = anydml::Compile(*graph.nodes[i].op);
    EXPECT_TRUE(program.ok());
    EXPECT_TRUE(anydml::Run(program.value(), bindings, executor).ok());
    last = next;
  }
  return last.Elements();
}

void ExpectSameBits(const Graph& graph, size_t steps, int threads = 2) {
  const auto program = MustCompile(graph);
  EXPECT_EQ(program->steps.size(), steps);
  const TensorDesc& desc = *PortsOf(*graph.nodes[0].op).inputs[0].tensor;
  std::mt19937 random(11);
  std::vector<test::TensorMemory> inputs;
  std::vector<const void*> pointers;
  for (size_t i = 0; i <= graph.nodes.size(); ++i) inputs.emplace_back(desc);
  for (auto& input : inputs) {
    input.FillRandom(random);
    pointers.push_back(input.data());
  }
  test::TensorMemory output(desc);
  MustRun(*program, pointers, {output.data()}, threads);
  const cpu::Executor executor(threads);
  EXPECT_EQ(output.Elements(), RunOneByOne(graph, inputs, executor));
  EXPECT_EQ(output.FindForeignWrite(), std::nullopt);
}

TEST(Fusion, RunsAChainInOneStepWithoutTemporaryMemory) {
  const Graph graph = Chain(4, {100000});
  EXPECT_EQ(MustCompile(graph)->temporary_bytes, 0u);
  ExpectSameBits(graph, 1);
}

TEST(Fusion, HasTheBitsOfSeparateOperatorsForEveryTypeAndLength) {
  for (DML_TENSOR_DATA_TYPE type :
       {DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_DATA_TYPE_FLOAT16, DML_TENSOR_DATA_TYPE_INT32,
        DML_TENSOR_DATA_TYPE_INT16, DML_TENSOR_DATA_TYPE_INT8}) {
    for (UINT length : {1u, 7u, 8191u, 8192u, 8193u, 16385u, 32769u, 70001u}) {
      for (int threads : {1, 4}) {
        SCOPED_TRACE(testing::Message() << type << " " << length << " " << threads);
        ExpectSameBits(Chain(3, {length}, {.type = type}), 1, threads);
      }
    }
  }
}

// All tensors in NHWC order are one dense row as well.
TEST(Fusion, TakesAnyDenseLayoutThatTheTensorsShare) {
  ExpectSameBits(Chain(3, {2, 3, 8, 8}, {.strides = {192, 1, 24, 3}}), 1);
}

Node MakeNode(DML_OPERATOR_TYPE type, const void* desc) {
  const DML_OPERATOR_DESC op = {type, desc};
  Result<Operator> made = CreateOperator(&op, {});
  EXPECT_TRUE(made.ok()) << made.error().message;
  return {.op = made.value(), .constant = {}, .name = {}};
}

// A gradient that flows through a clip in both versions, a copy and a gate.
TEST(Fusion, TakesAllElementWiseGradients) {
  for (DML_TENSOR_DATA_TYPE type :
       {DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_DATA_TYPE_FLOAT16, DML_TENSOR_DATA_TYPE_INT8}) {
    const test::Tensor tensor(type, {3, 5000});
    DML_SCALAR_UNION min = {}, max = {};  // as bits; of INT8: 1 and 100
    min.UInt32 = type == DML_TENSOR_DATA_TYPE_FLOAT32 ? 0xBF800000u : 0xBC01u;
    max.UInt32 = type == DML_TENSOR_DATA_TYPE_FLOAT32 ? 0x40400000u : 0x4264u;
    const DML_ELEMENT_WISE_CLIP_GRAD_OPERATOR_DESC clip = {tensor, tensor, tensor, -2.0f, 2.0f};
    const DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC clip1 = {tensor, tensor, tensor,
                                                             type,   min,    max};
    Graph graph = Chain(4, {3, 5000}, {.type = type});
    graph.nodes[1] = MakeNode(DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD, &clip);
    graph.nodes[2] = MakeNode(DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD1, &clip1);
    ExpectSameBits(graph, 1);
    const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC identity = {tensor, tensor, nullptr};
    graph.nodes[2] = MakeNode(DML_OPERATOR_ELEMENT_WISE_IDENTITY, &identity);
    graph.input_edges.erase(graph.input_edges.begin() + 3);  // input 3 fed its x
    graph.intermediate_edges[1] = {1, 0, 2, 0};
    EXPECT_EQ(MustCompile(graph)->steps.size(), 1u);
  }
}

// B126. What an operator applies to its result runs with it.
TEST(Fusion, TakesOperatorsWithAFusedActivation) {
  const DML_ACTIVATION_RELU_OPERATOR_DESC relu = {nullptr, nullptr};
  const DML_OPERATOR_DESC fused = {DML_OPERATOR_ACTIVATION_RELU, &relu};
  for (DML_TENSOR_DATA_TYPE type : {DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_DATA_TYPE_FLOAT16}) {
    const test::Tensor tensor(type, {3, 5000});
    const DML_ELEMENT_WISE_ADD1_OPERATOR_DESC add = {tensor, tensor, tensor, &fused};
    Graph graph = Chain(3, {3, 5000}, {.type = type});
    graph.nodes[1] = MakeNode(DML_OPERATOR_ELEMENT_WISE_ADD1, &add);
    ExpectSameBits(graph, 1);
  }
}

// How an operand repeats its elements.
std::vector<UINT> StridesOf(std::string_view operand, const std::vector<UINT>& sizes) {
  std::vector<UINT> strides(sizes.size());
  if (operand == "row") strides.back() = 1;
  if (operand == "column") strides[sizes.size() - 2] = 1;
  if (operand == "padded") {
    strides.back() = 1;
    for (size_t i = sizes.size() - 1; i > 0; --i) {
      strides[i - 1] = strides[i] * sizes[i] + (i + 1 == sizes.size() ? 3 : 0);
    }
  }
  return strides;  // "scalar": all 0
}

struct Operand {
  DML_OPERATOR_TYPE type;
  std::string_view kind;
};

// x, and an operator and an operand after the other; x is the second operand of every other one.
Graph ChainOf(const std::vector<Operand>& operands, const std::vector<UINT>& sizes,
              DML_TENSOR_DATA_TYPE type) {
  Graph graph;
  graph.input_count = static_cast<uint32_t>(operands.size()) + 1;
  graph.output_count = 1;
  for (uint32_t i = 0; i < operands.size(); ++i) {
    const test::Tensor whole(type, sizes);
    const test::Tensor other(type, sizes, StridesOf(operands[i].kind, sizes));
    const uint32_t at = i % 2;  // of x
    // The structs of all operators with two inputs are alike.
    const DML_ELEMENT_WISE_ADD_OPERATOR_DESC desc = {at == 0 ? whole : other,
                                                     at == 0 ? other : whole, whole};
    graph.nodes.push_back(MakeNode(operands[i].type, &desc));
    if (i == 0) graph.input_edges.push_back({0, 0, at});
    if (i > 0) graph.intermediate_edges.push_back({i - 1, 0, i, at});
    graph.input_edges.push_back({i + 1, i, 1 - at});
  }
  graph.output_edges = {{graph.input_count - 2, 0, 0}};
  return graph;
}

// The bits of the operators one after the other.
void ExpectBitsOfSeparateOperators(const Graph& graph, int threads) {
  std::mt19937 random(5);
  const cpu::Executor executor(threads);
  std::vector<test::TensorMemory> operands;
  std::vector<const void*> pointers;
  test::TensorMemory last(*PortsOf(*graph.nodes[0].op).outputs[0].tensor);
  last.FillRandom(random);
  const test::TensorMemory x = last;
  pointers.push_back(x.data());
  operands.reserve(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Ports ports = PortsOf(*graph.nodes[i].op);
    test::TensorMemory& other = operands.emplace_back(*ports.inputs[1 - i % 2].tensor);
    other.FillRandom(random);
    pointers.push_back(other.data());
    test::TensorMemory next(*ports.outputs[0].tensor);
    Bindings bindings;
    bindings.inputs = {last.data(), last.data()};
    bindings.inputs[1 - i % 2] = other.data();
    bindings.outputs = {next.data()};
    ASSERT_TRUE(anydml::Run(anydml::Compile(*graph.nodes[i].op).value(), bindings, executor).ok());
    last = next;
  }
  test::TensorMemory output(last.desc());
  MustRun(*MustCompile(graph), pointers, {output.data()}, threads);
  EXPECT_EQ(test::FindDifference(last.desc(), last.Elements(), output.Elements(), true),
            std::nullopt);
  EXPECT_EQ(output.FindForeignWrite(), std::nullopt);
}

// Chains of up to 8 operators stay one step whatever their operands repeat.
TEST(Fusion, TakesRowsColumnsAndScalars) {
  constexpr DML_OPERATOR_TYPE kTypes[] = {
      DML_OPERATOR_ELEMENT_WISE_ADD, DML_OPERATOR_ELEMENT_WISE_MULTIPLY,
      DML_OPERATOR_ELEMENT_WISE_SUBTRACT, DML_OPERATOR_ELEMENT_WISE_MAX};
  constexpr std::string_view kKinds[] = {"row", "column", "scalar", "padded"};
  const std::vector<UINT> all_sizes[] = {{1, 50000}, {700, 16}, {37, 129}, {3, 5, 40, 64}};
  std::mt19937 random(3);
  for (DML_TENSOR_DATA_TYPE type :
       {DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_DATA_TYPE_FLOAT16, DML_TENSOR_DATA_TYPE_INT64}) {
    for (const std::vector<UINT>& sizes : all_sizes) {
      for (size_t length = 2; length <= 8; ++length) {
        std::vector<Operand> operands;
        for (size_t i = 0; i < length; ++i)
          operands.push_back({kTypes[i % 4], kKinds[random() % 4]});
        SCOPED_TRACE(testing::Message() << type << " " << sizes.size() << " " << length);
        const Graph graph = ChainOf(operands, sizes, type);
        EXPECT_EQ(MustCompile(graph)->steps.size(), 1u);
        ExpectBitsOfSeparateOperators(graph, length % 2 == 0 ? 1 : 4);
      }
    }
  }
}

// Elements of what is repeated may be larger than those of every result.
TEST(Fusion, GathersElementsLargerThanTheOutputs) {
  const std::vector<UINT> sizes = {300, 500}, row = {0, 1};
  const test::Tensor wide(DML_TENSOR_DATA_TYPE_FLOAT64, sizes, row);
  const test::Tensor bytes(DML_TENSOR_DATA_TYPE_UINT8, sizes),
      back(DML_TENSOR_DATA_TYPE_INT8, sizes);
  const DML_CAST_OPERATOR_DESC first = {wide, bytes}, second = {bytes, back};
  Graph graph;
  graph.input_count = graph.output_count = 1;
  graph.nodes = {MakeNode(DML_OPERATOR_CAST, &first), MakeNode(DML_OPERATOR_CAST, &second)};
  graph.input_edges = {{0, 0, 0}};
  graph.intermediate_edges = {{0, 0, 1, 0}};
  graph.output_edges = {{1, 0, 0}};
  const auto program = MustCompile(graph);
  EXPECT_EQ(program->steps.size(), 1u);
  std::vector<double> x(500);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i % 128);
  std::vector<int8_t> y(300 * 500);
  MustRun(*program, {x.data()}, {y.data()});
  for (size_t i = 0; i < y.size(); ++i) ASSERT_EQ(y[i], static_cast<int8_t>(i % 500 % 128)) << i;
}

// A channel's bias, where channels lie innermost; and rows that are too short.
TEST(Fusion, AsksForRowsAlongTheMemory) {
  const auto steps = [](const std::vector<UINT>& sizes, const std::vector<UINT>& strides,
                        const std::vector<UINT>& bias) {
    const test::Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, sizes, strides);
    const test::Tensor b(DML_TENSOR_DATA_TYPE_FLOAT32, sizes, bias);
    const DML_ELEMENT_WISE_ADD_OPERATOR_DESC add = {x, b, x};
    Graph graph;
    graph.input_count = 3;
    graph.output_count = 1;
    graph.nodes = {MakeNode(DML_OPERATOR_ELEMENT_WISE_ADD, &add),
                   MakeNode(DML_OPERATOR_ELEMENT_WISE_ADD, &add)};
    graph.input_edges = {{0, 0, 0}, {1, 0, 1}, {2, 1, 1}};
    graph.intermediate_edges = {{0, 0, 1, 0}};
    graph.output_edges = {{1, 0, 0}};
    return MustCompile(graph)->steps.size();
  };
  EXPECT_EQ(steps({2, 32, 8, 8}, {2048, 1, 256, 32}, {0, 1, 0, 0}), 1u);
  EXPECT_EQ(steps({2, 32, 8, 8}, {2048, 64, 8, 1}, {0, 1, 0, 0}), 1u);
  EXPECT_EQ(steps({100, 4}, {4, 1}, {0, 1}), 2u);
  EXPECT_EQ(steps({64, 64}, {64, 1}, {1, 64}), 2u);  // transposed
}

TEST(Fusion, StopsWhereAResultIsRepeated) {
  const std::vector<UINT> sizes = {64, 64};
  const test::Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, sizes),
      row(DML_TENSOR_DATA_TYPE_FLOAT32, sizes, {0, 1});
  const DML_ACTIVATION_RELU_OPERATOR_DESC relu = {x, x};
  const DML_ELEMENT_WISE_ADD_OPERATOR_DESC add = {x, row, x};
  Graph graph;
  graph.input_count = 2;
  graph.output_count = 1;
  graph.nodes = {MakeNode(DML_OPERATOR_ACTIVATION_RELU, &relu),
                 MakeNode(DML_OPERATOR_ELEMENT_WISE_ADD, &add)};
  graph.input_edges = {{0, 0, 0}, {1, 1, 0}};
  graph.intermediate_edges = {{0, 0, 1, 1}};
  graph.output_edges = {{1, 0, 0}};
  EXPECT_EQ(MustCompile(graph)->steps.size(), 2u);
}

// What is repeated is read again after the first block was written.
TEST(Fusion, DoesNotRunInPlaceOnARow) {
  const auto program = MustCompile(
      ChainOf({{DML_OPERATOR_ELEMENT_WISE_ADD, "row"}, {DML_OPERATOR_ELEMENT_WISE_ADD, "column"}},
              {64, 64}, DML_TENSOR_DATA_TYPE_FLOAT32));
  EXPECT_EQ(program->steps.size(), 1u);
  EXPECT_TRUE(MayAlias(*program, 0, 0));
  EXPECT_FALSE(MayAlias(*program, 1, 0));
  EXPECT_FALSE(MayAlias(*program, 2, 0));
}

TEST(Fusion, CutsChainsThatAreVeryLong) { ExpectSameBits(Chain(100, {3000}), 4); }

TEST(Fusion, LooksThroughAnotherShapeOfTheSameElements) {
  Graph graph = Chain(2, {4, 6});
  graph.nodes[1] = Gate({24});
  EXPECT_EQ(MustCompile(graph)->steps.size(), 1u);
}

TEST(Fusion, JoinsBranchesThatMeet) {
  // gate 2 = (gate 0, gate 1)
  Graph graph;
  graph.input_count = 4;
  graph.output_count = 1;
  graph.nodes = {Gate({5000}), Gate({5000}), Gate({5000})};
  graph.input_edges = {{0, 0, 0}, {1, 0, 1}, {2, 1, 0}, {3, 1, 1}};
  graph.intermediate_edges = {{0, 0, 2, 0}, {1, 0, 2, 1}};
  graph.output_edges = {{2, 0, 0}};
  const auto program = MustCompile(graph);
  EXPECT_EQ(program->steps.size(), 1u);
  const std::vector<float> a = Values(5000, 7), b = Values(5000, 13), c = Values(5000, 17),
                           d = Values(5000, 31);
  std::vector<float> result(5000);
  MustRun(*program, {a.data(), b.data(), c.data(), d.data()}, {result.data()});
  EXPECT_EQ(result, GateOf(GateOf(a, b), GateOf(c, d)));
}

TEST(Fusion, StopsWhereATensorHasTwoReaders) {
  // gate 0 feeds gates 1 and 2.
  Graph graph;
  graph.input_count = 3;
  graph.output_count = 2;
  graph.nodes = {Gate({64}), Gate({64}), Gate({64})};
  graph.input_edges = {{0, 0, 0}, {1, 0, 1}, {2, 1, 0}, {2, 2, 1}};
  graph.intermediate_edges = {{0, 0, 1, 1}, {0, 0, 2, 0}};
  graph.output_edges = {{1, 0, 0}, {2, 0, 1}};
  const auto program = MustCompile(graph);
  EXPECT_EQ(program->steps.size(), 3u);
  EXPECT_EQ(program->temporary_bytes, 256u);
  const std::vector<float> a = Values(64, 7), b = Values(64, 13), c = Values(64, 17);
  std::vector<float> first(64), second(64);
  MustRun(*program, {a.data(), b.data(), c.data()}, {first.data(), second.data()});
  EXPECT_EQ(first, GateOf(c, GateOf(a, b)));
  EXPECT_EQ(second, GateOf(GateOf(a, b), c));
}

TEST(Fusion, StopsWhereATensorIsAnOutput) {
  Graph graph = Chain(3, {64});
  graph.output_count = 2;
  graph.output_edges.push_back({0, 0, 1});
  EXPECT_EQ(MustCompile(graph)->steps.size(), 2u);
}

TEST(Fusion, StopsWhereTheReaderSeesOtherElements) {
  Graph graph = Chain(2, {64});
  graph.nodes[1] = Gate({32});  // the first half
  EXPECT_EQ(MustCompile(graph)->steps.size(), 2u);
}

// More branches than there are blocks: the rest goes through temporary memory.
TEST(Fusion, KeepsToItsBlocks) {
  // A full binary tree of depth 6: 63 gates over 64 inputs.
  constexpr uint32_t kGates = 63;
  Graph graph;
  graph.input_count = 64;
  graph.output_count = 1;
  std::vector<std::vector<float>> inputs;
  for (uint32_t i = 0; i < kGates; ++i) graph.nodes.push_back(Gate({20000}));
  for (uint32_t i = 0; i < 64; ++i) {
    inputs.push_back(Values(20000, static_cast<int>(2 * i + 1)));
    graph.input_edges.push_back({i, i / 2, i % 2});  // gates 0 to 31
  }
  for (uint32_t i = 0; i + 1 < kGates; ++i) {
    graph.intermediate_edges.push_back({i, 0, 32 + i / 2, i % 2});
  }
  graph.output_edges = {{kGates - 1, 0, 0}};
  std::vector<std::vector<float>> level = inputs;
  while (level.size() > 1) {
    for (size_t i = 0; i < level.size() / 2; ++i) level[i] = GateOf(level[2 * i], level[2 * i + 1]);
    level.resize(level.size() / 2);
  }
  const auto program = MustCompile(graph);
  EXPECT_GT(program->steps.size(), 1u);
  EXPECT_LT(program->steps.size(), 63u);
  std::vector<const void*> pointers;
  for (const auto& input : inputs) pointers.push_back(input.data());
  std::vector<float> result(20000);
  MustRun(*program, pointers, {result.data()});
  EXPECT_EQ(result, level[0]);
}

TEST(Fusion, RunsInPlaceOnAnyOfItsInputs) {
  const Graph graph = Chain(3, {20000});
  const auto program = MustCompile(graph);
  std::vector<std::vector<float>> inputs;
  for (int i = 0; i < 4; ++i) inputs.push_back(Values(20000, 6 * i + 7));
  const std::vector<float> expected =
      GateOf(inputs[3], GateOf(inputs[2], GateOf(inputs[1], inputs[0])));
  for (uint32_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(MayAlias(*program, i, 0));
    auto copies = inputs;
    MustRun(*program, {copies[0].data(), copies[1].data(), copies[2].data(), copies[3].data()},
            {copies[i].data()});
    EXPECT_EQ(copies[i], expected);
  }
}

}  // namespace
}  // namespace anydml::graph
