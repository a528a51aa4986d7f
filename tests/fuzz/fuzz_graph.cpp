// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A graph compiles or is refused in a sentence, and IDMLDevice1::CompileGraph is
// of the same opinion. What compiles gives the bits of its nodes executed one by
// one, and touches nothing beside the memory that it asked for.
#include "directml/graph_builder.h"
// The Direct3D 12 headers come first.
#include <fmt/format.h>

#include "fuzz/graph_by_nodes.h"
#include "fuzz/guarded_tensor.h"
#include "fuzz/random_graph.h"
#include "fuzz/valid_description.h"
#include "graph/program.h"
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

// Elements of the type of whoever reads the graph's input first.
std::vector<Words> MakeInputs(const graph::Graph& graph, const graph::Program& program,
                              uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Words> inputs;
  for (uint32_t i = 0; i < graph.input_count; ++i) {
    TensorDesc tensor;
    tensor.data_type = DataType::kFloat32;
    for (const graph::InputEdge& edge : graph.input_edges) {
      if (edge.graph_input != i) continue;
      tensor.data_type = GraphByNodes::InputOf(graph.nodes[edge.node], edge.node_input).data_type;
      break;
    }
    uint64_t bytes = program.inputs[i].bytes;
    // A node that no output needs was dropped, but is executed here all the same.
    for (const graph::InputEdge& edge : graph.input_edges) {
      if (edge.graph_input != i) continue;
      bytes = std::max(bytes,
                       GraphByNodes::InputOf(graph.nodes[edge.node], edge.node_input).total_bytes);
    }
    Words words(bytes / 8 + 1);
    tensor.dimension_count = 1;
    tensor.sizes[0] = static_cast<uint32_t>(words.size() * 8 / ElementSize(tensor.data_type));
    tensor.strides[0] = 1;
    tensor.total_bytes = words.size() * 8;
    TensorMemory memory(tensor);
    memory.FillRandom(random);
    std::memcpy(words.data(), memory.data(), words.size() * 8);
    inputs.push_back(std::move(words));
  }
  return inputs;
}

// Bound memory: as large as the slot asks, up to the alignment of a binding.
uint64_t Rounded(uint64_t bytes) { return (bytes + 15) / 16 * 16; }

// With the nodes executed one by one.
void Compare(const graph::Graph& graph, const std::vector<Words>& inputs,
             const std::vector<void*>& outputs) {
  GraphByNodes by_nodes(graph, inputs);
  const bool is_defined = by_nodes.IsDefined();
  for (const graph::OutputEdge& edge : graph.output_edges) {
    const TensorDesc& tensor = GraphByNodes::OutputOf(graph.nodes[edge.node], edge.node_output);
    TensorMemory got(tensor), expected(tensor);
    std::memcpy(got.data(), outputs[edge.graph_output], tensor.total_bytes);
    const auto foreign = got.FindForeignWrite();
    Require(!foreign, foreign.value_or(""));
    if (!is_defined) continue;
    std::memcpy(expected.data(), by_nodes.Output(edge.node, edge.node_output).data(),
                tensor.total_bytes);
    const auto difference =
        FindDifference(tensor, expected.Elements(), got.Elements(), /*nan_is_nan=*/true);
    Require(!difference,
            fmt::format("graph output {}: {}", edge.graph_output, difference.value_or("")));
  }
}

void Execute(const graph::Graph& graph, const graph::Program& program, uint32_t seed,
             bool several_threads) {
  static const cpu::Executor one(1), three(3, cpu::Cut::kEverywhere);
  const std::vector<Words> inputs = MakeInputs(graph, program, seed);
  std::deque<GuardPages> pages;
  std::vector<const void*> input_addresses;
  std::vector<void*> output_addresses;
  for (uint32_t i = 0; i < graph.input_count; ++i) {
    const uint64_t bytes = program.inputs[i].bytes;
    uint8_t* data = pages.emplace_back(Rounded(bytes)).data();
    Require(data != nullptr, "no address space for guard pages");
    std::memcpy(data, inputs[i].data(), bytes);
    input_addresses.push_back(bytes == 0 ? nullptr : data);
  }
  for (const graph::Slot& slot : program.outputs) {
    uint8_t* data = pages.emplace_back(Rounded(slot.bytes)).data();
    Require(data != nullptr, "no address space for guard pages");
    std::memset(data, 0xC5, slot.bytes);
    output_addresses.push_back(data);
  }
  const GuardPages temporary((program.temporary_bytes + 255) / 256 * 256);
  std::memset(temporary.data(), 0xA5, program.temporary_bytes);
  const Status status = Run(program, {input_addresses, output_addresses, temporary.data()},
                            several_threads ? three : one);
  Require(status.ok(), status.ok() ? "" : status.error().message);

  Compare(graph, inputs, output_addresses);
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
  Execute(made.graph, *program.value(), seed, several_threads);
  return 0;
}
