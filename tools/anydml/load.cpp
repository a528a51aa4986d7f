// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "load.h"

#include <fmt/format.h>

#include "console.h"
#include "model/paths.h"
#include "model/place.h"
#include "operators/registry.h"
#include "schema/problems.h"

namespace anydml::tool {
namespace {

constexpr uint64_t kMostModelBytes = uint64_t{1} << 30;

}  // namespace

LoadedModel LoadModel(const std::string& path, const std::string& input_path) {
  LoadedModel loaded;
  Result<std::vector<uint8_t>> text = model::ReadFile(path, kMostModelBytes);
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

void PrintProblems(const std::string& path, const std::vector<Error>& problems) {
  for (const Error& problem : problems) {
    Complain("{}: {}", path, problem.message);
  }
}

Error InCommand(size_t index, const Error& error) {
  return {error.code, fmt::format("commands[{}]: {}", index, error.message)};
}

FeatureLevel LevelOf(const std::string& option) {
  return ParseFeatureLevel(option).value_or(kNewestFeatureLevel);
}

}  // namespace anydml::tool
