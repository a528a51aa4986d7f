// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// AnyDMLDifferentiateGraph: from a description to one with gradients, through the whole API.
// What gradients are is tested in tests/gradient/.
#include "directml/graph_builder.h"
// The fixture first: it includes what the next header wants.
#include <anydml/directml_gradient.h>

namespace anydml::directml {
namespace {

using Floats = std::vector<float>;
using Sizes = std::vector<UINT>;

class GraphGradientsTest : public DirectMLTest {
 protected:
  HRESULT Try(const GraphBuilder& forward, UINT loss, const Sizes& inputs) {
    const DML_GRAPH_DESC desc = forward.desc();
    differentiated.Reset();
    return AnyDMLDifferentiateGraph(dml.Get(), &desc, loss, static_cast<UINT>(inputs.size()),
                                    inputs.data(), &differentiated);
  }
  ComPtr<IDMLCompiledOperator> MustCompile(const DML_GRAPH_DESC& desc) {
    ComPtr<IDMLCompiledOperator> compiled;
    EXPECT_EQ(dml->CompileGraph(&desc, DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)), S_OK)
        << LastError();
    return compiled;
  }

  // The outputs, which have so many elements, of the graph that Try has made.
  std::vector<Floats> Run(const std::vector<Floats>& inputs, const std::vector<size_t>& counts) {
    const auto compiled = MustCompile(*differentiated->GetDesc());
    Initialize(compiled);
    std::vector<ComPtr<ID3D12Resource>> buffers;
    for (const Floats& input : inputs) buffers.push_back(Buffer(input));
    for (size_t count : counts) buffers.push_back(Buffer(count * sizeof(float)));
    std::vector<DML_BUFFER_BINDING> ranges;
    for (const auto& buffer : buffers) ranges.push_back(Range(buffer).Binding());
    std::vector<DML_BINDING_DESC> bindings;
    for (const auto& range : ranges) bindings.push_back({DML_BINDING_TYPE_BUFFER, &range});
    const auto table = Table(compiled.Get());
    table->BindInputs(static_cast<UINT>(inputs.size()), bindings.data());
    table->BindOutputs(static_cast<UINT>(counts.size()), bindings.data() + inputs.size());
    const UINT64 bytes = compiled->GetBindingProperties().TemporaryResourceSize;
    const auto temporary = Buffer(std::max<UINT64>(bytes, 256));
    const BindingDescs memory = {temporary};
    if (bytes != 0) table->BindTemporaryResource(memory.data());
    recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
    Finish();
    EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK) << LastError();
    std::vector<Floats> outputs;
    for (size_t i = 0; i < counts.size(); ++i) {
      outputs.push_back(Contents<float>(buffers[inputs.size() + i].Get()));
    }
    return outputs;
  }

  ComPtr<IDMLOperator> CreateSum(const Tensor& x, const Tensor& sum) {
    static constexpr UINT kAxes[] = {0, 1};
    const DML_REDUCE_OPERATOR_DESC desc = {DML_REDUCE_FUNCTION_SUM, x, sum, 2, kAxes};
    return Create(DML_OPERATOR_REDUCE, &desc);
  }

  // Output 0 is the sum of relu(x * w), output 1 relu(x * w): x has two rows, w is one that is
  // repeated.
  GraphBuilder Network(UINT flags_of_x = DML_TENSOR_FLAG_NONE) {
    Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3});
    x.buffer().Flags = static_cast<DML_TENSOR_FLAGS>(flags_of_x);
    const Tensor y(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3}), one(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1});
    const Tensor w(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3}, {0, 1});
    const DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC multiply = {x, w, y};
    const DML_ACTIVATION_RELU_OPERATOR_DESC relu = {y, y};
    operators = {Create(DML_OPERATOR_ELEMENT_WISE_MULTIPLY, &multiply),
                 Create(DML_OPERATOR_ACTIVATION_RELU, &relu), CreateSum(y, one)};
    GraphBuilder graph(3, 2);  // of which nobody reads the third input
    for (const auto& op : operators) graph.AddOperator(op.Get());
    graph.AddInput(0, 0, 0);
    graph.AddInput(1, 0, 1);
    graph.AddEdge(0, 0, 1, 0);
    graph.AddEdge(1, 0, 2, 0);
    graph.AddOutput(2, 0, 0);
    graph.AddOutput(1, 0, 1);
    return graph;
  }

  void ExpectRefused(HRESULT result, const std::string& reason, HRESULT expected = E_INVALIDARG) {
    EXPECT_EQ(result, expected);
    EXPECT_EQ(LastError(), "AnyDMLDifferentiateGraph: " + reason);
    EXPECT_EQ(differentiated.Get(), nullptr);
  }

  std::vector<ComPtr<IDMLOperator>> operators;
  ComPtr<IAnyDMLGraph> differentiated;
};

