// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "graph/wiring.h"

#include <fmt/format.h>

#include "base/escaped.h"

namespace anydml::graph {
namespace {

constexpr uint32_t kOwnedFlag = 1;  // DML_TENSOR_FLAG_OWNED_BY_DML

Error Malformed(std::string rest) { return InvalidArgument("graph: " + std::move(rest)); }

// Bytes from the first to the last element; the description is valid, so they
// can be counted.
uint64_t BytesInUse(const TensorDesc& tensor) {
  return Extent(tensor.Sizes(), tensor.Strides()).value_or(0) * ElementSize(tensor.data_type);
}

class Wirer {
 public:
  explicit Wirer(const Graph& graph) : graph_(graph) {
    wiring_.inputs.resize(graph.nodes.size());
    wiring_.ports.resize(graph.nodes.size());
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      if (!graph.nodes[i].op) continue;
      wiring_.ports[i] = PortsOf(*graph.nodes[i].op);
      wiring_.inputs[i].resize(wiring_.ports[i].inputs.size());
    }
    wiring_.outputs.resize(graph.output_count);
  }

  Result<Wiring> Wire() {
    for (const InputEdge& edge : graph_.input_edges) {
      Status status = Add(edge);
      if (!status.ok()) return status.error();
    }
    for (const IntermediateEdge& edge : graph_.intermediate_edges) {
      Status status = Add(edge);
      if (!status.ok()) return status.error();
    }
    for (const OutputEdge& edge : graph_.output_edges) {
      Status status = Add(edge);
      if (!status.ok()) return status.error();
    }
    Status status = CheckComplete();
    if (!status.ok()) return status.error();
    return std::move(wiring_);
  }

 private:
  Status Add(const InputEdge& edge) {
    if (edge.graph_input >= graph_.input_count) {
      return Malformed(fmt::format("an input edge names graph input {} of {}", edge.graph_input,
                                   graph_.input_count));
    }
    return Connect({Source::Kind::kGraphInput, edge.graph_input, 0}, edge.node, edge.node_input,
                   "an input edge");
  }

  Status Add(const IntermediateEdge& edge) {
    Status status = CheckProducer(edge.from_node, edge.from_output, "an intermediate edge");
    if (!status.ok()) return status;
    status = Connect({Source::Kind::kNode, edge.from_node, edge.from_output}, edge.to_node,
                     edge.to_input, "an intermediate edge");
    if (!status.ok()) return status;
    return graph_.nodes[edge.from_node].op ? CheckTensors(edge) : CheckConstant(edge);
  }

  Status Add(const OutputEdge& edge) {
    Status status = CheckProducer(edge.node, edge.node_output, "an output edge");
    if (!status.ok()) return status;
    if (edge.graph_output >= graph_.output_count) {
      return Malformed(fmt::format("an output edge names graph output {} of {}", edge.graph_output,
                                   graph_.output_count));
    }
    if (!graph_.nodes[edge.node].op) {
      return Malformed(fmt::format("graph output {} is fed by {}; it must be fed by an operator",
                                   edge.graph_output, Describe(graph_, edge.node)));
    }
    Source& source = wiring_.outputs[edge.graph_output];
    if (source.kind != Source::Kind::kNone) {
      return Malformed(fmt::format("graph output {} is fed by two edges", edge.graph_output));
    }
    source = {Source::Kind::kNode, edge.node, edge.node_output};
    return {};
  }

  Status CheckNode(uint32_t node, std::string_view edge) const {
    if (node < graph_.nodes.size()) return {};
    return Malformed(fmt::format("{} names node {} of {}", edge, node, graph_.nodes.size()));
  }

  Status CheckProducer(uint32_t node, uint32_t output, std::string_view edge) const {
    Status status = CheckNode(node, edge);
    if (!status.ok()) return status;
    const size_t count = graph_.nodes[node].op ? wiring_.ports[node].outputs.size() : 1;
    if (output >= count) {
      return Malformed(fmt::format("{} names output {} of {}, which has {}", edge, output,
                                   Describe(graph_, node), count));
    }
    if (graph_.nodes[node].op && !wiring_.ports[node].outputs[output].tensor->present()) {
      return Malformed(fmt::format("{} comes from {} of {}, which its description leaves out", edge,
                                   wiring_.ports[node].outputs[output].name,
                                   Describe(graph_, node)));
    }
    return {};
  }

  // Sets the source of a node's input.
  Status Connect(Source source, uint32_t node, uint32_t input, std::string_view edge) {
    Status status = CheckNode(node, edge);
    if (!status.ok()) return status;
    if (input >= wiring_.inputs[node].size()) {
      return Malformed(fmt::format("{} names input {} of {}, which has {}", edge, input,
                                   Describe(graph_, node), wiring_.inputs[node].size()));
    }
    const Port& port = wiring_.ports[node].inputs[input];
    if (!port.tensor->present()) {
      return Malformed(fmt::format("{} goes to {} of {}, which its description leaves out", edge,
                                   port.name, Describe(graph_, node)));
    }
    if (wiring_.inputs[node][input].kind != Source::Kind::kNone) {
      return Malformed(
          fmt::format("{} of {} is fed by two edges", port.name, Describe(graph_, node)));
    }
    if ((port.tensor->flags & kOwnedFlag) != 0 && source.kind == Source::Kind::kNode &&
        graph_.nodes[source.index].op) {
      return Malformed(fmt::format("{} of {} is OWNED_BY_DML and must be fed by a graph input",
                                   port.name, Describe(graph_, node)));
    }
    wiring_.inputs[node][input] = source;
    return {};
  }

