// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Graphs of gates for tests: a gate is ACTIVATION_RELU_GRAD, dx = x > 0 ? dy : 0,
// with input 0 as x and input 1 as dy.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "graph/program.h"
#include "graph/wiring.h"
#include "support/run.h"
#include "support/tensor_data.h"

namespace anydml::graph {

struct GateOptions {
  DML_TENSOR_DATA_TYPE type = DML_TENSOR_DATA_TYPE_FLOAT32;
  std::vector<UINT> strides = {};  // of all three tensors
  DML_TENSOR_FLAGS x_flags = DML_TENSOR_FLAG_NONE;
};

inline Node Gate(std::vector<UINT> sizes, const GateOptions& options = {}) {
  test::Tensor tensor(options.type, sizes, options.strides);
  test::Tensor x(options.type, sizes, options.strides);
  x.buffer().Flags = options.x_flags;
  const DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC desc = {x, tensor, tensor};
  const DML_OPERATOR_DESC op = {DML_OPERATOR_ACTIVATION_RELU_GRAD, &desc};
  Result<Operator> made = CreateOperator(&op, {});
  EXPECT_TRUE(made.ok()) << made.error().message;
  return {.op = made.value(), .constant = {}, .name = {}};
}

template <typename T>
Node ConstantNode(const std::vector<T>& values) {
  return {.op = {}, .constant = std::as_bytes(std::span(values)), .name = {}};
}

// Gates in a row: graph input 0 is the first dy, input i + 1 is the x of gate i.
inline Graph Chain(uint32_t length, const std::vector<UINT>& sizes,
                   const GateOptions& options = {}) {
  Graph graph;
  graph.input_count = length + 1;
  graph.output_count = 1;
  graph.input_edges.push_back({0, 0, 1});
  for (uint32_t i = 0; i < length; ++i) {
    graph.nodes.push_back(Gate(sizes, options));
    graph.input_edges.push_back({i + 1, i, 0});
    if (i > 0) graph.intermediate_edges.push_back({i - 1, 0, i, 1});
  }
  graph.output_edges.push_back({length - 1, 0, 0});
  return graph;
}

inline std::shared_ptr<const Program> MustCompile(const Graph& graph) {
  Result<std::shared_ptr<const Program>> program = Compile(graph);
  EXPECT_TRUE(program.ok()) << program.error().message;
  return program.ok() ? program.value() : nullptr;
}

// The sentence that refuses a graph.
inline std::string Refuse(const Graph& graph) {
  Result<std::shared_ptr<const Program>> program = Compile(graph);
  return program.ok() ? "" : program.error().message;
}

inline void MustRun(const Program& program, std::vector<const void*> inputs,
                    std::vector<void*> outputs, int threads = 2) {
  const cpu::Executor executor(threads);
  std::vector<uint8_t> temporary(program.temporary_bytes + kTemporaryAlignment);
  const auto address = reinterpret_cast<uintptr_t>(temporary.data());
  void* aligned = reinterpret_cast<void*>((address + 255) / 256 * 256);
  const Status status = Run(program, {inputs, outputs, aligned}, executor);
  ASSERT_TRUE(status.ok()) << status.error().message;
}

inline std::vector<float> GateOf(const std::vector<float>& x, const std::vector<float>& dy) {
  std::vector<float> dx(x.size());
  for (size_t i = 0; i < x.size(); ++i) dx[i] = x[i] > 0 ? dy[i] : 0.0f;
  return dx;
}

inline std::vector<float> Values(size_t count, int k) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(test::Pattern(static_cast<int64_t>(i), 101, k));
  }
  return values;
}

}  // namespace anydml::graph