TEST_F(GraphGradientsTest, AddsOneOutputForEachInputThatIsAskedFor) {
  ASSERT_EQ(Try(Network(), 0, {1, 0}), S_OK) << LastError();
  EXPECT_EQ(differentiated->GetDesc()->InputCount, 3u);
  EXPECT_EQ(differentiated->GetDesc()->OutputCount, 4u);
  operators.clear();  // the graph has its own
  // x * w is {2, 2, 3, 8, -5, -6}.
  const auto outputs = Run({{1, -2, 3, 4, 5, -6}, {2, -1, 1}, {0}}, {1, 6, 3, 6});
  EXPECT_EQ(outputs[0], (Floats{15}));
  EXPECT_EQ(outputs[1], (Floats{2, 2, 3, 8, 0, 0}));
  EXPECT_EQ(outputs[2], (Floats{1 + 4, -2, 3}));
  EXPECT_EQ(outputs[3], (Floats{2, -1, 1, 2, 0, 0}));
}

// A fused activation is differentiated too, and a constant is copied.
TEST_F(GraphGradientsTest, KnowsFusedActivationsAndConstants) {
  const Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 4}), one(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1});
  const DML_ACTIVATION_RELU_OPERATOR_DESC relu = {nullptr, nullptr};
  const DML_OPERATOR_DESC fused = {DML_OPERATOR_ACTIVATION_RELU, &relu};
  const DML_ELEMENT_WISE_ADD1_OPERATOR_DESC add = {x, x, x, &fused};
  const auto sum = Create(DML_OPERATOR_ELEMENT_WISE_ADD1, &add), loss = CreateSum(x, one);
  GraphBuilder graph(1, 1);
  Floats bias = {1, 2, -3, -4};
  graph.AddOperator(sum.Get());
  graph.AddOperator(loss.Get());
  graph.AddEdge(graph.AddConstant(bias), 0, 0, 1);
  graph.AddInput(0, 0, 0);
  graph.AddEdge(0, 0, 1, 0);
  graph.AddOutput(1, 0, 0);
  ASSERT_EQ(Try(graph, 0, {0}), S_OK) << LastError();
  bias.assign(4, 100);
  const auto outputs = Run({{1, -3, 4, 4}}, {1, 4});
  EXPECT_EQ(outputs[0], (Floats{2 + 1}));
  EXPECT_EQ(outputs[1], (Floats{1, 0, 1, 0}));
}

TEST_F(GraphGradientsTest, KeepsTheFlagsOfInputs) {
  const GraphBuilder owned = Network(DML_TENSOR_FLAG_OWNED_BY_DML);
  const auto forward = MustCompile(owned.desc());
  ASSERT_EQ(Try(owned, 0, {1}), S_OK) << LastError();
  const auto backward = MustCompile(*differentiated->GetDesc());
  EXPECT_NE(forward->GetBindingProperties().PersistentResourceSize, 0u);
  EXPECT_EQ(backward->GetBindingProperties().PersistentResourceSize,
            forward->GetBindingProperties().PersistentResourceSize);
}

class GraphReadersTest : public GraphGradientsTest {
 protected:
  // The sum of squares of input 0, as each of two readers sees it.
  GraphBuilder Squares(const Tensor& first, const Tensor& second) {
    const Tensor y0(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 2}), y1(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 4});
    const Tensor one(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1});
    const DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC squares[] = {{first, first, y0},
                                                               {second, second, y1}};
    const DML_ELEMENT_WISE_ADD_OPERATOR_DESC add = {one, one, one};
    operators = {Create(DML_OPERATOR_ELEMENT_WISE_MULTIPLY, &squares[0]),
                 Create(DML_OPERATOR_ELEMENT_WISE_MULTIPLY, &squares[1]), CreateSum(y0, one),
                 CreateSum(y1, one), Create(DML_OPERATOR_ELEMENT_WISE_ADD, &add)};
    GraphBuilder graph(1, 1);
    for (const auto& op : operators) graph.AddOperator(op.Get());
    for (UINT node : {0, 1}) {
      for (UINT input : {0, 1}) graph.AddInput(0, node, input);
      graph.AddEdge(node, 0, 2 + node, 0);
      graph.AddEdge(2 + node, 0, 4, node);
    }
    graph.AddOutput(4, 0, 0);
    return graph;
  }
};

// One reader's gaps are the other's elements.
TEST_F(GraphReadersTest, DropsNoPartOfAGradient) {
  const Tensor gaps(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 2}, {3, 1});
  const Tensor row(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 4});
  ASSERT_EQ(Try(Squares(gaps, row), 0, {0}), S_OK) << LastError();
  const auto outputs = Run({{1, 2, 3, 4, 5}}, {1, 5});
  EXPECT_EQ(outputs[0], (Floats{1 + 4 + 16 + 25 + 1 + 4 + 9 + 16}));
  EXPECT_EQ(outputs[1], (Floats{4, 8, 6, 16, 10}));
}

