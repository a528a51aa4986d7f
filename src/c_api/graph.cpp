// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The functions of anydml.h that make graphs, differentiate them and compile them.
#include "c_api/graph.h"

#include <directml.h>
#include <fmt/format.h>

#include "base/escaped.h"
#include "c_api/graph_model.h"
#include "c_api/last_error.h"
#include "c_api/operator.h"
#include "c_api/sized_struct.h"
#include "c_api/tensor_info.h"
#include "gradient/differentiate.h"
#include "model/description.h"
#include "model/write.h"
#include "operators/registry.h"
#include "schema/interpreter.h"
#include "schema/tensor_bytes.h"

namespace anydml::c_api {

Result<GraphValue> NamedGraph::Find(anydml_value value, std::string_view what) const {
  if (value != 0 && value <= handles.size()) return handles[value - 1];
  return InvalidArgument(fmt::format("graph: {} = {} must be a value of this graph, 1 to {}", what,
                                     value, handles.size()));
}

std::span<const std::byte> NamedGraph::ContentsOf(uint32_t id) const {
  if (!values.Has({id, {}})) return {};  // a copy that is written with a model
  const graph::Values::Origin& origin = values.OriginOf({id, {}});
  if (origin.kind == graph::Values::Origin::Kind::kConstant) {
    return values.ConstantBytes(origin.index);
  }
  const auto found = contents.find(id);
  return found == contents.end() ? std::span<const std::byte>() : found->second;
}

Status NamedGraph::SetName(anydml_value value, std::string_view name) {
  if (name.empty()) return InvalidArgument("graph: a name must not be empty");
  const auto found = by_name.find(name);
  if (found != by_name.end()) {
    if (found->second == value) return {};
    return InvalidArgument(
        fmt::format("graph: there is a value '{}' already", Escaped(std::string(name))));
  }
  // What may run out of memory comes before anything changes.
  const std::string*& own = names[value];
  texts.emplace_back(name);
  values.SetName(handles[value - 1], texts.back());
  by_name.emplace(name, value);
  if (own != nullptr) by_name.erase(*own);
  own = &texts.back();
  return {};
}

Result<anydml_value> NamedGraph::AddInput(std::string_view name, const TensorDesc& tensor) {
  if (by_name.contains(name)) {
    return InvalidArgument(
        fmt::format("graph: there is a value '{}' already", Escaped(std::string(name))));
  }
  Result<GraphValue> value = values.Input(std::string(name), tensor);
  if (!value.ok()) return value.error();
  const anydml_value handle = NewHandle(value.value());
  Status status = SetName(handle, name);
  if (!status.ok()) return status.error();
  return handle;
}

namespace {

Status CheckGraph(const anydml_graph* graph) {
  if (graph == nullptr) return InvalidArgument("the graph must not be null");
  return {};
}

Status CheckResult(const anydml_graph* graph, anydml_value* result) {
  if (result == nullptr) return InvalidArgument("the result pointer must not be null");
  *result = 0;
  return CheckGraph(graph);
}

Result<TensorDesc> ReadTensor(uint32_t data_type, uint32_t dimension_count, const uint32_t* sizes) {
  if (sizes == nullptr) return InvalidArgument("sizes must not be null");
  const auto type = static_cast<DataType>(data_type);
  uint64_t bytes = 0;
  Status status = TensorBytes(type, dimension_count, sizes, nullptr, bytes);
  if (!status.ok()) return status.error();
  return PackedTensor(type, {sizes, dimension_count});
}

// Null for no values. With `may_be_absent` 0 stands for no value.
Result<std::vector<GraphValue>> ReadValues(const NamedGraph& graph, std::string_view what,
                                           uint32_t count, const anydml_value* given,
                                           bool may_be_absent = false) {
  if (given == nullptr && count != 0) {
    return InvalidArgument(fmt::format("the array of {}s must not be null", what));
  }
  std::vector<GraphValue> values;
  for (uint32_t i = 0; i < count; ++i) {
    if (may_be_absent && given[i] == 0) {
      values.emplace_back();
      continue;
    }
    Result<GraphValue> value = graph.Find(given[i], fmt::format("{} {}", what, i));
    if (!value.ok()) return value.error();
    values.push_back(value.value());
  }
  return values;
}

std::vector<TensorDesc> TensorsOf(std::span<const GraphValue> values) {
  std::vector<TensorDesc> tensors;
  for (const GraphValue& value : values) tensors.push_back(value.tensor);
  return tensors;
}

// Adds an operator that `read` describes for the tensors that it is given.
template <typename Read>
Status AddOperator(NamedGraph& graph, uint32_t input_count, const anydml_value* given,
                   uint32_t output_count, anydml_value* outputs, const Read& read) {
  if (outputs == nullptr && output_count != 0) {
    return InvalidArgument("the array of outputs must not be null");
  }
  // First: the arrays may be one.
  Result<std::vector<GraphValue>> inputs =
      ReadValues(graph, "input", input_count, given, /*may_be_absent=*/true);
  std::fill_n(outputs, output_count, 0);
  if (!inputs.ok()) return inputs.error();
  Result<schema::Arguments> arguments = read(TensorsOf(inputs.value()));
  if (!arguments.ok()) return arguments.error();
  const size_t written = arguments.value().outputs().size();
  if (output_count > written && written != 0) {
    return arguments.value().Fail(fmt::format("has {} outputs, not {}", written, output_count));
  }
  Result<std::vector<GraphValue>> values =
      graph.values.Add(std::move(arguments).value(), inputs.value());
  if (!values.ok()) return values.error();
  for (uint32_t i = 0; i < output_count && i < values.value().size(); ++i) {
    outputs[i] = graph.NewHandle(values.value()[i]);
  }
  return {};
}

Result<schema::Arguments> ReadSettings(const char* json, std::span<const TensorDesc> inputs) {
  if (json == nullptr) return InvalidArgument("the JSON text must not be null");
  model::Problems problems;
  std::optional<schema::Arguments> arguments =
      model::ReadSettings(json, FindSchema, inputs, problems);
  if (!problems.empty()) return problems.front();
  return *std::move(arguments);
}

Result<schema::Arguments> ReadStruct(const DML_OPERATOR_DESC* desc,
                                     std::span<const TensorDesc> inputs) {
  Result<const Definition*> definition = FindDefinition(desc);
  if (!definition.ok()) return definition.error();
  return schema::ReadDescription(*definition.value()->schema, desc->Desc, inputs,
                                 kNewestFeatureLevel);
}

Status AddGradients(NamedGraph& graph, anydml_value loss, uint32_t count, const anydml_value* of,
                    anydml_value* gradients) {
  if (gradients == nullptr && count != 0) {
    return InvalidArgument("the array of gradients must not be null");
  }
  Result<std::vector<GraphValue>> values = ReadValues(graph, "value", count, of);
  std::fill_n(gradients, count, 0);
  Result<GraphValue> of_what = graph.Find(loss, "the loss");
  if (!of_what.ok()) return of_what.error();
  if (!values.ok()) return values.error();
  Result<std::vector<GraphValue>> added =
      gradient::Differentiate(graph.values, of_what.value(), values.value());
  if (!added.ok()) return added.error();
  for (uint32_t i = 0; i < count; ++i) gradients[i] = graph.NewHandle(added.value()[i]);
  return {};
}

Status Compile(const anydml_device& device, const NamedGraph& graph, uint32_t output_count,
               const anydml_value* given, uint32_t shared_count,
               const anydml_shared_memory* given_shared, anydml_operator** op) {
  if (given_shared == nullptr && shared_count != 0) {
    return InvalidArgument("the array of shared memory must not be null");
  }
  Result<std::vector<GraphValue>> outputs = ReadValues(graph, "output", output_count, given);
  if (!outputs.ok()) return outputs.error();
  std::vector<std::string> names;
  for (uint32_t i = 0; i < output_count; ++i) {
    const std::string_view name = graph.NameOf(given[i]);
    names.push_back(name.empty() ? fmt::format("output {}", i) : std::string(name));
  }
  std::vector<graph::SharedMemory> shared;
  for (uint32_t i = 0; i < shared_count; ++i) {
    shared.push_back({given_shared[i].output, given_shared[i].input});
  }
  Result<std::shared_ptr<const CompiledGraph>> compiled =
      CompileGraph(graph.values, outputs.value(), std::move(names), shared, *device.device);
  if (!compiled.ok()) return compiled.error();
  *op = new anydml_operator{BoundOperator(device.device, std::move(compiled).value())};
  return {};
}

Status WriteJson(NamedGraph& graph, uint32_t output_count, const anydml_value* outputs,
                 const char** json) {
  if (outputs == nullptr && output_count != 0) {
    return InvalidArgument("the array of outputs must not be null");
  }
  Result<model::Model> model = ModelOf(graph, {outputs, output_count});
  if (!model.ok()) return model.error();
  graph.text = model::WriteModel(model.value());
  *json = graph.text.c_str();
  return {};
}

Result<NamedGraph> ReadJson(const char* json, const char* folder) {
  model::ReadOptions options;
  options.input_path = folder == nullptr ? "." : folder;
  options.find_schema = FindSchema;
  std::vector<Error> problems;
  const model::Model model = model::ReadModel(json, options, problems);
  if (!problems.empty()) return problems.front();
  return GraphOf(model);
}

}  // namespace
}  // namespace anydml::c_api

