// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "fuzz/execute_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "fuzz/graph_by_nodes.h"
#include "fuzz/guarded_tensor.h"

namespace anydml::test {
namespace {

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
             const std::vector<void*>& outputs, const std::map<uint32_t, uint32_t>& over) {
  GraphByNodes by_nodes(graph, inputs);
  const bool is_defined = by_nodes.IsDefined();
  for (const graph::OutputEdge& edge : graph.output_edges) {
    const TensorDesc& tensor = GraphByNodes::OutputOf(graph.nodes[edge.node], edge.node_output);
    TensorMemory got(tensor), expected(tensor);
    std::memcpy(got.data(), outputs[edge.graph_output], tensor.total_bytes);
    // Where it lies over an input there is the input's between the elements.
    const auto foreign = over.contains(edge.graph_output) ? std::nullopt : got.FindForeignWrite();
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

}  // namespace

void ExecuteGraph(const graph::Graph& graph, const graph::Program& program, uint32_t seed,
                  bool several_threads, std::span<const graph::SharedMemory> shared) {
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
  std::map<uint32_t, uint32_t> over;
  for (const graph::SharedMemory& pair : shared) over[pair.output] = pair.input;
  for (const graph::Slot& slot : program.outputs) {
    uint8_t* data = pages.emplace_back(Rounded(slot.bytes)).data();
    Require(data != nullptr, "no address space for guard pages");
    std::memset(data, 0xC5, slot.bytes);
    const auto found = over.find(static_cast<uint32_t>(output_addresses.size()));
    output_addresses.push_back(found == over.end() ? data : pages[found->second].data());
  }
  const GuardPages temporary((program.temporary_bytes + 255) / 256 * 256);
  std::memset(temporary.data(), 0xA5, program.temporary_bytes);
  const Status status = Run(program, {input_addresses, output_addresses, temporary.data()},
                            several_threads ? three : one);
  Require(status.ok(), status.ok() ? "" : status.error().message);

  Compare(graph, inputs, output_addresses, over);
}

}  // namespace anydml::test
