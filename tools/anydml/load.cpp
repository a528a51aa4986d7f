// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "load.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "console.h"
#include "model/paths.h"
#include "model/place.h"
#include "onnx.h"
#include "operators/registry.h"
#include "output_file.h"
#include "schema/problems.h"

namespace anydml::tool {
namespace {

constexpr uint64_t kMaxModelBytes = uint64_t{1} << 30;
constexpr std::string_view kStandardInput = "-";

// A tensor bound to values that were declared as of another type, which it takes as bits.
void WarnOfTypes(const model::Model& model, const schema::Arguments& arguments,
                 const std::vector<model::Binding>& bindings, const std::string& place,
                 std::vector<std::string>& warnings) {
  for (const model::Binding& binding : bindings) {
    const model::Resource& resource = model.resources[binding.source.resource];
    const DataType type = arguments.tensor(binding.tensor).data_type;
    if (resource.data_type == type || resource.data_type == DataType::kUnknown) continue;
    warnings.push_back(fmt::format(
        "{}.bindings.{}: {} is declared {} and the tensor is {}: its bits are taken as they are",
        place, arguments.TensorName(binding.tensor), model::Quoted(resource.name),
        DataTypeName(resource.data_type), DataTypeName(type)));
  }
}

// Of a model that was read without problems.
void PrintWarnings(const std::string& path, const model::Model& model) {
  std::vector<std::string> warnings;
  for (const model::Dispatchable& dispatchable : model.dispatchables) {
    WarnOfTypes(model, dispatchable.arguments, dispatchable.initialization_bindings,
                "dispatchables." + model::Printable(dispatchable.name), warnings);
  }
  for (size_t i = 0; i < model.commands.size(); ++i) {
    const auto* dispatch = std::get_if<model::Dispatch>(&model.commands[i]);
    if (dispatch == nullptr) continue;
    WarnOfTypes(model, model.dispatchables[dispatch->dispatchable].arguments, dispatch->bindings,
                fmt::format("commands[{}]", i), warnings);
  }
  for (size_t i = 0; i < std::min(warnings.size(), model::kMaxProblems); ++i) {
    Complain("{}: warning: {}", NameOf(path), warnings[i]);
  }
  if (warnings.size() > model::kMaxProblems) {
    Complain("{}: warning: there are more warnings than these", NameOf(path));
  }
}

// As a model in JSON, whose files are read before they go.
LoadedModel LoadOnnx(const std::string& path, const std::string& output) {
  ConvertedModel converted;
  const Status status = converted.Convert(path);
  if (!status.ok()) {
    LoadedModel none;
    none.problems.push_back(status.error());
    return none;
  }
  LoadedModel loaded = LoadModel(converted.path(), {}, output);
  loaded.inputs = {path};
  return loaded;
}

}  // namespace

LoadedModel LoadModel(const std::string& path, const std::string& input_path,
                      const std::string& output) {
  if (IsOnnx(path)) return LoadOnnx(path, output);
  LoadedModel loaded;
  Result<std::vector<uint8_t>> text = path == kStandardInput
                                          ? model::ReadStream(STDIN_FILENO, kMaxModelBytes)
                                          : model::ReadFile(path, kMaxModelBytes);
  if (!text.ok()) {
    loaded.problems.push_back(text.error());
    return loaded;
  }
  model::ReadOptions options;
  options.input_path = input_path.empty() ? std::filesystem::path(path).parent_path()
                                          : std::filesystem::path(input_path);
  if (options.input_path.empty()) options.input_path = ".";
  options.find_schema = FindSchema;
  const std::string_view view(reinterpret_cast<const char*>(text.value().data()),
                              text.value().size());
  loaded.model = model::ReadModel(view, options, loaded.problems);
  if (!loaded.problems.empty()) return loaded;
  loaded.inputs = loaded.model.files;
  loaded.inputs.emplace_back(path == kStandardInput ? "/dev/stdin" : path);
  const Status status = CheckReplacesNone(output, loaded.inputs);
  if (!status.ok()) {
    loaded.problems.push_back(
        InvalidArgument(fmt::format("'{}' {}", output, status.error().message)));
  }
  PrintWarnings(path, loaded.model);
  return loaded;
}

std::vector<Error> FindProblems(const model::Model& model, FeatureLevel level) {
  std::vector<Error> all;
  for (const model::Dispatchable& dispatchable : model.dispatchables) {
    for (Error& problem : schema::FindProblems(dispatchable.arguments, level)) {
      problem.message =
          fmt::format("dispatchables.{}: {}", model::Printable(dispatchable.name), problem.message);
      all.push_back(std::move(problem));
    }
  }
  return all;
}

std::string_view NameOf(const std::string& path) {
  return path == kStandardInput ? "standard input" : std::string_view(path);
}

void PrintProblems(const std::string& path, const std::vector<Error>& problems) {
  for (const Error& problem : problems) {
    Complain("{}: {}", NameOf(path), problem.message);
  }
}

Error InCommand(size_t index, const Error& error) {
  return {error.code, fmt::format("commands[{}]: {}", index, error.message)};
}

FeatureLevel LevelOf(const std::string& option) {
  return ParseFeatureLevel(option).value_or(kNewestFeatureLevel);
}

}  // namespace anydml::tool
