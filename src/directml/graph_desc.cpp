// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "directml/graph_desc.h"

#include "base/raw_value.h"
#include "directml/operator.h"

namespace anydml::directml {
namespace {

std::string NameOf(const char* name) { return name == nullptr ? "" : name; }

Result<graph::Node> ReadOperatorNode(const Device& device, UINT index, const void* desc) {
  const auto& node = *static_cast<const DML_OPERATOR_GRAPH_NODE_DESC*>(desc);
  const ComPtr<Operator> ours = As<Operator>(node.Operator);
  if (ours == nullptr || &ours->device() != &device) {
    return InvalidArgument(
        fmt::format("the operator of node {} must be one of this device", index));
  }
  return graph::Node{.op = ours->op(), .constant = {}, .name = NameOf(node.Name)};
}

Result<graph::Node> ReadConstantNode(UINT index, const void* desc) {
  const auto& node = *static_cast<const DML_CONSTANT_DATA_GRAPH_NODE_DESC*>(desc);
  if (node.Data == nullptr || node.DataSize == 0) {
    return InvalidArgument(fmt::format("the constant of node {} must have data", index));
  }
  return graph::Node{.op = {},
                     .constant = {static_cast<const std::byte*>(node.Data), node.DataSize},
                     .name = NameOf(node.Name)};
}

Result<graph::Node> ReadNode(const Device& device, UINT index, const DML_GRAPH_NODE_DESC& node) {
  if (node.Desc == nullptr) {
    return InvalidArgument(fmt::format("Nodes[{}].Desc must not be null", index));
  }
  switch (RawValue(node.Type)) {
    case DML_GRAPH_NODE_TYPE_OPERATOR:
      return ReadOperatorNode(device, index, node.Desc);
    case DML_GRAPH_NODE_TYPE_CONSTANT:
      return ReadConstantNode(index, node.Desc);
    default:
      return InvalidArgument(fmt::format("Nodes[{}].Type = {} must be OPERATOR or CONSTANT", index,
                                         RawValue(node.Type)));
  }
}

graph::InputEdge Translate(const DML_INPUT_GRAPH_EDGE_DESC& edge) {
  return {edge.GraphInputIndex, edge.ToNodeIndex, edge.ToNodeInputIndex};
}
graph::OutputEdge Translate(const DML_OUTPUT_GRAPH_EDGE_DESC& edge) {
  return {edge.FromNodeIndex, edge.FromNodeOutputIndex, edge.GraphOutputIndex};
}
graph::IntermediateEdge Translate(const DML_INTERMEDIATE_GRAPH_EDGE_DESC& edge) {
  return {edge.FromNodeIndex, edge.FromNodeOutputIndex, edge.ToNodeIndex, edge.ToNodeInputIndex};
}

// One of the three arrays of edges; all edges in it have the same type.
struct EdgeArray {
  std::string_view name;
  uint32_t type;
  std::string_view type_name;
  UINT count;
  const DML_GRAPH_EDGE_DESC* edges;
};

template <typename Desc, typename Edge>
Status ReadEdges(const EdgeArray& array, std::vector<Edge>& edges) {
  if (array.count != 0 && array.edges == nullptr) {
    return InvalidArgument(
        fmt::format("{} must not be null: there are {} edges", array.name, array.count));
  }
  for (UINT i = 0; i < array.count; ++i) {
    if (RawValue(array.edges[i].Type) != array.type) {
      return InvalidArgument(fmt::format("{}[{}].Type = {} must be {}", array.name, i,
                                         RawValue(array.edges[i].Type), array.type_name));
    }
    if (array.edges[i].Desc == nullptr) {
      return InvalidArgument(fmt::format("{}[{}].Desc must not be null", array.name, i));
    }
    edges.push_back(Translate(*static_cast<const Desc*>(array.edges[i].Desc)));
  }
  return {};
}

Status ReadAllEdges(const DML_GRAPH_DESC& desc, graph::Graph& graph) {
  Status status = ReadEdges<DML_INPUT_GRAPH_EDGE_DESC>(
      {"InputEdges", DML_GRAPH_EDGE_TYPE_INPUT, "INPUT", desc.InputEdgeCount, desc.InputEdges},
      graph.input_edges);
  if (!status.ok()) return status;
  status = ReadEdges<DML_OUTPUT_GRAPH_EDGE_DESC>(
      {"OutputEdges", DML_GRAPH_EDGE_TYPE_OUTPUT, "OUTPUT", desc.OutputEdgeCount, desc.OutputEdges},
      graph.output_edges);
  if (!status.ok()) return status;
  return ReadEdges<DML_INTERMEDIATE_GRAPH_EDGE_DESC>(
      {"IntermediateEdges", DML_GRAPH_EDGE_TYPE_INTERMEDIATE, "INTERMEDIATE",
       desc.IntermediateEdgeCount, desc.IntermediateEdges},
      graph.intermediate_edges);
}

// Every input and output needs an edge or is at least bound; a count beyond all
// reason would only make us run out of memory.
Status CheckCounts(const DML_GRAPH_DESC& desc) {
  constexpr UINT kMax = 1u << 20;
  if (desc.InputCount <= kMax && desc.OutputCount <= kMax) return {};
  return InvalidArgument(fmt::format("InputCount = {} and OutputCount = {} must be at most {}",
                                     desc.InputCount, desc.OutputCount, kMax));
}

}  // namespace

Result<graph::Graph> ReadGraph(const Device& device, const DML_GRAPH_DESC* desc) {
  if (desc == nullptr) return InvalidArgument("the DML_GRAPH_DESC must not be null");
  if (desc->NodeCount == 0 || desc->Nodes == nullptr) {
    return InvalidArgument("a graph must have at least one node");
  }
  if (desc->OutputCount == 0) return InvalidArgument("a graph must have at least one output");
  Status status = CheckCounts(*desc);
  if (!status.ok()) return status.error();
  graph::Graph graph;
  graph.input_count = desc->InputCount;
  graph.output_count = desc->OutputCount;
  for (UINT i = 0; i < desc->NodeCount; ++i) {
    Result<graph::Node> node = ReadNode(device, i, desc->Nodes[i]);
    if (!node.ok()) return node.error();
    graph.nodes.push_back(std::move(node).value());
  }
  status = ReadAllEdges(*desc, graph);
  if (!status.ok()) return status.error();
  return graph;
}

}  // namespace anydml::directml
