// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// `anydml grad`: a model with the gradients of one of its values, and with a step of an
// optimizer if asked for.
#include <fmt/format.h>

#include <algorithm>

#include "base/escaped.h"
#include "c_api/graph_model.h"
#include "commands.h"
#include "console.h"
#include "for_directml.h"
#include "gradient/differentiate.h"
#include "load.h"
#include "model/nearest.h"
#include "model/write.h"
#include "output_file.h"
#include "train/step_graph.h"

namespace anydml::tool {
namespace {

using c_api::NamedGraph;

class Differentiation {
 public:
  Differentiation(NamedGraph graph, const GradOptions& options)
      : graph_(std::move(graph)), options_(options) {}

  Result<model::Model> Run() {
    Status status = FindNames();
    if (status.ok()) status = options_.update ? AddStep() : AddGradients();
    if (!status.ok()) return status.error();
    return ModelOf(graph_, outputs_, shared_);
  }

 private:
  Result<anydml_value> Find(std::string_view option, const std::string& name) const {
    const auto found = graph_.by_name.find(name);
    if (found != graph_.by_name.end()) return found->second;
    std::vector<std::string_view> names;
    for (const auto& [known, handle] : graph_.by_name) names.push_back(known);
    return InvalidArgument(fmt::format("{}: '{}' is no resource that a dispatch reads or writes{}",
                                       option, Escaped(name),
                                       Escaped(model::Suggest(name, names))));
  }
  const GraphValue& ValueOf(anydml_value handle) const { return graph_.handles[handle - 1]; }

  Status FindNames() {
    Result<anydml_value> loss = Find("--loss", options_.loss);
    if (!loss.ok()) return loss.error();
    outputs_.push_back(loss.value());
    loss_ = ValueOf(loss.value());
    for (const std::string& name : options_.of) {
      Result<anydml_value> handle = Find("--of", name);
      if (!handle.ok()) return handle.error();
      if (std::ranges::count(options_.of, name) != 1) {
        return InvalidArgument(fmt::format("--of: '{}' is named twice", Escaped(name)));
      }
      of_.push_back(ValueOf(handle.value()));
    }
    return {};
  }

  Status AddGradients() {
    Result<std::vector<GraphValue>> gradients = gradient::Differentiate(graph_.values, loss_, of_);
    return gradients.ok() ? AddOutputs(gradients.value()) : gradients.error();
  }

  Status AddOutputs(const std::vector<GraphValue>& gradients) {
    Status status;
    for (size_t i = 0; i < gradients.size() && status.ok(); ++i) {
      outputs_.push_back(graph_.NewHandle(gradients[i]));
      status = graph_.SetName(outputs_.back(), "d." + options_.of[i]);
    }
    return status;
  }

  // The step of a trainer. What it keeps is written over itself, so that a program which
  // executes the model again and again trains.
  Status AddStep() {
    Status status = train::CheckOptimizer(*options_.update);
    if (!status.ok()) return status;
    train::Model model = {graph_.values, loss_, {}, {}};
    for (size_t i = 0; i < of_.size(); ++i) {
      using Kind = graph::Values::Origin::Kind;
      if (graph_.values.OriginOf(of_[i]).kind != Kind::kInput) {
        return InvalidArgument(
            fmt::format("--update: '{}' is written by a dispatch, and what is "
                        "updated must be given to the model",
                        Escaped(options_.of[i])));
      }
      model.parameters.push_back({of_[i], {}});
    }
    Result<train::StepGraph> made = train::MakeStepGraph(model, *options_.update);
    if (!made.ok()) return made.error();
    train::StepGraph& step = made.value();
    const size_t first_new = graph_.values.inputs().size();
    graph_.values = std::move(step.graph);
    for (size_t i = first_new; i < graph_.values.inputs().size() && status.ok(); ++i) {
      const anydml_value handle = graph_.NewHandle(graph_.values.inputs()[i]);
      status = graph_.SetName(handle, std::string(graph_.values.input_names()[i]));
    }
    if (step.learning_rate) {
      const auto rate = std::as_bytes(std::span(&options_.update->learning_rate, 1));
      graph_.contents[graph_.values.inputs()[*step.learning_rate].id] = {rate.begin(), rate.end()};
    }
    if (status.ok()) status = AddOutputs(step.gradients);
    for (const train::Kept& kept : step.kept) {
      shared_.push_back({static_cast<uint32_t>(outputs_.size()), kept.input});
      outputs_.push_back(graph_.NewHandle(kept.next));
    }
    return status;
  }

  NamedGraph graph_;
  const GradOptions& options_;
  GraphValue loss_;
  std::vector<GraphValue> of_;
  std::vector<anydml_value> outputs_;
  std::vector<graph::SharedMemory> shared_;
};

Result<std::string> Differentiate(const model::Model& model, const GradOptions& options) {
  Result<NamedGraph> graph = c_api::GraphOf(model);
  if (!graph.ok()) return graph.error();
  Result<model::Model> differentiated = Differentiation(std::move(graph).value(), options).Run();
  if (!differentiated.ok()) return differentiated.error();
  if (!options.runner.empty()) {
    const FeatureLevel level = LevelOf(options.feature_level);
    Status status = WriteForDirectMl(level, differentiated.value());
    if (!status.ok()) return status.error();
    const std::vector<Error> problems = FindProblems(differentiated.value(), level);
    if (!problems.empty()) return problems.front();
  }
  return model::WriteModel(differentiated.value());
}

}  // namespace

int DifferentiateModel(const GradOptions& options) {
  LoadedModel loaded = LoadModel(options.model, options.input_path, options.output);
  for (Error& problem : FindProblems(loaded.model, kNewestFeatureLevel)) {
    loaded.problems.push_back(std::move(problem));
  }
  PrintProblems(options.model, loaded.problems);
  if (!loaded.problems.empty()) return kFailure;
  const Result<std::string> text = Differentiate(loaded.model, options);
  if (!text.ok()) {
    PrintProblems(options.model, {text.error()});
    return kFailure;
  }
  if (options.output.empty()) {
    WriteOutput(text.value());
    return kSuccess;
  }
  const Status status = WriteText(text.value(), options.output);
  if (status.ok()) return kSuccess;
  Complain("{}", status.error().message);
  return kFailure;
}

}  // namespace anydml::tool