using anydml::InvalidArgument;
using anydml::Result;
using anydml::Status;
using namespace anydml::c_api;  // NOLINT: this file implements its public face

anydml_status anydml_graph_create(anydml_graph** graph) {
  return Guard([&]() -> Status {
    if (graph == nullptr) return InvalidArgument("the result pointer must not be null");
    *graph = nullptr;
    *graph = new anydml_graph();
    return {};
  });
}

void anydml_graph_release(anydml_graph* graph) {
  GuardRelease([graph] { delete graph; });
}

anydml_status anydml_graph_input(anydml_graph* graph, const char* name, uint32_t data_type,
                                 uint32_t dimension_count, const uint32_t* sizes,
                                 anydml_value* value) {
  return Guard([&]() -> Status {
    Status status = CheckResult(graph, value);
    if (!status.ok()) return status;
    if (name == nullptr) return InvalidArgument("the input's name must not be null");
    Result<anydml::TensorDesc> tensor = ReadTensor(data_type, dimension_count, sizes);
    if (!tensor.ok()) return tensor.error();
    Result<anydml_value> added = graph->graph.AddInput(name, tensor.value());
    if (!added.ok()) return added.error();
    *value = added.value();
    return {};
  });
}

anydml_status anydml_graph_constant(anydml_graph* graph, uint32_t data_type,
                                    uint32_t dimension_count, const uint32_t* sizes,
                                    const void* data, anydml_value* value) {
  return Guard([&]() -> Status {
    Status status = CheckResult(graph, value);
    if (!status.ok()) return status;
    if (data == nullptr) return InvalidArgument("the constant's data must not be null");
    Result<anydml::TensorDesc> tensor = ReadTensor(data_type, dimension_count, sizes);
    if (!tensor.ok()) return tensor.error();
    // A tensor's bytes are a multiple of four; those of the elements may be fewer.
    std::vector<std::byte> bytes(tensor.value().total_bytes);
    std::memcpy(bytes.data(), data,
                tensor.value().ElementCount() * ElementSize(tensor.value().data_type));
    Result<anydml::GraphValue> added = graph->graph.values.Constant(bytes, tensor.value());
    if (!added.ok()) return added.error();
    *value = graph->graph.NewHandle(added.value());
    return {};
  });
}

