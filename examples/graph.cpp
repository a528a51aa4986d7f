// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A small backward pass as one graph, built by hand. The network is
//
//   y = max_pool(relu(x))
//
// and the graph computes dX from x and dY, forward step included:
//
//   x -----> RELU --> r --> MAX_POOLING_GRAD --> g --> RELU_GRAD --> dX
//   x ------------------------------------------------^
//   dY --------------------^
//
// r and g live in temporary memory that the library plans; the program never
// sees them.
#include "session.h"

int main() {
  Session session;

  // The operators. A graph uses them as they are, uncompiled.
  const Tensor image({1, 1, 4, 4}), pooled({1, 1, 2, 2});
  const UINT two[] = {2, 2}, one[] = {1, 1}, zero[] = {0, 0};
  const DML_ACTIVATION_RELU_OPERATOR_DESC relu = {&image.desc, &image.desc};
  const DML_MAX_POOLING_GRAD_OPERATOR_DESC pooling_grad = {
      &image.desc, &pooled.desc, &image.desc, 2, two, two, zero, zero, one};
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC relu_grad = {&image.desc, &image.desc, &image.desc};
  const ComPtr<IDMLOperator> operators[] = {
      session.Create(DML_OPERATOR_ACTIVATION_RELU, &relu),
      session.Create(DML_OPERATOR_MAX_POOLING_GRAD, &pooling_grad),
      session.Create(DML_OPERATOR_ACTIVATION_RELU_GRAD, &relu_grad)};

  // The nodes, by index: 0 RELU, 1 MAX_POOLING_GRAD, 2 RELU_GRAD.
  const DML_OPERATOR_GRAPH_NODE_DESC node_descs[] = {{operators[0].Get(), "relu"},
                                                     {operators[1].Get(), "pooling gradient"},
                                                     {operators[2].Get(), "relu gradient"}};
  const DML_GRAPH_NODE_DESC nodes[] = {{DML_GRAPH_NODE_TYPE_OPERATOR, &node_descs[0]},
                                       {DML_GRAPH_NODE_TYPE_OPERATOR, &node_descs[1]},
                                       {DML_GRAPH_NODE_TYPE_OPERATOR, &node_descs[2]}};

  // The edges. Graph input 0 is x and feeds two nodes; graph input 1 is dY.
  const DML_INPUT_GRAPH_EDGE_DESC x_to_relu = {0, 0, 0, nullptr};
  const DML_INPUT_GRAPH_EDGE_DESC x_to_relu_grad = {0, 2, 0, nullptr};
  const DML_INPUT_GRAPH_EDGE_DESC dy_to_pooling = {1, 1, 1, nullptr};
  const DML_GRAPH_EDGE_DESC input_edges[] = {{DML_GRAPH_EDGE_TYPE_INPUT, &x_to_relu},
                                             {DML_GRAPH_EDGE_TYPE_INPUT, &x_to_relu_grad},
                                             {DML_GRAPH_EDGE_TYPE_INPUT, &dy_to_pooling}};
  const DML_INTERMEDIATE_GRAPH_EDGE_DESC r = {0, 0, 1, 0, nullptr};
  const DML_INTERMEDIATE_GRAPH_EDGE_DESC g = {1, 0, 2, 1, nullptr};
  const DML_GRAPH_EDGE_DESC intermediate_edges[] = {{DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &r},
                                                    {DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &g}};
  const DML_OUTPUT_GRAPH_EDGE_DESC dx_edge = {2, 0, 0, nullptr};
  const DML_GRAPH_EDGE_DESC output_edges[] = {{DML_GRAPH_EDGE_TYPE_OUTPUT, &dx_edge}};

  DML_GRAPH_DESC graph = {};
  graph.InputCount = 2;
  graph.OutputCount = 1;
  graph.NodeCount = 3;
  graph.Nodes = nodes;
  graph.InputEdgeCount = 3;
  graph.InputEdges = input_edges;
  graph.IntermediateEdgeCount = 2;
  graph.IntermediateEdges = intermediate_edges;
  graph.OutputEdgeCount = 1;
  graph.OutputEdges = output_edges;
  ComPtr<IDMLCompiledOperator> compiled;
  Check(session.dml->CompileGraph(&graph, DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)));

  // From here on the graph is one operator with two inputs and one output.
  const auto x = session.MakeBuffer({1, 2, -1, -2,  //
                                     3, 4, -3, -4,  //
                                     -1, 5, 6, 7,   //
                                     -1, 0, 9, 8});
  const auto dy = session.MakeBuffer({10, 20, 30, 40});
  const auto dx = session.MakeBuffer(std::vector<float>(16));
  session.Record(compiled.Get(), {x.Get(), dy.Get()}, {dx.Get()});
  session.Finish();

  // The second window is all negative: after ReLU its first zero wins the
  // pooling, and the gradient of ReLU stops there.
  const std::vector<float> expected = {0, 0,  0, 0, 0, 10, 0,  0,  //
                                       0, 30, 0, 0, 0, 0,  40, 0};
  return Show("dX", dx.Get(), expected) ? 0 : 1;
}