// What nobody asks for may be read by strides that overlap, and as another type.
TEST_F(GraphReadersTest, TakesInputsBesideTheWay) {
  const Tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 2}, {1, 1});
  const Tensor y(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 2}), one(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1});
  const Tensor bits(DML_TENSOR_DATA_TYPE_INT32, {1, 3});
  const DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC multiply = {x, y, y};
  const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC copy = {bits, bits, nullptr};
  operators = {Create(DML_OPERATOR_ELEMENT_WISE_MULTIPLY, &multiply), CreateSum(y, one),
               Create(DML_OPERATOR_ELEMENT_WISE_IDENTITY, &copy)};
  GraphBuilder graph(2, 2);
  for (const auto& op : operators) graph.AddOperator(op.Get());
  graph.AddInput(0, 0, 0);
  graph.AddInput(1, 0, 1);
  graph.AddInput(0, 2, 0);
  graph.AddEdge(0, 0, 1, 0);
  graph.AddOutput(1, 0, 0);
  graph.AddOutput(2, 0, 1);
  ASSERT_EQ(Try(graph, 0, {1}), S_OK) << LastError();
  const auto outputs = Run({{1, 2, 3}, {4, 5, 6, 7}}, {1, 3, 4});
  EXPECT_EQ(outputs[0], (Floats{4 + 10 + 12 + 21}));
  EXPECT_EQ(outputs[1], (Floats{1, 2, 3}));
  EXPECT_EQ(outputs[2], (Floats{1, 2, 2, 3}));
  ExpectRefused(Try(graph, 0, {0}),
                "graph: a view with Sizes {2, 2} and Strides {1, 1} has no gradient, since "
                "elements overlap or axes interleave",
                DXGI_ERROR_UNSUPPORTED);
}

TEST_F(GraphReadersTest, RefusesBitsThatAreReinterpretedOnTheWay) {
  const Tensor bits(DML_TENSOR_DATA_TYPE_INT32, {1, 1}), one(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1});
  const DML_CAST_OPERATOR_DESC cast = {bits, one};
  const DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC multiply = {one, one, one};
  operators = {Create(DML_OPERATOR_CAST, &cast),
               Create(DML_OPERATOR_ELEMENT_WISE_MULTIPLY, &multiply)};
  GraphBuilder graph(1, 1);
  for (const auto& op : operators) graph.AddOperator(op.Get());
  graph.AddInput(0, 0, 0);
  graph.AddInput(0, 1, 0);
  graph.AddEdge(0, 0, 1, 1);
  graph.AddOutput(1, 0, 0);
  ExpectRefused(Try(graph, 0, {0}),
                "graph: CAST (node 0) reads input '0' of the type FLOAT32 as INT32: bits that are "
                "reinterpreted have no gradient",
                DXGI_ERROR_UNSUPPORTED);
}

TEST_F(GraphGradientsTest, RefusesWhatHasNoGradient) {
  ExpectRefused(Try(Network(), 2, {0}), "graph: the loss is output 2 of 2");
  ExpectRefused(Try(Network(), 0, {0, 3}), "graph: a gradient is asked for input 3 of 3");
  ExpectRefused(Try(Network(), 1, {0}),
                "graph: the output of ACTIVATION_RELU (node 1) has Sizes {2, 3} and the type "
                "FLOAT32; what is differentiated must have one element, of a floating-point type");
  ExpectRefused(Try(Network(), 0, {2}),
                "graph: the output of REDUCE (node 2) does not depend on input '2'");
  GraphBuilder cycle(1, 1);
  for (const auto& op : operators) cycle.AddOperator(op.Get());
  cycle.AddEdge(1, 0, 0, 0);
  cycle.AddInput(0, 0, 1);
  cycle.AddEdge(0, 0, 1, 0);
  cycle.AddEdge(1, 0, 2, 0);
  cycle.AddOutput(2, 0, 0);
  ExpectRefused(Try(cycle, 0, {0}),
                "graph: the edges form a cycle: node 0 (ELEMENT_WISE_MULTIPLY) -> node 1 "
                "(ACTIVATION_RELU) -> node 0 (ELEMENT_WISE_MULTIPLY)");
  GraphBuilder broken = Network();
  broken.nodes()[0].Desc = nullptr;
  ExpectRefused(Try(broken, 0, {0}), "Nodes[0].Desc must not be null");
}

TEST_F(GraphGradientsTest, RefusesNullPointers) {
  const GraphBuilder graph = Network();
  const DML_GRAPH_DESC desc = graph.desc();
  const UINT input = 0;
  ExpectRefused(AnyDMLDifferentiateGraph(nullptr, &desc, 0, 1, &input, &differentiated),
                "the IDMLDevice1 must be one of this library");
  ExpectRefused(AnyDMLDifferentiateGraph(dml.Get(), nullptr, 0, 1, &input, &differentiated),
                "the DML_GRAPH_DESC must not be null");
  ExpectRefused(AnyDMLDifferentiateGraph(dml.Get(), &desc, 0, 1, nullptr, &differentiated),
                "the array of 1 inputs must not be null");
  ExpectRefused(AnyDMLDifferentiateGraph(dml.Get(), &desc, 0, 1, &input, nullptr),
                "the result pointer must not be null");
}

}  // namespace
}  // namespace anydml::directml
