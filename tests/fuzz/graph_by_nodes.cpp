// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "fuzz/graph_by_nodes.h"

#include "fuzz/bytes.h"
#include "operators/describe.h"
#include "operators/reference.h"
#include "support/tensor_data.h"

namespace anydml::test {
namespace {

const cpu::Executor& OneThread() {
  static const cpu::Executor one(1);
  return one;
}

std::vector<bool> BytesOfElements(const TensorDesc& tensor) {
  std::vector<bool> bytes(tensor.total_bytes);
  const uint32_t size = ElementSize(tensor.data_type);
  reference::ForEachCoordinate(tensor, [&](const reference::Coordinate& c) {
    for (uint32_t i = 0; i < size; ++i) {
      bytes[reference::ElementOffset(tensor, c) * size + i] = true;
    }
  });
  return bytes;
}

bool Covers(const TensorDesc& written, const TensorDesc& read) {
  const std::vector<bool> from = BytesOfElements(written), to = BytesOfElements(read);
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i] && (i >= from.size() || !from[i])) return false;
  }
  return true;
}

Words MakeWords(uint64_t bytes) { return Words(bytes / 8 + 1, 0xC5C5C5C5C5C5C5C5u); }

}  // namespace

const TensorDesc& GraphByNodes::InputOf(const graph::Node& node, uint32_t input) {
  return node.op->arguments->tensor(node.op->arguments->inputs()[input]);
}

const TensorDesc& GraphByNodes::OutputOf(const graph::Node& node, uint32_t output) {
  return node.op->arguments->tensor(node.op->arguments->outputs()[output]);
}

bool GraphByNodes::IsDefined() const {
  for (const graph::IntermediateEdge& edge : graph_.intermediate_edges) {
    if (!graph_.nodes[edge.from_node].op) continue;
    const TensorDesc& from = OutputOf(graph_.nodes[edge.from_node], edge.from_output);
    const TensorDesc& to = InputOf(graph_.nodes[edge.to_node], edge.to_input);
    if (from.data_type != to.data_type || !Covers(from, to)) return false;
  }
  return true;
}

const Words& GraphByNodes::Output(uint32_t node, uint32_t output) {
  if (!done_[node]) Execute(node);
  return outputs_.at({node, output});
}

const void* GraphByNodes::InputMemory(uint32_t node, uint32_t input) {
  for (const graph::InputEdge& edge : graph_.input_edges) {
    if (edge.node == node && edge.node_input == input) return inputs_[edge.graph_input].data();
  }
  for (const graph::IntermediateEdge& edge : graph_.intermediate_edges) {
    if (edge.to_node != node || edge.to_input != input) continue;
    const graph::Node& from = graph_.nodes[edge.from_node];
    if (from.op) return Output(edge.from_node, edge.from_output).data();
    // Aligned, which the author's memory need not be.
    const auto [at, is_first] = outputs_.try_emplace({edge.from_node, 0u});
    Words& copy = at->second;
    if (is_first) {
      copy = MakeWords(from.constant.size());
      std::memcpy(copy.data(), from.constant.data(), from.constant.size());
    }
    return copy.data();
  }
  return nullptr;
}

void GraphByNodes::Execute(uint32_t node) {
  const Operator& op = *graph_.nodes[node].op;
  const Result<CpuProgram> program = Compile(op);
  Require(program.ok(), program.ok() ? "" : program.error().message);
  Bindings bindings;
  const size_t inputs = op.arguments->inputs().size();
  for (uint32_t i = 0; i < inputs; ++i) bindings.inputs[i] = InputMemory(node, i);
  const size_t outputs = op.arguments->outputs().size();
  for (uint32_t i = 0; i < outputs; ++i) {
    const TensorDesc& tensor = OutputOf(graph_.nodes[node], i);
    if (!tensor.present()) continue;
    Words& memory = outputs_[{node, i}];
    memory = MakeWords(tensor.total_bytes);
    bindings.outputs[i] = memory.data();
  }
  TemporaryMemory temporary(program.value().temporary_bytes);
  bindings.temporary = temporary.data();
  Require(Run(program.value(), bindings, OneThread()).ok(), "a node does not run");
  done_[node] = true;
}

}  // namespace anydml::test
