// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// IDMLDevice1::CompileGraph: reading the description, and one graph of every
// kind through the whole API. What graphs compute is tested in tests/graph/.
#include "directml/graph_builder.h"

namespace anydml::directml {
namespace {

class GraphDescTest : public DirectMLTest {
 protected:
  HRESULT Try(const DML_GRAPH_DESC& desc) {
    return dml->CompileGraph(&desc, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator),
                             nullptr);
  }
  ComPtr<IDMLCompiledOperator> MustCompile(const GraphBuilder& graph) {
    const DML_GRAPH_DESC desc = graph.desc();
    ComPtr<IDMLCompiledOperator> compiled;
    EXPECT_EQ(dml->CompileGraph(&desc, DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)), S_OK)
        << LastError();
    return compiled;
  }
};

TEST_F(GraphDescTest, RunsAChain) {
  const auto gate = CreateGate(1000);
  const auto compiled = MustCompile(ChainOf(gate.Get(), 3));
  Initialize(compiled);
  std::vector<float> dy(1000), x(1000), expected(1000);
  for (int i = 0; i < 1000; ++i) {
    dy[i] = static_cast<float>(i + 1);
    x[i] = static_cast<float>(i % 3);
    expected[i] = i % 3 == 0 ? 0 : dy[i];
  }
  const auto ones = Buffer(std::vector<float>(1000, 1.0f));
  const auto result = Buffer(4000);
  Record(compiled, {Buffer(dy), ones, Buffer(x), ones}, {result});
  Finish();
  EXPECT_EQ(Contents<float>(result.Get()), expected);
}

TEST_F(GraphDescTest, MayBeAskedWhetherItWouldCompile) {
  const auto gate = CreateGate(4);
  EXPECT_EQ(Try(ChainOf(gate.Get(), 2).desc()), S_FALSE);
}

TEST_F(GraphDescTest, CopiesConstants) {
  const auto gate = CreateGate(4);
  GraphBuilder graph(1, 1);
  std::vector<float> x = {1, 0, 1, 0};
  graph.AddOperator(gate.Get());
  const UINT constant = graph.AddConstant(x);
  graph.AddInput(0, 0, 1);
  graph.AddEdge(constant, 0, 0, 0);
  graph.AddOutput(0, 0, 0);
  const auto compiled = MustCompile(graph);
  x.assign(4, 0.0f);
  Initialize(compiled);
  const auto result = Buffer(16);
  Record(compiled, {Buffer(std::vector<float>{1, 2, 3, 4})}, {result});
  Finish();
  EXPECT_EQ(Contents<float>(result.Get()), (std::vector<float>{1, 0, 3, 0}));
}

