// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// From values to the graph that compiles: live nodes, their edges, and an order in which
// outputs may be written over inputs.
#include <fmt/format.h>

#include <algorithm>

#include "base/escaped.h"
#include "graph/values.h"
#include "operators/registry.h"
#include "schema/settings.h"

namespace anydml::graph {
namespace {

using Origin = Values::Origin;

// Copies elements; only operators feed outputs of a graph.
Result<Operator> CreateCopy(const TensorDesc& from, const TensorDesc& to,
                            const DeviceOptions& options) {
  const Definition* definition = FindOperator("ELEMENT_WISE_IDENTITY");
  schema::Settings settings(*definition->schema);
  settings.Tensor("InputTensor", from).Tensor("OutputTensor", to);
  return CreateOperator(*definition, settings.arguments(), options);
}

bool IsPacked(const TensorDesc& tensor) {
  return HaveSameLayout(tensor, PackedTensor(tensor.data_type, tensor.Sizes()));
}

class Builder {
 public:
  Builder(const Values& values, std::span<const GraphValue> outputs, const DeviceOptions& options)
      : values_(values),
        outputs_(outputs),
        options_(options),
        live_(values.LiveNodes(outputs)),
        numbers_(values.nodes().size(), kNone) {
    graph_.input_count = static_cast<uint32_t>(values.inputs().size());
    graph_.output_count = static_cast<uint32_t>(outputs.size());
  }

  Result<Graph> Build(std::span<const SharedMemory> shared) {
    for (uint32_t n = 0; n < values_.nodes().size(); ++n) {
      if (!live_[n]) continue;
      Status status = AddNode(n);
      if (!status.ok()) return status.error();
    }
    for (uint32_t i = 0; i < outputs_.size(); ++i) {
      Status status = AddOutput(i);
      if (!status.ok()) return status.error();
    }
    FindEdges();
    for (const SharedMemory& pair : shared) {
      Status status = WriteAfterReaders(pair);
      if (!status.ok()) return status.error();
    }
    return std::move(graph_);
  }

 private:
  static constexpr uint32_t kNone = 0xFFFFFFFF;

  uint32_t NewNode(Node node) {
    graph_.nodes.push_back(std::move(node));
    return static_cast<uint32_t>(graph_.nodes.size() - 1);
  }

  Status AddNode(uint32_t n) {
    const Values::Node& node = values_.nodes()[n];
    Result<Operator> op = CreateOperator(*node.definition, *node.arguments, options_);
    if (!op.ok()) return op.error();
    numbers_[n] = NewNode({std::move(op).value(), {}, ""});
    for (uint32_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i].present()) Connect(node.inputs[i], numbers_[n], i);
    }
    return {};
  }

  void Connect(const GraphValue& value, uint32_t node, uint32_t input) {
    const Origin& origin = values_.OriginOf(value);
    if (origin.kind == Origin::Kind::kInput) {
      graph_.input_edges.push_back({origin.index, node, input});
    } else if (origin.kind == Origin::Kind::kConstant) {
      graph_.intermediate_edges.push_back({ConstantNode(origin.index), 0, node, input});
    } else {
      graph_.intermediate_edges.push_back({numbers_[origin.index], origin.output, node, input});
    }
  }

  uint32_t ConstantNode(uint32_t constant) {
    constants_.resize(std::max<size_t>(constants_.size(), constant + 1), kNone);
    if (constants_[constant] == kNone) {
      constants_[constant] = NewNode({std::nullopt, values_.ConstantBytes(constant), ""});
    }
    return constants_[constant];
  }

  Status AddOutput(uint32_t i) {
    const GraphValue& value = outputs_[i];
    const Origin& origin = values_.OriginOf(value);
    if (origin.kind == Origin::Kind::kNode && values_.IsWhole(value)) {
      graph_.output_edges.push_back({numbers_[origin.index], origin.output, i});
      return {};
    }
    Result<Operator> copy = CreateCopy(value.tensor, values_.OutputTensor(value), options_);
    if (!copy.ok()) return copy.error();
    const uint32_t node = NewNode({std::move(copy).value(), {}, ""});
    Connect(value, node, 0);
    graph_.output_edges.push_back({node, 0, i});
    return {};
  }

