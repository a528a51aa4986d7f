// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Graphs for tests: chains of element-wise operators whose other operands repeat their elements.
#pragma once

#include <string_view>

#include "graph/gates.h"

namespace anydml::graph {

inline Node MakeNode(DML_OPERATOR_TYPE type, const void* desc) {
  const DML_OPERATOR_DESC op = {type, desc};
  Result<Operator> made = CreateOperator(&op, {});
  EXPECT_TRUE(made.ok()) << made.error().message;
  return {.op = made.value(), .constant = {}, .name = {}};
}

// How an operand repeats its elements.
inline std::vector<UINT> StridesOf(std::string_view operand, const std::vector<UINT>& sizes) {
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
inline Graph ChainOf(const std::vector<Operand>& operands, const std::vector<UINT>& sizes,
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

// Chains of 2 to 8 operators with such operands, of several types and shapes.
template <typename Visit>
void ForEachRandomChain(const Visit& visit) {
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
        visit(ChainOf(operands, sizes, type));
      }
    }
  }
}

// The operator, whose inputs are the graph's, and a copy behind it.
inline Graph FollowedByCopy(const Operator& op) {
  const Ports ports = PortsOf(op);
  const TensorDesc& output = *ports.outputs[0].tensor;
  const test::Tensor tensor(static_cast<DML_TENSOR_DATA_TYPE>(output.data_type),
                            {output.sizes.begin(), output.sizes.begin() + output.dimension_count});
  const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC copy = {tensor, tensor, nullptr};
  Graph graph;
  graph.input_count = static_cast<uint32_t>(ports.inputs.size());
  graph.output_count = 1;
  graph.nodes = {{.op = op, .constant = {}, .name = {}},
                 MakeNode(DML_OPERATOR_ELEMENT_WISE_IDENTITY, &copy)};
  for (uint32_t i = 0; i < graph.input_count; ++i) graph.input_edges.push_back({i, 0, i});
  graph.intermediate_edges = {{0, 0, 1, 0}};
  graph.output_edges = {{1, 0, 0}};
  return graph;
}

}  // namespace anydml::graph
