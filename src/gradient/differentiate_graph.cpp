// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "gradient/differentiate_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "gradient/differentiate.h"
#include "graph/wiring.h"

namespace anydml::gradient {
namespace {

using graph::Source;

// Writes a graph again, value by value.
class Writer {
 public:
  Writer(const graph::Graph& graph, const graph::Wiring& wiring, graph::Values& values)
      : graph_(graph), wiring_(wiring), values_(values), outputs_(graph.nodes.size()) {}

  Status Write(std::span<const uint32_t> order) {
    Status status = AddInputs(order);
    for (size_t i = 0; i < order.size() && status.ok(); ++i) status = AddNode(order[i]);
    return status;
  }

  GraphValue Output(uint32_t graph_output) const {
    const Source& source = wiring_.outputs[graph_output];
    return outputs_[source.index][source.output];
  }

 private:
  // What a reader says of a graph input. Strides of 0 repeat what is there once.
  static TensorDesc Unrepeated(TensorDesc tensor) {
    for (uint32_t i = 0; i < tensor.dimension_count; ++i) {
      if (tensor.strides[i] == 0) tensor.sizes[i] = 1;
    }
    tensor.flags = 0;
    return tensor;
  }

  // The largest of its readers' descriptions, where it has all that any reader sees, once; else
  // a list. Of an input that nobody reads any.
  Status AddInputs(std::span<const uint32_t> order) {
    std::vector<std::vector<TensorDesc>> readers(graph_.input_count);
    for (uint32_t node : order) {
      for (size_t i = 0; i < wiring_.inputs[node].size(); ++i) {
        const Source& source = wiring_.inputs[node][i];
        if (source.kind != Source::Kind::kGraphInput) continue;
        readers[source.index].push_back(Unrepeated(*wiring_.ports[node].inputs[i].tensor));
      }
    }
    for (uint32_t i = 0; i < graph_.input_count; ++i) {
      Result<GraphValue> input = values_.Input(fmt::format("{}", i), InputTensor(readers[i]));
      if (!input.ok()) return input.error();
    }
    return {};
  }

  static TensorDesc InputTensor(const std::vector<TensorDesc>& readers) {
    const uint32_t one = 1;
    if (readers.empty()) return PackedTensor(DataType::kFloat32, {&one, 1});
    const TensorDesc& largest = *std::ranges::max_element(readers, {}, Bytes);
    const bool has_all = std::ranges::all_of(readers, [&](const TensorDesc& reader) {
      return reader.data_type == largest.data_type &&
             (IsDense(largest) || HaveSameLayout(reader, largest));
    });
    if (has_all && !MayOverlap(largest.Sizes(), largest.Strides())) return largest;
    // Of a type that has gradients, if any reader's has.
    const auto found = std::ranges::find_if(
        readers, [](const TensorDesc& reader) { return HasGradient(reader.data_type); });
    const DataType type = (found == readers.end() ? largest : *found).data_type;
    const uint64_t size = ElementSize(type);
    const auto count = std::min((Bytes(largest) + size - 1) / size, kMaxElements);
    const auto elements = static_cast<uint32_t>(count);
    return PackedTensor(type, {&elements, 1});
  }

  // To the end of the last element.
  static uint64_t Bytes(const TensorDesc& tensor) {
    return Extent(tensor.Sizes(), tensor.Strides()).value_or(0) * ElementSize(tensor.data_type);
  }

  Status AddNode(uint32_t node) {
    const schema::Arguments& arguments = *graph_.nodes[node].op->arguments;
    std::vector<GraphValue> inputs(wiring_.inputs[node].size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (wiring_.inputs[node][i].kind == Source::Kind::kNone) continue;
      Result<GraphValue> read = Read(node, i);
      if (!read.ok()) return read.error();
      inputs[i] = read.value();
    }
    Result<std::vector<GraphValue>> outputs = values_.Add(arguments, inputs);
    if (!outputs.ok()) return outputs.error();
    outputs_[node] = std::move(outputs).value();
    return {};
  }

  // The value as the node describes it.
  Result<GraphValue> Read(uint32_t node, size_t input) {
    const Source& source = wiring_.inputs[node][input];
    const graph::Port& port = wiring_.ports[node].inputs[input];
    const bool is_node = source.kind == Source::Kind::kNode;
    if (is_node && !graph_.nodes[source.index].op) {
      return Constant(graph_.nodes[source.index].constant, *port.tensor);
    }
    const GraphValue from =
        is_node ? outputs_[source.index][source.output] : values_.inputs()[source.index];
    GraphValue bits = from;  // of the reader's type; Differentiate refuses what matters
    bits.tensor.data_type = port.tensor->data_type;
    Result<GraphValue> view = values_.View(bits, port.tensor->Sizes(), port.tensor->Strides());
    if (view.ok()) view.value().tensor = *port.tensor;  // with its flags
    return view;
  }

  // One for each reader, as it describes the bytes; they may end with the last element.
  Result<GraphValue> Constant(std::span<const std::byte> given, TensorDesc tensor) {
    tensor.total_bytes =
        MinimumTotalBytes(tensor.data_type, tensor.Sizes(), tensor.Strides()).value_or(0);
    tensor.flags = 0;
    std::vector<std::byte> bytes(tensor.total_bytes);
    std::copy_n(given.begin(), std::min(given.size(), bytes.size()), bytes.begin());
    return values_.Constant(bytes, tensor);
  }

  const graph::Graph& graph_;
  const graph::Wiring& wiring_;
  graph::Values& values_;
  std::vector<std::vector<GraphValue>> outputs_;  // by node
};

Status CheckNumbers(const graph::Graph& forward, uint32_t loss_output,
                    std::span<const uint32_t> inputs) {
  if (loss_output >= forward.output_count) {
    return InvalidArgument(
        fmt::format("graph: the loss is output {} of {}", loss_output, forward.output_count));
  }
  for (uint32_t input : inputs) {
    if (input < forward.input_count) continue;
    return InvalidArgument(
        fmt::format("graph: a gradient is asked for input {} of {}", input, forward.input_count));
  }
  return {};
}

}  // namespace

Result<DifferentiatedGraph> DifferentiateGraph(const graph::Graph& forward, uint32_t loss_output,
                                               std::span<const uint32_t> inputs,
                                               const DeviceOptions& options) {
  Status status = CheckNumbers(forward, loss_output, inputs);
  if (!status.ok()) return status.error();
  const Result<graph::Wiring> wiring = graph::Wire(forward);
  if (!wiring.ok()) return wiring.error();
  const Result<std::vector<uint32_t>> order = graph::OrderNodes(forward, wiring.value());
  if (!order.ok()) return order.error();
  const auto values = std::make_shared<graph::Values>();
  Writer writer(forward, wiring.value(), *values);
  status = writer.Write(order.value());
  if (!status.ok()) return status.error();
  std::vector<GraphValue> outputs, of;
  for (uint32_t i = 0; i < forward.output_count; ++i) outputs.push_back(writer.Output(i));
  for (uint32_t input : inputs) of.push_back(values->inputs()[input]);
  const Result<std::vector<GraphValue>> gradients =
      Differentiate(*values, outputs[loss_output], of);
  if (!gradients.ok()) return gradients.error();
  outputs.insert(outputs.end(), gradients.value().begin(), gradients.value().end());
  Result<graph::Graph> graph = values->Build(outputs, options);
  if (!graph.ok()) return graph.error();
  return DifferentiatedGraph{std::move(graph).value(), values};
}

}  // namespace anydml::gradient
