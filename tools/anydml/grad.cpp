// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// `anydml grad`: a model with the gradients of one of its values, and with a step of an
// optimizer if asked for.
#include <fmt/format.h>

#include <cmath>

#include "base/escaped.h"
#include "c_api/graph_model.h"
#include "commands.h"
#include "console.h"
#include "gradient/differentiate.h"
#include "load.h"
#include "model/nearest.h"
#include "model/write.h"
#include "operators/gradient_writer.h"
#include "output_file.h"
#include "train/optimizer.h"

namespace anydml::tool {
namespace {

using c_api::NamedGraph;

class Differentiation {
 public:
  Differentiation(NamedGraph graph, const GradOptions& options)
      : graph_(std::move(graph)), options_(options) {}

  Result<model::Model> Run() {
    Status status = AddGradients();
    if (status.ok() && !options_.update.empty()) status = AddUpdate();
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

  Status AddOutput(const GraphValue& value, const std::string& name) {
    outputs_.push_back(graph_.NewHandle(value));
    return graph_.SetName(outputs_.back(), name);
  }

  Status AddGradients() {
    Result<anydml_value> loss = Find("--loss", options_.loss);
    if (!loss.ok()) return loss.error();
    std::vector<GraphValue> of;
    for (const std::string& name : options_.of) {
      Result<anydml_value> handle = Find("--of", name);
      if (!handle.ok()) return handle.error();
      of_.push_back(handle.value());
      of.push_back(ValueOf(handle.value()));
    }
    Result<std::vector<GraphValue>> gradients =
        gradient::Differentiate(graph_.values, ValueOf(loss.value()), of);
    if (!gradients.ok()) return gradients.error();
    gradients_ = gradients.value();
    outputs_.push_back(loss.value());
    for (size_t i = 0; i < of.size(); ++i) {
      Status status = AddOutput(gradients_[i], "d." + options_.of[i]);
      if (!status.ok()) return status;
    }
    return {};
  }

  // The parameters are written over themselves, so that a program which executes the model
  // again and again trains.
  Status AddUpdate() {
    Status status = train::CheckLearningRate(static_cast<float>(options_.rate));
    if (!status.ok()) return status;
    for (size_t i = 0; i < of_.size(); ++i) {
      if (InputOf(ValueOf(of_[i]))) continue;
      return InvalidArgument(
          fmt::format("--update: '{}' is written by a dispatch, and what is "
                      "updated must be given to the model",
                      Escaped(options_.of[i])));
    }
    return options_.update == "adam" ? AddAdam() : AddSgd();
  }

  std::optional<uint32_t> InputOf(const GraphValue& value) const {
    const graph::Values::Origin& origin = graph_.values.OriginOf(value);
    if (origin.kind != graph::Values::Origin::Kind::kInput) return std::nullopt;
    return origin.index;
  }

  void WriteOver(const GraphValue& output, const GraphValue& input) {
    shared_.push_back({static_cast<uint32_t>(outputs_.size()), *InputOf(input)});
    outputs_.push_back(graph_.NewHandle(output));
  }

  Status AddSgd() {
    GradientWriter write(graph_.values);
    const auto rate = static_cast<float>(options_.rate);
    for (size_t i = 0; i < of_.size(); ++i) {
      const GraphValue parameter = ValueOf(of_[i]);
      const GraphValue updated = write.Add(parameter, write.Scale(gradients_[i], -rate));
      if (write.ok()) WriteOver(updated, parameter);
    }
    return StatusOf(write);
  }

  Status AddAdam() {
    GradientWriter write(graph_.values);
    const uint32_t one = 1;
    const TensorDesc counter = PackedTensor(DataType::kUint32, {&one, 1});
    Result<GraphValue> step = AddInput("step", counter);
    if (!step.ok()) return step.error();
    graph_.contents[step.value().id] = {std::byte{1}, std::byte{}, std::byte{}, std::byte{}};
    for (size_t i = 0; i < of_.size(); ++i) {
      const GraphValue parameter = ValueOf(of_[i]);
      Result<GraphValue> first = AddInput("m." + options_.of[i], parameter.tensor);
      Result<GraphValue> second = AddInput("v." + options_.of[i], parameter.tensor);
      if (!first.ok() || !second.ok()) return first.ok() ? second.error() : first.error();
      schema::Settings adam = GradientWriter::Call("ADAM_OPTIMIZER");
      adam.Float("LearningRate", static_cast<float>(options_.rate));
      const std::vector<GraphValue> inputs = {parameter, first.value(), second.value(),
                                              gradients_[i], step.value()};
      const std::vector<GraphValue> updated = write.Outputs(adam, inputs);
      if (!write.ok()) break;
      for (size_t k = 0; k < updated.size(); ++k) WriteOver(updated[k], inputs[k]);
    }
    const GraphValue next = write.Add(step.value(), write.Fill(step.value(), 1));
    if (write.ok()) WriteOver(next, step.value());
    return StatusOf(write);
  }

  Result<GraphValue> AddInput(const std::string& name, const TensorDesc& tensor) {
    Result<anydml_value> handle = graph_.AddInput(name, tensor);
    if (!handle.ok()) return handle.error();
    return ValueOf(handle.value());
  }

  static Status StatusOf(const GradientWriter& write) {
    const Result<std::vector<GraphValue>> result = write.Finish({});
    return result.ok() ? Status() : result.error();
  }

  NamedGraph graph_;
  const GradOptions& options_;
  std::vector<anydml_value> of_;
  std::vector<GraphValue> gradients_;
  std::vector<anydml_value> outputs_;
  std::vector<graph::SharedMemory> shared_;
};

Result<std::string> Differentiate(const model::Model& model, const GradOptions& options) {
  Result<NamedGraph> graph = c_api::GraphOf(model);
  if (!graph.ok()) return graph.error();
  Result<model::Model> differentiated = Differentiation(std::move(graph).value(), options).Run();
  if (!differentiated.ok()) return differentiated.error();
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