anydml_status anydml_graph_operator(anydml_graph* graph, const char* json, uint32_t input_count,
                                    const anydml_value* inputs, uint32_t output_count,
                                    anydml_value* outputs) {
  return Guard([&]() -> Status {
    Status status = CheckGraph(graph);
    if (!status.ok()) return status;
    return AddOperator(
        graph->graph, input_count, inputs, output_count, outputs,
        [&](std::span<const anydml::TensorDesc> tensors) { return ReadSettings(json, tensors); });
  });
}

anydml_status anydml_graph_operator_from_desc(anydml_graph* graph, const DML_OPERATOR_DESC* desc,
                                              uint32_t input_count, const anydml_value* inputs,
                                              uint32_t output_count, anydml_value* outputs) {
  return Guard([&]() -> Status {
    Status status = CheckGraph(graph);
    if (!status.ok()) return status;
    return AddOperator(
        graph->graph, input_count, inputs, output_count, outputs,
        [&](std::span<const anydml::TensorDesc> tensors) { return ReadStruct(desc, tensors); });
  });
}

anydml_status anydml_graph_view(anydml_graph* graph, anydml_value value, uint32_t dimension_count,
                                const uint32_t* sizes, const uint32_t* strides,
                                anydml_value* view) {
  return Guard([&]() -> Status {
    Status status = CheckResult(graph, view);
    if (!status.ok()) return status;
    if (sizes == nullptr || strides == nullptr) {
      return InvalidArgument("sizes and strides must not be null");
    }
    Result<anydml::GraphValue> whole = graph->graph.Find(value, "the value");
    if (!whole.ok()) return whole.error();
    Result<anydml::GraphValue> added = graph->graph.values.View(
        whole.value(), {sizes, dimension_count}, {strides, dimension_count});
    if (!added.ok()) return added.error();
    *view = graph->graph.NewHandle(added.value());
    return {};
  });
}