TEST_F(GraphDescTest, OwnsInputs) {
  Tensor owned(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  owned.buffer().Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
  const Tensor plain(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  const auto gate = CreateGate(owned, plain, plain);
  const auto compiled = MustCompile(ChainOf(gate.Get(), 2));  // inputs 1 and 2 are owned
  EXPECT_EQ(compiled->GetBindingProperties().PersistentResourceSize, 512u);
  const auto persistent = Buffer(512);
  const auto initializer = Initializer(compiled.Get());
  const auto table = Table(initializer.Get());
  const auto a = Buffer(std::vector<float>{1, 1, 0, 0}), b = Buffer(std::vector<float>{1, 0, 1, 0});
  const DML_BUFFER_BINDING buffers[] = {{}, Range(a).Binding(), Range(b).Binding()};
  const DML_BUFFER_ARRAY_BINDING array = {3, buffers};
  const DML_BINDING_DESC inputs = {DML_BINDING_TYPE_BUFFER_ARRAY, &array};
  table->BindInputs(1, &inputs);
  const BindingDescs outputs = {persistent};
  table->BindOutputs(1, outputs.data());
  recorder->RecordDispatch(list.Get(), initializer.Get(), table.Get());
  const auto execution = Table(compiled.Get());
  execution->BindPersistentResource(outputs.data());
  const auto result = Buffer(16);
  Bind(execution, {Range(Buffer(std::vector<float>{5, 6, 7, 8})), Range(), Range()}, {result});
  recorder->RecordDispatch(list.Get(), compiled.Get(), execution.Get());
  Finish();
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
  EXPECT_EQ(Contents<float>(result.Get()), (std::vector<float>{5, 0, 0, 0}));
}

// inputCount of DirectMLX may exceed the inputs that are used.
TEST_F(GraphDescTest, BindsNothingToInputsThatNobodyReads) {
  const auto gate = CreateGate(4);
  GraphBuilder graph(5, 1);
  graph.AddOperator(gate.Get());
  graph.AddInput(1, 0, 0);
  graph.AddInput(3, 0, 1);
  graph.AddOutput(0, 0, 0);
  const auto compiled = MustCompile(graph);
  Initialize(compiled);
  const auto x = Buffer(std::vector<float>{1, 2, 3, 4}), result = Buffer(16);
  Record(compiled, {Range(), x, Range(), x, x}, {result});
  Finish();
  EXPECT_EQ(Contents<float>(result.Get()), (std::vector<float>{1, 2, 3, 4}));
}

// A program need not know which of its nodes feed no output: what it set the flag
// for it may bind at initialisation, or leave out.
TEST_F(GraphDescTest, BindsOwnedInputsThatOnlyADeadNodeReads) {
  Tensor owned(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  owned.buffer().Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
  const Tensor plain(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  const auto live = CreateGate(owned, plain, plain), dead = CreateGate(owned, plain, plain);
  GraphBuilder graph(3, 1);
  graph.AddOperator(live.Get());
  graph.AddOperator(dead.Get());
  graph.AddInput(0, 0, 0);
  graph.AddInput(1, 0, 1);
  graph.AddInput(2, 1, 0);
  graph.AddInput(1, 1, 1);
  graph.AddOutput(0, 0, 0);
  const auto x = Buffer(std::vector<float>{1, 0, 1, 0}), unread = Buffer(16);
  const auto dy = Buffer(std::vector<float>{5, 6, 7, 8});
  for (const Range& third : {Range(unread), Range()}) {
    const auto compiled = MustCompile(graph);
    EXPECT_EQ(compiled->GetBindingProperties().PersistentResourceSize, 256u);
    const auto initializer = Initializer(compiled.Get());
    const auto table = Table(initializer.Get());
    const DML_BUFFER_BINDING buffers[] = {Range(x).Binding(), {}, third.Binding()};
    const DML_BUFFER_ARRAY_BINDING array = {3, buffers};
    const DML_BINDING_DESC inputs = {DML_BINDING_TYPE_BUFFER_ARRAY, &array};
    table->BindInputs(1, &inputs);
    const BindingDescs persistent = {Range(Buffer(256))};
    table->BindOutputs(1, persistent.data());
    recorder->RecordDispatch(list.Get(), initializer.Get(), table.Get());
    const auto execution = Table(compiled.Get());
    execution->BindPersistentResource(persistent.data());
    const auto result = Buffer(16);
    Bind(execution, {Range(), dy, Range()}, {result});
    recorder->RecordDispatch(list.Get(), compiled.Get(), execution.Get());
    Finish();
    EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
    EXPECT_EQ(Contents<float>(result.Get()), (std::vector<float>{5, 0, 7, 0}));
  }
}

// Then there is nothing to keep.
TEST_F(GraphDescTest, KeepsNothingForADeadNodeAlone) {
  Tensor owned(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  owned.buffer().Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
  const Tensor plain(DML_TENSOR_DATA_TYPE_FLOAT32, {4});
  const auto live = CreateGate(4), dead = CreateGate(owned, plain, plain);
  GraphBuilder graph(2, 1);
  graph.AddOperator(live.Get());
  graph.AddOperator(dead.Get());
  graph.AddInput(0, 0, 0);
  graph.AddInput(0, 0, 1);
  graph.AddInput(1, 1, 0);
  graph.AddInput(0, 1, 1);
  graph.AddOutput(0, 0, 0);
  const auto compiled = MustCompile(graph);
  EXPECT_EQ(compiled->GetBindingProperties().PersistentResourceSize, 0u);
  const auto unread = Buffer(16), result = Buffer(16);
  const auto x = Buffer(std::vector<float>{1, -2, 3, -4});
  const auto initializer = Initializer(compiled.Get());
  const auto table = Table(initializer.Get());
  const DML_BUFFER_BINDING buffers[] = {{}, Range(unread).Binding()};
  const DML_BUFFER_ARRAY_BINDING array = {2, buffers};
  const DML_BINDING_DESC inputs = {DML_BINDING_TYPE_BUFFER_ARRAY, &array};
  table->BindInputs(1, &inputs);
  recorder->RecordDispatch(list.Get(), initializer.Get(), table.Get());
  Record(compiled, {x, Range()}, {result});
  Finish();
  EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
  EXPECT_EQ(Contents<float>(result.Get()), (std::vector<float>{1, 0, 3, 0}));
}

// What DirectMLX's ClipGrad draws.
TEST_F(GraphDescTest, RefusesARequiredInputWithoutEdge) {
  const auto gate = CreateGate(4);
  GraphBuilder graph(1, 1);
  graph.AddOperator(gate.Get(), "clip");
  graph.AddInput(0, 0, 0);
  graph.AddOutput(0, 0, 0);
  EXPECT_EQ(Try(graph.desc()), E_INVALIDARG);
  EXPECT_EQ(LastError(),
            "CompileGraph: graph: InputGradientTensor of node 0 'clip' (ACTIVATION_RELU_GRAD) has "
            "no edge");
}

TEST_F(GraphDescTest, RefusesWrongTags) {
  const auto gate = CreateGate(4);
  GraphBuilder graph = ChainOf(gate.Get(), 2);
  graph.nodes()[1].Type = DML_GRAPH_NODE_TYPE_INVALID;
  EXPECT_EQ(Try(graph.desc()), E_INVALIDARG);
  EXPECT_EQ(LastError(), "CompileGraph: Nodes[1].Type = 0 must be OPERATOR or CONSTANT");
  graph = ChainOf(gate.Get(), 2);
  graph.input_edges()[1].Type = DML_GRAPH_EDGE_TYPE_OUTPUT;
  EXPECT_EQ(Try(graph.desc()), E_INVALIDARG);
  EXPECT_EQ(LastError(), "CompileGraph: InputEdges[1].Type = 2 must be INPUT");
}

TEST_F(GraphDescTest, RefusesNullPointers) {
  const auto gate = CreateGate(4);
  EXPECT_EQ(
      dml->CompileGraph(nullptr, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), nullptr),
      E_INVALIDARG);
  GraphBuilder graph = ChainOf(gate.Get(), 2);
  graph.nodes()[0].Desc = nullptr;
  EXPECT_EQ(Try(graph.desc()), E_INVALIDARG);
  EXPECT_EQ(LastError(), "CompileGraph: Nodes[0].Desc must not be null");
  graph = ChainOf(gate.Get(), 2);
  graph.input_edges()[0].Desc = nullptr;
  EXPECT_EQ(Try(graph.desc()), E_INVALIDARG);
  EXPECT_EQ(LastError(), "CompileGraph: InputEdges[0].Desc must not be null");
  graph = ChainOf(gate.Get(), 2);
  DML_GRAPH_DESC desc = graph.desc();
  desc.InputEdges = nullptr;
  EXPECT_EQ(Try(desc), E_INVALIDARG);
  EXPECT_EQ(LastError(), "CompileGraph: InputEdges must not be null: there are 3 edges");
  desc = graph.desc();
  desc.Nodes = nullptr;
  EXPECT_EQ(Try(desc), E_INVALIDARG);
  EXPECT_EQ(LastError(), "CompileGraph: a graph must have at least one node");
  desc = graph.desc();
  desc.OutputCount = 0;
  EXPECT_EQ(Try(desc), E_INVALIDARG);
  EXPECT_EQ(LastError(), "CompileGraph: a graph must have at least one output");
}

TEST_F(GraphDescTest, RefusesOperatorsOfAnotherDevice) {
  const auto gate = CreateGate(4);
  ASSERT_EQ(DMLCreateDevice(device.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&dml)), S_OK);
  EXPECT_EQ(Try(ChainOf(gate.Get(), 1).desc()), E_INVALIDARG);
  EXPECT_EQ(LastError(), "CompileGraph: the operator of node 0 must be one of this device");
  EXPECT_EQ(Try(ChainOf(nullptr, 1).desc()), E_INVALIDARG);
}

TEST_F(GraphDescTest, RefusesUnknownFlags) {
  const auto gate = CreateGate(4);
  const GraphBuilder graph = ChainOf(gate.Get(), 1);
  const DML_GRAPH_DESC desc = graph.desc();
  EXPECT_EQ(dml->CompileGraph(&desc, static_cast<DML_EXECUTION_FLAGS>(16),
                              __uuidof(IDMLCompiledOperator), nullptr),
            E_INVALIDARG);
}

}  // namespace
}  // namespace anydml::directml
