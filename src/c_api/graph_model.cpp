// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "c_api/graph_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/place.h"
#include "operators/gradient_writer.h"
#include "operators/registry.h"

namespace anydml::c_api {
namespace {

using graph::Values;
using model::Quoted;
using Origin = Values::Origin;

class GraphReader {
 public:
  explicit GraphReader(const model::Model& model)
      : model_(model),
        written_by_(model.resources.size()),
        readers_(model.resources.size()),
        handles_(model.resources.size(), 0) {}

  Result<NamedGraph> Read() {
    Status status = FindWriters();
    for (size_t i = 0; i < model_.commands.size() && status.ok(); ++i) {
      if (const auto* dispatch = std::get_if<model::Dispatch>(&model_.commands[i])) {
        status = Add(i, *dispatch);
      }
    }
    if (!status.ok()) return status.error();
    return std::move(graph_);
  }

 private:
  Error Fail(size_t command, std::string_view rest) const {
    return InvalidArgument(fmt::format("the model is no graph: commands[{}] {}", command, rest));
  }

  // Both kinds of bindings, by the number of the tensor.
  std::map<size_t, model::BufferSource> SourcesOf(const model::Dispatch& dispatch) const {
    std::map<size_t, model::BufferSource> sources;
    for (const model::Binding& binding :
         model_.dispatchables[dispatch.dispatchable].initialization_bindings) {
      sources[binding.tensor] = binding.source;
    }
    for (const model::Binding& binding : dispatch.bindings) {
      sources[binding.tensor] = binding.source;
    }
    return sources;
  }

  const schema::Arguments& ArgumentsOf(const model::Dispatch& dispatch) const {
    return model_.dispatchables[dispatch.dispatchable].arguments;
  }

  // A graph has no values that change: whatever is written is written once, before it is read.
  Status FindWriters() {
    std::map<size_t, size_t> read_by;
    for (size_t i = 0; i < model_.commands.size(); ++i) {
      const auto* dispatch = std::get_if<model::Dispatch>(&model_.commands[i]);
      if (dispatch == nullptr) continue;
      const schema::Arguments& arguments = ArgumentsOf(*dispatch);
      for (const auto& [number, source] : SourcesOf(*dispatch)) {
        if (source.offset_in_bytes() != 0) {
          return Fail(i, fmt::format("binds {} from an offset, and a value has none",
                                     NameOf(source.resource)));
        }
        if (arguments.schema().fields[arguments.FieldOf(number)].is_output()) continue;
        readers_[source.resource].push_back(&arguments.tensor(number));
        read_by.emplace(source.resource, i);
      }
      for (const auto& [number, source] : SourcesOf(*dispatch)) {
        if (!arguments.schema().fields[arguments.FieldOf(number)].is_output()) continue;
        std::optional<size_t>& writer = written_by_[source.resource];
        if (writer) {
          return Fail(i, fmt::format("writes {}, which commands[{}] has written",
                                     NameOf(source.resource), *writer));
        }
        writer = i;
        const auto reader = read_by.find(source.resource);
        if (reader == read_by.end()) continue;
        return Fail(i, fmt::format("writes {}, which commands[{}] reads", NameOf(source.resource),
                                   reader->second));
      }
    }
    return {};
  }

  std::string NameOf(size_t resource) const { return Quoted(model_.resources[resource].name); }

  Status Add(size_t command, const model::Dispatch& dispatch) {
    schema::Arguments arguments = ArgumentsOf(dispatch);
    const std::map<size_t, model::BufferSource> sources = SourcesOf(dispatch);
    std::vector<GraphValue> inputs;
    for (size_t number : arguments.inputs()) {
      const TensorDesc& tensor = arguments.tensor(number);
      inputs.emplace_back();
      if (!tensor.present()) continue;
      Result<GraphValue> value = ValueOf(command, sources.at(number).resource, tensor);
      if (!value.ok()) return value.error();
      inputs.back() = value.value();
    }
    const std::vector<size_t> written = arguments.outputs();
    Result<std::vector<GraphValue>> outputs = graph_.values.Add(std::move(arguments), inputs);
    if (!outputs.ok()) return outputs.error();
    for (size_t i = 0; i < written.size(); ++i) {
      if (!outputs.value()[i].present()) continue;
      const size_t resource = sources.at(written[i]).resource;
      handles_[resource] = graph_.NewHandle(outputs.value()[i]);
      Status status = graph_.SetName(handles_[resource], model_.resources[resource].name);
      if (!status.ok()) return status;
    }
    return {};
  }

