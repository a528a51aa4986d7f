// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// `anydml check`: what is wrong with a model at a feature level, and at which
// level nothing would be.
#include <algorithm>
#include <iterator>
#include <optional>

#include "commands.h"
#include "console.h"
#include "load.h"
#include "prepare.h"
#include "targets.h"

namespace anydml::tool {
namespace {

std::optional<FeatureLevel> LowestValidLevel(const model::Model& model) {
  for (FeatureLevel level : kFeatureLevels) {
    if (FindProblems(model, level).empty()) return level;
  }
  return std::nullopt;
}

// What the bindings of valid descriptions break, such as outputs that overlap
// inputs; the same at every level.
std::vector<Error> FindBindingProblems(model::Model& model, FeatureLevel level) {
  auto device = OpenDevice("cpu", /*threads=*/1, level);
  if (!device.ok()) return {device.error()};
  auto prepared = PrepareAll(model, device.value());
  if (!prepared.ok()) return {prepared.error()};
  std::vector<Error> problems;
  for (size_t i = 0; i < model.commands.size(); ++i) {
    const auto* dispatch = std::get_if<model::Dispatch>(&model.commands[i]);
    if (dispatch == nullptr) continue;
    auto bound = Bind(model, *dispatch, prepared.value()[dispatch->dispatchable]);
    if (!bound.ok()) problems.push_back(InCommand(i, bound.error()));
  }
  return problems;
}

// Says nothing of the model.
bool IsOfMemory(const Error& problem) { return problem.code == ErrorCode::kOutOfMemory; }

}  // namespace

int CheckModel(const CheckOptions& options) {
  LoadedModel loaded = LoadModel(options.model, options.input_path);
  const FeatureLevel level = LevelOf(options.feature_level);
  std::vector<Error> problems = loaded.problems;
  if (problems.empty()) problems = FindTargetProblems(loaded, options.output_path);
  const bool may_be_valid = problems.empty();
  std::ranges::move(FindProblems(loaded.model, level), std::back_inserter(problems));

  std::optional<FeatureLevel> lowest;
  if (may_be_valid) lowest = LowestValidLevel(loaded.model);
  if (lowest) {
    std::vector<Error> of_bindings = FindBindingProblems(loaded.model, *lowest);
    if (!of_bindings.empty()) lowest.reset();
    std::ranges::move(of_bindings, std::back_inserter(problems));
  }
  PrintProblems(options.model, problems);

  const std::string_view name = NameOf(options.model);
  if (problems.empty()) {
    Print("{}: valid at feature level {} (needs {} or above)\n", model::Escaped(name),
          FeatureLevelName(level), FeatureLevelName(lowest.value_or(level)));
    return kSuccess;
  }
  if (lowest) {
    Complain("{}: valid from feature level {} on", name, FeatureLevelName(*lowest));
  } else if (!loaded.model.dispatchables.empty() && !std::ranges::any_of(problems, IsOfMemory)) {
    Complain("{}: valid at no feature level", name);
  }
  return kFailure;
}

}  // namespace anydml::tool
