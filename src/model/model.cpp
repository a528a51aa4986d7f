// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/model.h"

#include <nlohmann/json.hpp>

#include "base/float_environment.h"
#include "model/commands.h"
#include "model/members.h"

namespace anydml::model {
namespace {

constexpr std::string_view kExecutionFlags[] = {"NONE", "ALLOW_HALF_PRECISION_COMPUTATION",
                                                "DISABLE_META_COMMANDS", "DESCRIPTORS_VOLATILE"};

// DxDispatch's other kinds of dispatchable; it ignores case.
bool IsForeign(const Json& dispatchable, const Place& place) {
  const Json* type = FindMember(dispatchable, "type");
  const auto* name = type == nullptr ? nullptr : type->get_ptr<const std::string*>();
  if (name == nullptr) return false;
  for (std::string_view foreign : {"hlsl", "onnx", "dmlSerializedGraph"}) {
    if (!EqualsIgnoringCase(*name, foreign)) continue;
    place.Member("type").RefuseUnsupported(*type, "is not supported: only DirectML operators are");
    return true;
  }
  return false;
}

// An operator is compiled as a graph of one node in either case.
void CheckCompileType(const Json& dispatchable, const Place& place) {
  const Json* value = FindMember(dispatchable, "dmlCompileType");
  if (value == nullptr || *value == "DmlCompileOp" || *value == "DmlCompileGraph") return;
  place.Member("dmlCompileType")
      .Refuse(*value, "must be \"DmlCompileOp\" or \"DmlCompileGraph\"");
}

std::optional<Dispatchable> ReadDispatchable(const std::string& name, const Json& value,
                                             FindSchema find_schema, const ResourceTable& resources,
                                             const Place& place) {
  if (IsForeign(value, place)) return std::nullopt;
  std::optional<schema::Arguments> arguments = ReadDescription(value, find_schema, place);
  CheckCompileType(value, place);
  uint32_t flags = 0;
  if (const Json* given = FindMember(value, "executionFlags")) {
    flags =
        ReadFlags(*given, "DML_EXECUTION_FLAG_", kExecutionFlags, place.Member("executionFlags"))
            .value_or(0);
  }
  if (!arguments) return std::nullopt;
  std::vector<Binding> bindings =
      ReadBindings(FindMember(value, "bindings"), *arguments, BindingTime::kInitialization,
                   resources, place.Member("bindings"));
  return Dispatchable{name, *std::move(arguments), flags, std::move(bindings)};
}

class ModelReader {
 public:
  ModelReader(const Json& root, const ReadOptions& options, const Place& place)
      : root_(root),
        options_(options),
        place_(place),
        values_{options.input_path, options.max_resource_bytes} {}

  Model Read() {
    if (!root_.is_object()) {
      place_.Fail("the root must be an object with resources, dispatchables and commands");
      return {};
    }
    ReadResources();
    ReadDispatchables();
    ReadCommands();
    Model model;
    const bool complete = place_.problem_count() == 0;
    for (auto& dispatchable : dispatchables_.dispatchables) {
      if (dispatchable) model.dispatchables.push_back(*std::move(dispatchable));
    }
    if (!complete) return model;
    for (auto& resource : resources_.resources) model.resources.push_back(*std::move(resource));
    model.commands = std::move(commands_);
    model.files = std::move(values_.files);
    return model;
  }

 private:
  const Json::object_t* RequireObject(std::string_view name) const {
    const Json* value = RequireMember(root_, name, place_);
    const bool usable = value != nullptr && CheckObject(*value, place_.Member(name));
    return usable ? value->get_ptr<const Json::object_t*>() : nullptr;
  }

  void ReadResources() {
    const Json::object_t* resources = RequireObject("resources");
    if (resources == nullptr) return;
    for (const auto& member : *resources) {
      resources_.names.Add(member.first);
      resources_.resources.push_back(ReadResource(member.first, member.second, values_,
                                                  place_.Member("resources").Member(member.first)));
    }
  }

  void ReadDispatchables() {
    const Json::object_t* dispatchables = RequireObject("dispatchables");
    if (dispatchables == nullptr) return;
    for (const auto& member : *dispatchables) {
      dispatchables_.names.Add(member.first);
      dispatchables_.dispatchables.push_back(
          ReadDispatchable(member.first, member.second, options_.find_schema, resources_,
                           place_.Member("dispatchables").Member(member.first)));
    }
  }

  void ReadCommands() {
    const Json* commands = RequireMember(root_, "commands", place_);
    const Place place = place_.Member("commands");
    if (commands == nullptr || !CheckArray(*commands, place)) return;
    for (size_t i = 0; i < commands->size(); ++i) {
      auto command = ReadCommand((*commands)[i], resources_, dispatchables_, place.Entry(i));
      if (command) commands_.push_back(*std::move(command));
    }
  }

  const Json& root_;
  const ReadOptions& options_;
  const Place& place_;
  ValueOptions values_;
  ResourceTable resources_;
  DispatchableTable dispatchables_;
  std::vector<Command> commands_;
};

}  // namespace

Model ReadModel(std::string_view text, const ReadOptions& options,
                std::vector<Error>& problems) try {
  const ScopedDefaultFloatEnvironment guard;  // numbers round one way
  Result<Json> root = ParseJson(text);
  const DismantleAtEnd dismantle(root);
  if (!root.ok()) {
    problems.push_back(root.error());
    return {};
  }
  ProblemList list{problems};
  const Place place(list);
  return ModelReader(root.value(), options, place).Read();
} catch (const std::bad_alloc&) {
  problems.push_back(OutOfMemoryNow("the model does not fit into memory"));
  return {};
} catch (const std::exception& error) {
  problems.push_back({ErrorCode::kInternal, error.what()});
  return {};
}

}  // namespace anydml::model
