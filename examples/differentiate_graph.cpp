// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The backward pass that graph.cpp builds by hand, from the forward pass alone:
//
//   x --> RELU --> r --> MAX_POOLING --> y --> REDUCE --> loss
//
// AnyDMLDifferentiateGraph gives the same graph with dX as a second output.
#include "session.h"
// session.h first: it includes what this header wants.
#include "anydml/directml_gradient.h"

int main() {
  Session session;

  // The forward graph, as any program of the raw API writes it.
  const Tensor image({1, 1, 4, 4}), pooled({1, 1, 2, 2}), one({1, 1, 1, 1});
  const UINT two[] = {2, 2}, ones[] = {1, 1}, zero[] = {0, 0}, axes[] = {2, 3};
  const DML_ACTIVATION_RELU_OPERATOR_DESC relu = {&image.desc, &image.desc};
  const DML_MAX_POOLING2_OPERATOR_DESC pooling = {&image.desc, &pooled.desc, nullptr, 2,   two,
                                                  two,         zero,         zero,    ones};
  const DML_REDUCE_OPERATOR_DESC sum = {DML_REDUCE_FUNCTION_SUM, &pooled.desc, &one.desc, 2, axes};
  const ComPtr<IDMLOperator> operators[] = {session.Create(DML_OPERATOR_ACTIVATION_RELU, &relu),
                                            session.Create(DML_OPERATOR_MAX_POOLING2, &pooling),
                                            session.Create(DML_OPERATOR_REDUCE, &sum)};
  DML_OPERATOR_GRAPH_NODE_DESC node_descs[3] = {};
  DML_GRAPH_NODE_DESC nodes[3] = {};
  for (int i = 0; i < 3; ++i) {
    node_descs[i].Operator = operators[i].Get();
    nodes[i] = {DML_GRAPH_NODE_TYPE_OPERATOR, &node_descs[i]};
  }
  const DML_INPUT_GRAPH_EDGE_DESC x_edge = {0, 0, 0, nullptr};
  const DML_INTERMEDIATE_GRAPH_EDGE_DESC r = {0, 0, 1, 0, nullptr}, y = {1, 0, 2, 0, nullptr};
  const DML_OUTPUT_GRAPH_EDGE_DESC loss_edge = {2, 0, 0, nullptr};
  const DML_GRAPH_EDGE_DESC input_edges[] = {{DML_GRAPH_EDGE_TYPE_INPUT, &x_edge}};
  const DML_GRAPH_EDGE_DESC intermediate_edges[] = {{DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &r},
                                                    {DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &y}};
  const DML_GRAPH_EDGE_DESC output_edges[] = {{DML_GRAPH_EDGE_TYPE_OUTPUT, &loss_edge}};
  const DML_GRAPH_DESC forward = {
      1, 1, 3, nodes, 1, input_edges, 1, output_edges, 2, intermediate_edges};

  // Output 0 stays the loss; output 1 is its gradient with respect to graph input 0.
  const UINT inputs[] = {0};
  ComPtr<IAnyDMLGraph> backward;
  Check(AnyDMLDifferentiateGraph(session.dml.Get(), &forward, 0, 1, inputs, &backward));
  ComPtr<IDMLCompiledOperator> compiled;
  Check(session.dml->CompileGraph(backward->GetDesc(), DML_EXECUTION_FLAG_NONE,
                                  IID_PPV_ARGS(&compiled)));

  const auto x = session.MakeBuffer({1, 2, -1, -2,  //
                                     3, 4, -3, -4,  //
                                     -1, 5, 6, 7,   //
                                     -1, 0, 9, 8});
  const auto loss = session.MakeBuffer({0}), dx = session.MakeBuffer(std::vector<float>(16));
  session.Record(compiled.Get(), {x.Get()}, {loss.Get(), dx.Get()});
  session.Finish();

  // The second window is all negative: the gradient of its first zero stops at the RELU.
  const std::vector<float> expected = {0, 0, 0, 0, 0, 1, 0, 0,  //
                                       0, 1, 0, 0, 0, 0, 1, 0};
  const bool right = Show("loss", loss.Get(), {4 + 0 + 5 + 9});
  return Show("dX", dx.Get(), expected) && right ? 0 : 1;
}
