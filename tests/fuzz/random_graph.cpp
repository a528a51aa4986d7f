// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "fuzz/random_graph.h"

#include <algorithm>

#include "fuzz/valid_description.h"
#include "operators/describe.h"

namespace anydml::test {
namespace {

// The output of an operator, which later nodes may read.
struct Produced {
  uint32_t node;
  uint32_t output;
  TensorDesc tensor;
  bool is_read = false;
};

class Maker {
 public:
  explicit Maker(Bytes& bytes) : bytes_(bytes) {}

  RandomGraph Make() {
    const uint32_t nodes = 1 + bytes_.Below(6);
    for (uint32_t i = 0; i < nodes; ++i) {
      if (bytes_.Rarely()) {
        AddConstant();
      } else {
        AddOperator();
      }
    }
    AddOutputs();
    if (bytes_.Rarely()) ++graph_.input_count;  // one that nobody reads
    if (bytes_.Byte() % 4 == 3) {
      for (uint32_t changes = 1 + bytes_.Below(3); changes > 0; --changes) Break();
    }
    return std::move(made_);
  }

 private:
  uint32_t NextNode() const { return static_cast<uint32_t>(graph_.nodes.size()); }

  void AddConstant() {
    std::vector<std::byte>& memory = made_.constants.emplace_back(1 + bytes_.Below(2000));
    for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 37 % 64);
    constants_.push_back(NextNode());
    graph_.nodes.push_back({.op = {}, .constant = memory, .name = {}});
  }

  void AddOperator() {
    const Definition& definition = ChooseDefinition(bytes_);
    Produced* source = nullptr;
    if (!produced_.empty() && bytes_.Byte() % 4 != 3) {
      source = &produced_[bytes_.Below(static_cast<uint32_t>(produced_.size()))];
    }
    schema::Arguments arguments =
        MakeValidDescription(definition, bytes_, source == nullptr ? nullptr : &source->tensor);
    const std::vector<size_t> inputs = arguments.inputs();
    for (uint32_t i = 0; i < inputs.size(); ++i) {
      TensorDesc& tensor = arguments.tensor(inputs[i]);
      if (tensor.present()) Feed(tensor, i, source);
    }
    Result<Operator> op = CreateOperator(definition, arguments, {});
    Require(op.ok(), op.ok() ? "" : op.error().message);
    const uint32_t node = NextNode();
    graph_.nodes.push_back({.op = op.value(), .constant = {}, .name = bytes_.Flip() ? "a" : ""});
    const std::vector<size_t> outputs = arguments.outputs();
    for (uint32_t i = 0; i < outputs.size(); ++i) {
      const TensorDesc& tensor = arguments.tensor(outputs[i]);
      if (tensor.present()) produced_.push_back({node, i, tensor});
    }
  }

  // Gives the next node's input an edge.
  void Feed(TensorDesc& tensor, uint32_t input, Produced* source) {
    const uint32_t kind = bytes_.Below(4);
    if (kind == 3 && !constants_.empty()) {
      graph_.intermediate_edges.push_back({constants_.back(), 0, NextNode(), input});
    } else if (source != nullptr && kind != 2) {
      if (std::ranges::equal(source->tensor.Sizes(), tensor.Sizes()) && !bytes_.Rarely()) {
        TakeLayout(source->tensor, tensor);
      }
      source->is_read = true;
      graph_.intermediate_edges.push_back({source->node, source->output, NextNode(), input});
    } else {
      const bool another = graph_.input_count == 0 || bytes_.Flip();
      const uint32_t index = another ? graph_.input_count++ : bytes_.Below(graph_.input_count);
      graph_.input_edges.push_back({index, NextNode(), input});
      if (bytes_.Rarely()) tensor.flags = 1;  // OWNED_BY_DML
    }
  }

  static void TakeLayout(const TensorDesc& from, TensorDesc& to) {
    SetStrides(to, from.has_strides ? std::optional(from.strides) : std::nullopt);
    if (ElementSize(from.data_type) == ElementSize(to.data_type)) to.total_bytes = from.total_bytes;
  }

  void AddOutputs() {
    for (const Produced& produced : produced_) {
      if (produced.is_read && !bytes_.Rarely()) continue;
      for (uint32_t times = bytes_.Rarely() ? 2 : 1; times > 0; --times) {
        graph_.output_edges.push_back({produced.node, produced.output, graph_.output_count++});
      }
    }
  }

  // A small number is some other node, input or output; others are none.
  uint32_t OtherIndex() { return bytes_.Byte() % 4 == 3 ? EdgeWord(bytes_) : bytes_.Below(8); }

  template <typename Edge>
  void BreakEdges(std::vector<Edge>& edges, std::initializer_list<uint32_t Edge::*> members) {
    if (edges.empty()) return;
    Edge& edge = edges[bytes_.Below(static_cast<uint32_t>(edges.size()))];
    const uint32_t kind = bytes_.Below(static_cast<uint32_t>(members.size()) + 2);
    if (kind < members.size()) {
      edge.*members.begin()[kind] = OtherIndex();
    } else if (kind == members.size()) {
      edges.push_back(edge);
    } else {
      edges.pop_back();
    }
  }

  void Break() {
    using graph::InputEdge, graph::IntermediateEdge, graph::OutputEdge;
    switch (bytes_.Below(5)) {
      case 0:
        return BreakEdges<InputEdge>(graph_.input_edges, {&InputEdge::graph_input, &InputEdge::node,
                                                          &InputEdge::node_input});
      case 1:
        return BreakEdges<OutputEdge>(
            graph_.output_edges,
            {&OutputEdge::node, &OutputEdge::node_output, &OutputEdge::graph_output});
      case 2:
        return BreakEdges<IntermediateEdge>(
            graph_.intermediate_edges,
            {&IntermediateEdge::from_node, &IntermediateEdge::from_output,
             &IntermediateEdge::to_node, &IntermediateEdge::to_input});
      case 3:
        graph_.intermediate_edges.push_back(
            {bytes_.Below(6), bytes_.Below(2), bytes_.Below(6), bytes_.Below(2)});
        return;
      default:
        (bytes_.Flip() ? graph_.input_count : graph_.output_count) = bytes_.Below(8);
    }
  }

  Bytes& bytes_;
  RandomGraph made_;
  graph::Graph& graph_ = made_.graph;
  std::vector<Produced> produced_;
  std::vector<uint32_t> constants_;
};

}  // namespace

RandomGraph MakeRandomGraph(Bytes& bytes) { return Maker(bytes).Make(); }

}  // namespace anydml::test