  // By node, whom it waits for.
  void FindEdges() {
    producers_.resize(graph_.nodes.size());
    for (const IntermediateEdge& edge : graph_.intermediate_edges) {
      producers_[edge.to_node].push_back(edge.from_node);
    }
  }

  // Every reader of the input runs before the node that writes the output.
  Status WriteAfterReaders(const SharedMemory& pair) {
    const uint32_t writer =
        std::ranges::find(graph_.output_edges, pair.output, &OutputEdge::graph_output)->node;
    for (const InputEdge& edge : graph_.input_edges) {
      if (edge.graph_input != pair.input || edge.node == writer) continue;
      if (WaitsFor(edge.node, writer)) {
        return InvalidArgument(fmt::format(
            "graph: output {} cannot share memory with input '{}': {} reads the input and can "
            "run only after {} has written the output",
            pair.output, Escaped(values_.input_names()[pair.input]), NameOf(edge.node),
            NameOf(writer)));
      }
      graph_.order_edges.push_back({edge.node, writer});
      producers_[writer].push_back(edge.node);
    }
    return {};
  }

  std::string_view NameOf(uint32_t node) const {
    return graph_.nodes[node].op->definition->schema->name;
  }

  bool WaitsFor(uint32_t node, uint32_t other) const {
    std::vector<bool> seen(graph_.nodes.size(), false);
    std::vector<uint32_t> pending = {node};
    while (!pending.empty()) {
      const uint32_t last = pending.back();
      pending.pop_back();
      if (last == other) return true;
      for (uint32_t producer : producers_[last]) {
        if (!seen[producer]) pending.push_back(producer);
        seen[producer] = true;
      }
    }
    return false;
  }

  const Values& values_;
  const std::span<const GraphValue> outputs_;
  const DeviceOptions& options_;
  const std::vector<bool> live_;
  std::vector<uint32_t> numbers_;    // by node of the values: that of the graph
  std::vector<uint32_t> constants_;  // by constant: likewise
  std::vector<std::vector<uint32_t>> producers_;
  Graph graph_;
};

}  // namespace

std::vector<bool> Values::LiveNodes(std::span<const GraphValue> outputs) const {
  std::vector<bool> live(nodes_.size(), false);
  const auto mark = [&](const GraphValue& value) {
    if (!value.present()) return;
    const Origin& origin = OriginOf(value);
    if (origin.kind == Origin::Kind::kNode) live[origin.index] = true;
  };
  std::ranges::for_each(outputs, mark);
  for (size_t n = nodes_.size(); n-- > 0;) {
    if (live[n]) std::ranges::for_each(nodes_[n].inputs, mark);
  }
  return live;
}

bool Values::IsWhole(const GraphValue& value) const {
  const TensorDesc& written = OriginOf(value).tensor;
  if (value.tensor.dimension_count == written.dimension_count &&
      HaveSameLayout(value.tensor, written)) {
    return true;
  }
  return IsPacked(value.tensor) && IsPacked(written) &&
         value.tensor.ElementCount() == written.ElementCount();
}

TensorDesc Values::OutputTensor(const GraphValue& value) const {
  if (IsWhole(value)) return value.tensor;
  return PackedTensor(value.tensor.data_type, value.tensor.Sizes());
}

Result<Graph> Values::Build(std::span<const GraphValue> outputs, const DeviceOptions& options,
                            std::span<const SharedMemory> shared) const {
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].present() || !Has(outputs[i])) {
      return InvalidArgument(fmt::format("graph: output {} is not a value of this graph", i));
    }
  }
  for (const SharedMemory& pair : shared) {
    if (pair.output >= outputs.size() || pair.input >= inputs_.size()) {
      return InvalidArgument(
          fmt::format("graph: output {} of {} and input {} of {} cannot share memory", pair.output,
                      outputs.size(), pair.input, inputs_.size()));
    }
  }
  return Builder(*this, outputs, options).Build(shared);
}

}  // namespace anydml::graph
