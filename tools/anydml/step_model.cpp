// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "step_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/escaped.h"
#include "base/sha256.h"
#include "c_api/graph_model.h"

namespace anydml::tool {
namespace {

using c_api::NamedGraph;

// Two resources of one name are told when the graph is made.
std::string NextName(const std::string& name) { return name + " of the next step"; }

bool IsWritten(const model::Model& model, const model::Dispatch& dispatch, size_t tensor) {
  const schema::Arguments& arguments = model.dispatchables[dispatch.dispatchable].arguments;
  return arguments.schema().fields[arguments.FieldOf(tensor)].is_output();
}

// Gives what is written over a resource that was read one of its own, which later dispatches
// read. Returns the resources that this happened to.
std::vector<std::string> SeparateUpdates(model::Model& model) {
  std::vector<bool> is_read(model.resources.size(), false);
  std::map<size_t, size_t> next;
  std::vector<std::string> updated;
  for (model::Command& command : model.commands) {
    auto* dispatch = std::get_if<model::Dispatch>(&command);
    if (dispatch == nullptr) continue;
    for (model::Binding& binding : dispatch->bindings) {
      size_t& resource = binding.source.resource;
      if (IsWritten(model, *dispatch, binding.tensor)) continue;
      if (const auto found = next.find(resource); found != next.end()) {
        resource = found->second;
      } else {
        is_read[resource] = true;
      }
    }
    for (model::Binding& binding : dispatch->bindings) {
      size_t& resource = binding.source.resource;
      if (!IsWritten(model, *dispatch, binding.tensor) || !is_read[resource]) continue;
      const auto [entry, is_new] = next.emplace(resource, model.resources.size());
      if (is_new) {
        updated.push_back(model.resources[resource].name);
        model::Resource copy = model.resources[resource];
        copy.name = NextName(copy.name);
        model.resources.push_back(std::move(copy));
        is_read.push_back(false);
      }
      resource = entry->second;
    }
  }
  return updated;
}

class Maker {
 public:
  Maker(const model::Model& model, NamedGraph graph) : model_(model), graph_(std::move(graph)) {}

  Result<StepModel> Make(const std::vector<std::string>& updated) {
    if (updated.empty()) {
      return InvalidArgument(
          "no resource is written over, so that nothing is trained; `anydml grad --update` writes "
          "such models");
    }
    Status status = FindLoss();
    for (size_t i = 0; i < updated.size() && status.ok(); ++i) status = Keep(updated[i]);
    if (!status.ok()) return status.error();
    for (uint32_t i = 0; i < graph_.values.inputs().size(); ++i) {
      made_.contents[i] = graph_.contents[graph_.values.inputs()[i].id];
    }
    made_.step.graph = std::move(graph_.values);
    return std::move(made_);
  }

 private:
  const GraphValue* Find(const std::string& name) const {
    const auto found = graph_.by_name.find(name);
    return found == graph_.by_name.end() ? nullptr : &graph_.handles[found->second - 1];
  }

  Status FindLoss() {
    for (const model::Command& command : model_.commands) {
      const auto* print = std::get_if<model::Print>(&command);
      if (print == nullptr) continue;
      const std::string& name = model_.resources[print->resource].name;
      const GraphValue* value = Find(name);
      if (value != nullptr && value->tensor.data_type == DataType::kFloat32 &&
          value->tensor.ElementCount() == 1) {
        made_.step.loss = *value;
        return {};
      }
      return InvalidArgument(fmt::format(
          "'{}', which is printed first, must be the loss: one FLOAT32 element that a dispatch "
          "writes",
          Escaped(name)));
    }
    return InvalidArgument("no command prints the loss");
  }

  Status Keep(const std::string& name) {
    Status status = train::CheckKeptName(name);
    if (!status.ok()) return status;
    const GraphValue* input = Find(name);
    const GraphValue* next = Find(NextName(name));
    const auto& origin = graph_.values.OriginOf(*input);
    if (origin.kind != graph::Values::Origin::Kind::kInput) {
      return InvalidArgument(fmt::format("'{}' is written twice", Escaped(name)));
    }
    made_.step.kept.push_back(
        {name, train::Kept::Kind::kParameter, input->tensor, origin.index, *next, {}});
    return {};
  }

  const model::Model& model_;
  NamedGraph graph_;
  StepModel made_;
};

}  // namespace

Result<StepModel> MakeStepModel(model::Model model, std::span<const std::byte> text) {
  const std::vector<std::string> updated = SeparateUpdates(model);
  Result<NamedGraph> graph = c_api::GraphOf(model);
  if (!graph.ok()) return graph.error();
  Result<StepModel> made = Maker(model, std::move(graph).value()).Make(updated);
  if (!made.ok()) return made.error();
  Sha256 hash;
  hash.Add(text);
  for (const auto& [input, bytes] : made.value().contents) hash.Add(bytes);
  made.value().hash = hash.Text();
  return made;
}

}  // namespace anydml::tool