  // What a dispatch reads: the resource's value, seen as the tensor.
  Result<GraphValue> ValueOf(size_t command, size_t resource, const TensorDesc& tensor) {
    if (handles_[resource] == 0) {
      Status status = AddInput(resource, tensor);
      if (!status.ok()) return status.error();
    }
    const GraphValue& value = graph_.handles[handles_[resource] - 1];
    if (value.tensor.data_type != tensor.data_type) {
      return Fail(command, fmt::format("reads {} as {}, and it is {}", NameOf(resource),
                                       DataTypeName(tensor.data_type),
                                       DataTypeName(value.tensor.data_type)));
    }
    if (value.tensor.dimension_count == tensor.dimension_count &&
        HaveSameLayout(value.tensor, tensor)) {
      return value;
    }
    return graph_.values.View(value, tensor.Sizes(), tensor.Strides());
  }

  // With the sizes of the first reader that sees all elements in order, else a list.
  Status AddInput(size_t resource, const TensorDesc& first) {
    const model::Resource& given = model_.resources[resource];
    const uint64_t size = ElementSize(first.data_type);
    const uint64_t elements = std::max<uint64_t>(given.value_bytes / size, ElementsRead(resource));
    if (elements > kMaxElements) {
      return InvalidArgument(fmt::format("the model is no graph: {} has {} elements, more than {}",
                                         NameOf(resource), elements, kMaxElements));
    }
    const auto count = static_cast<uint32_t>(elements);
    TensorDesc tensor = PackedTensor(first.data_type, {&count, 1});
    for (const TensorDesc* reader : readers_[resource]) {
      const TensorDesc packed = PackedTensor(reader->data_type, reader->Sizes());
      if (tensor.dimension_count == 1 && reader->data_type == tensor.data_type &&
          reader->ElementCount() == elements && HaveSameLayout(*reader, packed)) {
        tensor = packed;
      }
    }
    Result<anydml_value> handle = graph_.AddInput(given.name, tensor);
    if (!handle.ok()) return handle.error();
    handles_[resource] = handle.value();
    std::vector<std::byte> contents(tensor.total_bytes);
    std::copy_n(reinterpret_cast<const std::byte*>(given.bytes.data()),
                std::min<size_t>(contents.size(), given.bytes.size()), contents.begin());
    graph_.contents[graph_.handles.back().id] = std::move(contents);
    return {};
  }

  // From the first element to the last that somebody reads.
  uint64_t ElementsRead(size_t resource) const {
    uint64_t most = 0;
    for (const TensorDesc* reader : readers_[resource]) {
      most = std::max(most, Extent(reader->Sizes(), reader->Strides()).value_or(0));
    }
    return most;
  }

  const model::Model& model_;
  std::vector<std::optional<size_t>> written_by_;        // by resource: the command
  std::vector<std::vector<const TensorDesc*>> readers_;  // by resource: as they see it
  std::vector<anydml_value> handles_;                    // by resource; 0: none yet
  NamedGraph graph_;
};

class ModelMaker {
 public:
  ModelMaker(const NamedGraph& graph, std::span<const anydml_value> outputs,
             std::span<const graph::SharedMemory> shared)
      : graph_(graph), values_(graph.values), shared_(shared) {
    // Outputs keep their names; of other values the first name is taken.
    for (const GraphValue& input : values_.inputs()) {
      names_.emplace(input.id, values_.input_names()[values_.OriginOf(input).index]);
    }
    for (anydml_value output : outputs) outputs_.push_back(Output(output));
    for (const auto& [handle, name] : graph.names) {
      const GraphValue& value = graph.handles[handle - 1];
      if (name != nullptr && values_.IsWhole(value)) names_.emplace(value.id, *name);
    }
    for (const auto& [name, handle] : graph.by_name) taken_.insert(name);
  }

  Result<model::Model> Make() {
    if (!write_.ok()) return write_.Finish({}).error();
    const std::vector<bool> live = values_.LiveNodes(outputs_);
    FindLastReaders(live);
    for (const graph::SharedMemory& pair : shared_) {
      Status status = Share(pair);
      if (!status.ok()) return status.error();
    }
    for (const GraphValue& input : values_.inputs()) {
      if (last_reader_.contains(input.id)) ResourceOf(input);
    }
    for (size_t n = 0; n < live.size(); ++n) {
      if (live[n]) AddDispatch(n);
    }
    for (const GraphValue& output : outputs_) {
      model_.commands.emplace_back(model::Print{ResourceOf(output)});
    }
    return std::move(model_);
  }

 private:
  // An output is read by the print after all nodes.
  void FindLastReaders(const std::vector<bool>& live) {
    for (size_t n = 0; n < live.size(); ++n) {
      if (!live[n]) continue;
      for (const GraphValue& input : values_.nodes()[n].inputs) {
        if (input.present()) last_reader_[input.id] = n;
      }
    }
    for (const GraphValue& output : outputs_) last_reader_.emplace(output.id, 0);
  }