  // "from OutputTensor of node 0 (A) to InputTensor of node 1 (B)"
  std::string DescribeEdge(const IntermediateEdge& edge) const {
    const auto& from = graph_.nodes[edge.from_node];
    return fmt::format(
        "the edge from {}{} to {} of {}",
        from.op
            ? fmt::format("{} of ", wiring_.ports[edge.from_node].outputs[edge.from_output].name)
            : "",
        Describe(graph_, edge.from_node), wiring_.ports[edge.to_node].inputs[edge.to_input].name,
        Describe(graph_, edge.to_node));
  }

  // The consumer sees the producer's bytes, under whatever shape. Another data
  // type is a reinterpretation of bits, which programs do on purpose; where the
  // elements differ in size they do it over all of the bytes, so anything else
  // is taken for the mistake that it most likely is.
  Status CheckTensors(const IntermediateEdge& edge) {
    const TensorDesc& from = *wiring_.ports[edge.from_node].outputs[edge.from_output].tensor;
    const TensorDesc& to = *wiring_.ports[edge.to_node].inputs[edge.to_input].tensor;
    const bool same_width = ElementSize(from.data_type) == ElementSize(to.data_type);
    if (!same_width && from.total_bytes != to.total_bytes) {
      return Malformed(
          fmt::format("{} joins {} of {} bytes with {} of {} bytes: the data types must be equal",
                      DescribeEdge(edge), DataTypeName(from.data_type), from.total_bytes,
                      DataTypeName(to.data_type), to.total_bytes));
    }
    if (to.total_bytes > from.total_bytes) {
      return Malformed(fmt::format("{} carries {} bytes and its consumer needs {}",
                                   DescribeEdge(edge), from.total_bytes, to.total_bytes));
    }
    if (from.data_type != to.data_type) {
      wiring_.reinterpretations.push_back(
          fmt::format("graph: {} reinterprets {} as {}", DescribeEdge(edge),
                      DataTypeName(from.data_type), DataTypeName(to.data_type)));
    }
    return {};
  }

  // A constant may end with its last element: only that much is read.
  Status CheckConstant(const IntermediateEdge& edge) const {
    const size_t bytes = graph_.nodes[edge.from_node].constant.size();
    const uint64_t needed = BytesInUse(*wiring_.ports[edge.to_node].inputs[edge.to_input].tensor);
    if (bytes >= needed) return {};
    return Malformed(fmt::format("{} carries {} bytes and its consumer needs {}",
                                 DescribeEdge(edge), bytes, needed));
  }

  Status CheckComplete() const {
    for (uint32_t node = 0; node < graph_.nodes.size(); ++node) {
      for (size_t i = 0; i < wiring_.inputs[node].size(); ++i) {
        const Port& port = wiring_.ports[node].inputs[i];
        if (!port.tensor->present() || wiring_.inputs[node][i].kind != Source::Kind::kNone) {
          continue;
        }
        return Malformed(fmt::format("{} of {} has no edge", port.name, Describe(graph_, node)));
      }
    }
    for (uint32_t output = 0; output < graph_.output_count; ++output) {
      if (wiring_.outputs[output].kind == Source::Kind::kNone && !graph_.is_one_operator) {
        return Malformed(fmt::format("graph output {} has no edge", output));
      }
    }
    return {};
  }

  const Graph& graph_;
  Wiring wiring_;
};

}  // namespace

Graph GraphOf(const Operator& op) {
  const Ports ports = PortsOf(op);
  Graph graph;
  graph.is_one_operator = true;
  graph.input_count = static_cast<uint32_t>(ports.inputs.size());
  graph.output_count = static_cast<uint32_t>(ports.outputs.size());
  graph.nodes.push_back({.op = op, .constant = {}, .name = {}});
  for (uint32_t i = 0; i < graph.input_count; ++i) {
    if (ports.inputs[i].tensor->present()) graph.input_edges.push_back({i, 0, i});
  }
  for (uint32_t i = 0; i < graph.output_count; ++i) {
    if (ports.outputs[i].tensor->present()) graph.output_edges.push_back({0, i, i});
  }
  return graph;
}

Ports PortsOf(const Operator& op) {
  Ports ports;
  const schema::Arguments& arguments = *op.arguments;
  const auto port = [&](size_t number) {
    return Port{arguments.FieldOf(number), arguments.TensorName(number), &arguments.tensor(number)};
  };
  for (size_t number : arguments.inputs()) ports.inputs.push_back(port(number));
  for (size_t number : arguments.outputs()) ports.outputs.push_back(port(number));
  return ports;
}

Result<Wiring> Wire(const Graph& graph) { return Wirer(graph).Wire(); }

std::string Describe(const Graph& graph, uint32_t node) {
  const Node& described = graph.nodes[node];
  const std::string name =
      described.name.empty() ? "" : fmt::format(" '{}'", Escaped(described.name));
  const std::string_view kind = described.op ? described.op->definition->schema->name : "constant";
  return fmt::format("node {}{} ({})", node, name, kind);
}

}  // namespace anydml::graph
