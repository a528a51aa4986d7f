// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// AnyDMLDifferentiateGraph: between descriptions and src/gradient/.
#include <deque>

#include "directml/device.h"
// device.h first: the next attaches an identifier.
#include "anydml/directml_gradient.h"
#include "directml/graph_desc.h"
#include "directml/operator.h"
#include "gradient/differentiate_graph.h"

namespace anydml::directml {
namespace {

constexpr std::string_view kFunction = "AnyDMLDifferentiateGraph";

// A DML_GRAPH_DESC with everything that it points to.
class Description final : public d3d12::ComObject<Serves<IAnyDMLGraph, IAnyDMLGraph>> {
 public:
  Description(Device& device, gradient::DifferentiatedGraph differentiated)
      : values_(std::move(differentiated.values)) {
    const graph::Graph& graph = differentiated.graph;
    for (const graph::Node& node : graph.nodes) AddNode(device, node);
    for (const graph::InputEdge& edge : graph.input_edges) {
      Add(DML_GRAPH_EDGE_TYPE_INPUT, inputs_, input_edges_,
          {edge.graph_input, edge.node, edge.node_input, nullptr});
    }
    for (const graph::OutputEdge& edge : graph.output_edges) {
      Add(DML_GRAPH_EDGE_TYPE_OUTPUT, outputs_, output_edges_,
          {edge.node, edge.node_output, edge.graph_output, nullptr});
    }
    for (const graph::IntermediateEdge& edge : graph.intermediate_edges) {
      Add(DML_GRAPH_EDGE_TYPE_INTERMEDIATE, intermediates_, intermediate_edges_,
          {edge.from_node, edge.from_output, edge.to_node, edge.to_input, nullptr});
    }
    desc_ = {graph.input_count,
             graph.output_count,
             Count(nodes_),
             nodes_.data(),
             Count(input_edges_),
             input_edges_.data(),
             Count(output_edges_),
             output_edges_.data(),
             Count(intermediate_edges_),
             intermediate_edges_.data()};
  }

  const DML_GRAPH_DESC* STDMETHODCALLTYPE GetDesc() override { return &desc_; }

 private:
  template <typename T>
  static UINT Count(const std::vector<T>& all) {
    return static_cast<UINT>(all.size());
  }

  void AddNode(Device& device, const graph::Node& node) {
    if (!node.op) {
      constants_.push_back({node.constant.data(), node.constant.size(), nullptr});
      nodes_.push_back({DML_GRAPH_NODE_TYPE_CONSTANT, &constants_.back()});
      return;
    }
    ComPtr<IDMLOperator>& op = operators_.emplace_back();
    op.Attach(new Operator(device, *node.op));
    operator_nodes_.push_back({op.Get(), nullptr});
    nodes_.push_back({DML_GRAPH_NODE_TYPE_OPERATOR, &operator_nodes_.back()});
  }

  template <typename Desc>
  static void Add(DML_GRAPH_EDGE_TYPE type, std::deque<Desc>& descs,
                  std::vector<DML_GRAPH_EDGE_DESC>& edges, const Desc& desc) {
    descs.push_back(desc);
    edges.push_back({type, &descs.back()});
  }

  std::shared_ptr<const graph::Values> values_;
  std::vector<ComPtr<IDMLOperator>> operators_;
  // Deques: what is in them stays where it is.
  std::deque<DML_OPERATOR_GRAPH_NODE_DESC> operator_nodes_;
  std::deque<DML_CONSTANT_DATA_GRAPH_NODE_DESC> constants_;
  std::deque<DML_INPUT_GRAPH_EDGE_DESC> inputs_;
  std::deque<DML_OUTPUT_GRAPH_EDGE_DESC> outputs_;
  std::deque<DML_INTERMEDIATE_GRAPH_EDGE_DESC> intermediates_;
  std::vector<DML_GRAPH_NODE_DESC> nodes_;
  std::vector<DML_GRAPH_EDGE_DESC> input_edges_, output_edges_, intermediate_edges_;
  DML_GRAPH_DESC desc_ = {};
};

Result<HRESULT> Differentiate(Device& device, const DML_GRAPH_DESC* forward, UINT loss_output,
                              UINT count, const UINT* inputs, IAnyDMLGraph** result) {
  if (result == nullptr) return InvalidArgument(std::string(d3d12::kNullResult));
  if (inputs == nullptr && count != 0) {
    return InvalidArgument(fmt::format("the array of {} inputs must not be null", count));
  }
  const Result<graph::Graph> graph = ReadGraph(device, forward);
  if (!graph.ok()) return graph.error();
  Result<gradient::DifferentiatedGraph> differentiated =
      gradient::DifferentiateGraph(graph.value(), loss_output, {inputs, count}, device.options());
  if (!differentiated.ok()) return differentiated.error();
  *result = new Description(device, std::move(differentiated).value());
  return S_OK;
}

}  // namespace
}  // namespace anydml::directml

extern "C" HRESULT AnyDMLDifferentiateGraph(IDMLDevice1* device, const DML_GRAPH_DESC* forward,
                                            UINT loss_output, UINT count, const UINT* inputs,
                                            IAnyDMLGraph** graph) {
  namespace directml = anydml::directml;
  if (graph != nullptr) *graph = nullptr;
  const auto ours = directml::As<directml::Device>(device);
  if (ours == nullptr) {
    return anydml::d3d12::SetError(E_INVALIDARG, directml::kFunction,
                                   "the IDMLDevice1 must be one of this library");
  }
  return ours->Call(directml::kFunction, [&] {
    return directml::Differentiate(*ours.Get(), forward, loss_output, count, inputs, graph);
  });
}