  // A view of other elements than the value's own is copied, and so is a value that has the
  // name of another output or of an input.
  GraphValue Output(anydml_value output) {
    GraphValue value = graph_.handles[output - 1];
    const std::string name(graph_.NameOf(output));
    if (!values_.IsWhole(value)) value = write_.Apply("IDENTITY", {value});
    if (name.empty() || names_.emplace(value.id, name).first->second == name) return value;
    value = write_.Apply("IDENTITY", {value});
    names_.emplace(value.id, name);
    return value;
  }

  // The node that writes the output comes after all that read the input.
  Status Share(const graph::SharedMemory& pair) {
    const GraphValue& input = values_.inputs()[pair.input];
    const GraphValue& output = outputs_[pair.output];
    const Origin& origin = values_.OriginOf(output);
    const auto reader = last_reader_.find(input.id);
    const bool is_read_later = origin.kind != Origin::Kind::kNode ||
                               (reader != last_reader_.end() && reader->second > origin.index);
    if (is_read_later || origin.tensor.total_bytes != input.tensor.total_bytes) {
      return InvalidArgument(
          fmt::format("graph: output {} cannot be written over input '{}', which is read after it",
                      pair.output, model::Printable(values_.input_names()[pair.input])));
    }
    over_[output.id] = input.id;
    return {};
  }

  // The resource of a value, made when it is first asked for.
  size_t ResourceOf(const GraphValue& value) {
    const auto over = over_.find(value.id);
    const uint32_t id = over == over_.end() ? value.id : over->second;
    const auto found = resources_.find(id);
    if (found != resources_.end()) return found->second;
    const Origin& origin = values_.OriginOf({id, {}});
    model::Resource resource = {NameOf(id, origin), origin.tensor.data_type, {}, 0};
    resource.bytes.resize(origin.tensor.total_bytes);
    resource.value_bytes = *Extent(origin.tensor.Sizes(), origin.tensor.Strides()) *
                           ElementSize(origin.tensor.data_type);
    const std::span<const std::byte> contents = graph_.ContentsOf(id);
    std::ranges::copy(std::as_bytes(contents), reinterpret_cast<std::byte*>(resource.bytes.data()));
    model_.resources.push_back(std::move(resource));
    return resources_[id] = model_.resources.size() - 1;
  }

  std::string NameOf(uint32_t id, const Origin& origin) {
    const auto found = names_.find(id);
    if (found != names_.end()) return found->second;
    if (origin.kind == Origin::Kind::kConstant) {
      return Free(fmt::format("constant{}", origin.index));
    }
    return Free(NodeName(origin.index) +
                (origin.output == 0 ? "" : fmt::format("_{}", origin.output)));
  }

  std::string NodeName(size_t node) const {
    std::string name(values_.nodes()[node].arguments->schema().name);
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    for (std::string_view prefix : {"element_wise_", "activation_"}) {
      if (name.starts_with(prefix)) name.erase(0, prefix.size());
    }
    return fmt::format("{}.{}", name, node);
  }

  std::string Free(std::string name) {
    while (!taken_.insert(name).second) name += '_';
    return name;
  }

  void AddDispatch(size_t n) {
    const Values::Node& node = values_.nodes()[n];
    model::Dispatch dispatch = {model_.dispatchables.size(), {}};
    const auto bind = [&](const std::vector<size_t>& numbers,
                          const std::vector<GraphValue>& values) {
      for (size_t i = 0; i < numbers.size(); ++i) {
        if (!values[i].present()) continue;
        dispatch.bindings.push_back({numbers[i], {.resource = ResourceOf(values[i])}});
      }
    };
    bind(node.arguments->inputs(), node.inputs);
    bind(node.arguments->outputs(), node.outputs);
    model_.dispatchables.push_back({NodeName(n), *node.arguments, 0, {}});
    model_.commands.emplace_back(std::move(dispatch));
  }

  const NamedGraph& graph_;
  Values values_;  // with the copies of outputs
  GradientWriter write_{values_};
  std::span<const graph::SharedMemory> shared_;
  std::vector<GraphValue> outputs_;
  std::map<uint32_t, std::string> names_;   // by the value's id
  std::map<uint32_t, size_t> last_reader_;  // likewise: a live node, or 0 for an output alone
  std::set<std::string, std::less<>> taken_;
  std::map<uint32_t, uint32_t> over_;     // a value that lies over another
  std::map<uint32_t, size_t> resources_;  // by the value's id
  model::Model model_;
};

}  // namespace

Result<NamedGraph> GraphOf(const model::Model& model) { return GraphReader(model).Read(); }

Result<model::Model> ModelOf(const NamedGraph& graph, std::span<const anydml_value> outputs,
                             std::span<const graph::SharedMemory> shared) {
  for (anydml_value output : outputs) {
    Result<GraphValue> value = graph.Find(output, "the output");
    if (!value.ok()) return value.error();
  }
  return ModelMaker(graph, outputs, shared).Make();
}

}  // namespace anydml::c_api