anydml_status anydml_graph_value_info(const anydml_graph* graph, anydml_value value,
                                      anydml_tensor_info* info) {
  return Guard([&]() -> Status {
    Status status = CheckGraph(graph);
    if (!status.ok()) return status;
    Result<anydml::GraphValue> found = graph->graph.Find(value, "the value");
    if (!found.ok()) return found.error();
    const std::string_view name = graph->graph.NameOf(value);
    return CopyOut(InfoOf(found.value().tensor, name.empty() ? "" : name.data(), false),
                   "anydml_tensor_info", info);
  });
}

anydml_status anydml_graph_set_name(anydml_graph* graph, anydml_value value, const char* name) {
  return Guard([&]() -> Status {
    Status status = CheckGraph(graph);
    if (!status.ok()) return status;
    if (name == nullptr) return InvalidArgument("the name must not be null");
    Result<anydml::GraphValue> found = graph->graph.Find(value, "the value");
    if (!found.ok()) return found.error();
    if (graph->graph.values.OriginOf(found.value()).kind ==
        anydml::graph::Values::Origin::Kind::kInput) {
      return InvalidArgument("graph: an input keeps its name");
    }
    return graph->graph.SetName(value, name);
  });
}

anydml_status anydml_graph_find(const anydml_graph* graph, const char* name, anydml_value* value) {
  return Guard([&]() -> Status {
    Status status = CheckResult(graph, value);
    if (!status.ok()) return status;
    if (name == nullptr) return InvalidArgument("the name must not be null");
    const auto found = graph->graph.by_name.find(name);
    if (found != graph->graph.by_name.end()) *value = found->second;
    return {};
  });
}

anydml_status anydml_graph_gradients(anydml_graph* graph, anydml_value loss, uint32_t count,
                                     const anydml_value* of, anydml_value* gradients) {
  return Guard([&]() -> Status {
    Status status = CheckGraph(graph);
    return status.ok() ? AddGradients(graph->graph, loss, count, of, gradients) : status;
  });
}

anydml_status anydml_graph_compile(anydml_device* device, const anydml_graph* graph,
                                   uint32_t output_count, const anydml_value* outputs,
                                   uint32_t shared_count, const anydml_shared_memory* shared,
                                   anydml_operator** op) {
  return Guard([&]() -> Status {
    if (op == nullptr) return InvalidArgument("the result pointer must not be null");
    *op = nullptr;
    if (device == nullptr) return InvalidArgument("the device must not be null");
    Status status = CheckGraph(graph);
    if (status.ok()) status = device->device->CheckFork();
    if (!status.ok()) return status;
    return Compile(*device, graph->graph, output_count, outputs, shared_count, shared, op);
  });
}

anydml_status anydml_graph_contents(const anydml_graph* graph, anydml_value value,
                                    const void** data, uint64_t* bytes) {
  return Guard([&]() -> Status {
    if (data == nullptr || bytes == nullptr) {
      return InvalidArgument("the result pointers must not be null");
    }
    *data = nullptr;
    *bytes = 0;
    Status status = CheckGraph(graph);
    if (!status.ok()) return status;
    Result<anydml::GraphValue> found = graph->graph.Find(value, "the value");
    if (!found.ok()) return found.error();
    const std::span<const std::byte> contents = graph->graph.ContentsOf(found.value().id);
    *data = contents.data();
    *bytes = contents.size();
    return {};
  });
}

anydml_status anydml_graph_to_json(anydml_graph* graph, uint32_t output_count,
                                   const anydml_value* outputs, const char** json) {
  return Guard([&]() -> Status {
    if (json == nullptr) return InvalidArgument("the result pointer must not be null");
    *json = nullptr;
    Status status = CheckGraph(graph);
    return status.ok() ? WriteJson(graph->graph, output_count, outputs, json) : status;
  });
}

anydml_status anydml_graph_from_json(const char* json, const char* input_path,
                                     anydml_graph** graph) {
  return Guard([&]() -> Status {
    if (graph == nullptr) return InvalidArgument("the result pointer must not be null");
    *graph = nullptr;
    if (json == nullptr) return InvalidArgument("the JSON text must not be null");
    Result<NamedGraph> read = ReadJson(json, input_path);
    if (!read.ok()) return read.error();
    *graph = new anydml_graph{std::move(read).value()};
    return {};
  });
}
