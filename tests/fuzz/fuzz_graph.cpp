// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A graph compiles or is refused in a sentence, and IDMLDevice1::CompileGraph is
// of the same opinion. What compiles gives the bits of its nodes executed one by
// one, and touches nothing beside the memory that it asked for.
#include "directml/graph_builder.h"
// The Direct3D 12 headers come first.
#include "fuzz/execute_graph.h"
#include "fuzz/random_graph.h"
#include "fuzz/valid_description.h"
#include "support/struct_builder.h"

namespace {

using namespace anydml;
using namespace anydml::test;
using Microsoft::WRL::ComPtr;

ComPtr<IDMLDevice1> MakeDevice() {
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  ComPtr<ID3D12Device> parent;
  ComPtr<IDMLDevice1> device;
  Require(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_1_0_CORE, IID_PPV_ARGS(&parent)) == S_OK,
          "no Direct3D 12 device");
  Require(DMLCreateDevice(parent.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&device)) == S_OK,
          "no DirectML device");
  return device;
}

// The same graph in DirectML's structs; with `spoil`, one thing in them is wrong.
HRESULT CompileAsDirectML(const graph::Graph& graph, bool spoil, Bytes& bytes) {
  static const ComPtr<IDMLDevice1> device = MakeDevice();
  std::vector<ComPtr<IDMLOperator>> operators;
  std::deque<std::vector<std::byte>> constants;
  directml::GraphBuilder builder(graph.input_count, graph.output_count);
  for (const graph::Node& node : graph.nodes) {
    if (!node.op) {
      builder.AddConstant(constants.emplace_back(node.constant.begin(), node.constant.end()));
      continue;
    }
    const StructBuilder description(*node.op->arguments);
    const DML_OPERATOR_DESC desc = {
        static_cast<DML_OPERATOR_TYPE>(node.op->definition->schema->type), description.desc()};
    ComPtr<IDMLOperator>& op = operators.emplace_back();
    Require(device->CreateOperator(&desc, IID_PPV_ARGS(&op)) == S_OK, LastErrorOfThread());
    builder.AddOperator(op.Get(), node.name.empty() ? nullptr : node.name.c_str());
  }
  for (const auto& edge : graph.input_edges) {
    builder.AddInput(edge.graph_input, edge.node, edge.node_input);
  }
  for (const auto& edge : graph.output_edges) {
    builder.AddOutput(edge.node, edge.node_output, edge.graph_output);
  }
  for (const auto& edge : graph.intermediate_edges) {
    builder.AddEdge(edge.from_node, edge.from_output, edge.to_node, edge.to_input);
  }
  if (spoil) {
    auto& node = builder.nodes()[bytes.Below(static_cast<uint32_t>(builder.nodes().size()))];
    const uint32_t type = EdgeWord(bytes) | 0x100;
    if (bytes.Flip()) node.Desc = nullptr;
    if (node.Desc != nullptr) std::memcpy(&node.Type, &type, sizeof type);
  }
  const DML_GRAPH_DESC desc = builder.desc();
  ComPtr<IDMLCompiledOperator> compiled;
  const HRESULT code =
      device->CompileGraph(&desc, DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled));
  Require((compiled != nullptr) == (code == S_OK), "a code without an object");
  if (code != S_OK) RequireSentence(LastErrorOfThread());
  return code;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  const uint32_t seed = bytes.Byte();
  const bool several_threads = bytes.Rarely();
  const bool spoil = bytes.Rarely();
  const RandomGraph made = MakeRandomGraph(bytes);
  const HRESULT code = CompileAsDirectML(made.graph, spoil, bytes);
  if (made.graph.output_count == 0) {
    Require(code == E_INVALIDARG, "a graph without outputs is taken");
    return 0;
  }
  const Result<std::shared_ptr<const graph::Program>> program = graph::Compile(made.graph);
  if (!program.ok()) {
    RequireSentence(program.error().message);
    Require(code != S_OK, "CompileGraph takes what is refused: " + program.error().message);
    return 0;
  }
  Require(spoil == (code != S_OK), "CompileGraph has another opinion");
  ExecuteGraph(made.graph, *program.value(), seed, several_threads);
  return 0;
}
