// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/step_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/escaped.h"
#include "gradient/differentiate.h"
#include "operators/gradient_writer.h"

namespace anydml::train {
namespace {

constexpr std::string_view kCounter = "steps";
constexpr std::string_view kRate = "learning_rate";
constexpr std::array<uint32_t, 1> kOne = {1};

Status CheckTensor(std::string_view name, const TensorDesc& tensor) {
  const TensorDesc packed = PackedTensor(tensor.data_type, tensor.Sizes());
  if (tensor.data_type == DataType::kFloat32 && HaveSameLayout(tensor, packed)) return {};
  return InvalidArgument(fmt::format("trainer: '{}' must be FLOAT32 and packed", Escaped(name)));
}

class Maker {
 public:
  Maker(const Model& model, const Optimizer& optimizer)
      : model_(model), optimizer_(optimizer), made_{model.graph, model.loss, {}, {}, {}} {}

  Result<StepGraph> Make() {
    Status status = KeepInputs();
    if (status.ok()) status = CheckOwnNames();
    if (!status.ok()) return status.error();
    Result<std::vector<GraphValue>> gradients =
        gradient::Differentiate(made_.graph, model_.loss, parameters_);
    if (!gradients.ok()) return gradients.error();
    made_.gradients = std::move(gradients).value();
    status = AddClock();
    for (size_t i = 0; i < parameters_.size() && status.ok(); ++i) {
      status = AddUpdateOf(i, made_.gradients[i]);
    }
    if (!status.ok()) return status.error();
    for (const Classes& classes : model_.classes) AddLimit(classes);
    made_.kept.push_back({std::string(kCounter),
                          Kept::Kind::kCounter,
                          clock_.step.tensor,
                          counter_input_,
                          clock_.step,
                          {}});
    return std::move(made_);
  }

 private:
  Status KeepInputs() {
    if (model_.loss.tensor.data_type != DataType::kFloat32) {
      return InvalidArgument("trainer: the loss must be FLOAT32");
    }
    if (model_.parameters.empty()) return InvalidArgument("trainer: the model has no parameters");
    for (const Parameter& parameter : model_.parameters) {
      Status status = Keep(Kept::Kind::kParameter, parameter.value, {}, parameter.initial);
      if (!status.ok()) return status;
      parameters_.push_back(made_.graph.Whole(parameter.value));
    }
    for (const Statistic& statistic : model_.statistics) {
      Status status =
          Keep(Kept::Kind::kStatistic, statistic.value, statistic.next, statistic.initial);
      if (!status.ok()) return status;
    }
    return {};
  }

  Status Keep(Kept::Kind kind, const GraphValue& value, const GraphValue& next,
              const Initial& initial) {
    const graph::Values& graph = made_.graph;
    if (!graph.Has(value) || graph.OriginOf(value).kind != graph::Values::Origin::Kind::kInput) {
      return InvalidArgument("trainer: parameters and statistics must be inputs of the graph");
    }
    const graph::Values::Origin& origin = graph.OriginOf(value);
    const std::string& name = graph.input_names()[origin.index];
    Status status = CheckKeptName(name);
    if (status.ok()) status = CheckTensor(name, origin.tensor);
    if (!status.ok()) return status;
    if (std::ranges::find(made_.kept, origin.index, &Kept::input) != made_.kept.end()) {
      return InvalidArgument(fmt::format("trainer: '{}' is given twice", name));
    }
    const bool fits = kind == Kept::Kind::kParameter ||
                      (graph.Has(next) && next.tensor.data_type == origin.tensor.data_type &&
                       std::ranges::equal(next.tensor.Sizes(), origin.tensor.Sizes()));
    if (!fits) {
      return InvalidArgument(
          fmt::format("trainer: what becomes of '{}' must be FLOAT32 and as large", name));
    }
    made_.kept.push_back({name, kind, origin.tensor, origin.index, next, initial});
    return {};
  }

  // Of classes that are an input, or one of other integers that is cast.
  void AddLimit(const Classes& classes) {
    using Origin = graph::Values::Origin;
    const graph::Values& graph = made_.graph;
    GraphValue value = classes.value;
    while (graph.IsWhole(value)) {
      const Origin& origin = graph.OriginOf(value);
      const bool is_float = value.tensor.data_type == DataType::kFloat32 ||
                            value.tensor.data_type == DataType::kFloat16 ||
                            value.tensor.data_type == DataType::kFloat64;
      if (is_float || origin.kind == Origin::Kind::kConstant) return;
      if (origin.kind == Origin::Kind::kInput) {
        return made_.limits.push_back({origin.index, classes.count});
      }
      const graph::Values::Node& node = graph.nodes()[origin.index];
      if (node.arguments->schema().name != "CAST") return;
      value = node.inputs[0];
    }
  }

  // Inputs that are added.
  Status CheckOwnNames() const {
    std::vector<std::string> own = {std::string(kCounter)};
    if (optimizer_.kind == Optimizer::Kind::kSgd) own.emplace_back(kRate);
    for (size_t i = 0; i < parameters_.size(); ++i) {
      for (const std::string_view end : MomentNames(optimizer_)) own.push_back(MomentOf(i, end));
    }
    for (const std::string& name : own) {
      if (std::ranges::count(made_.graph.input_names(), name) == 0) continue;
      return InvalidArgument(
          fmt::format("trainer: the name '{}' is the trainer's own", Escaped(name)));
    }
    return {};
  }
  std::string MomentOf(size_t parameter, std::string_view end) const {
    return fmt::format("{}.{}", made_.kept[parameter].name, end);
  }

  // Behind the backward pass in the order of nodes, as the updates are.
  Status AddClock() {
    Result<GraphValue> steps =
        made_.graph.Input(std::string(kCounter), PackedTensor(DataType::kUint32, kOne));
    if (!steps.ok()) return steps.error();
    counter_input_ = made_.graph.OriginOf(steps.value()).index;
    Result<GraphValue> one =
        made_.graph.Constant(std::as_bytes(std::span(kOne)), steps.value().tensor);
    if (!one.ok()) return one.error();
    GradientWriter write(made_.graph);
    clock_.step = write.Add(steps.value(), one.value());
    Result<std::vector<GraphValue>> finished = write.Finish({});
    if (!finished.ok()) return finished.error();
    if (optimizer_.kind != Optimizer::Kind::kSgd) return {};
    Result<GraphValue> rate =
        made_.graph.Input(std::string(kRate), PackedTensor(DataType::kFloat32, kOne));
    if (!rate.ok()) return rate.error();
    clock_.learning_rate = rate.value();
    made_.learning_rate = made_.graph.OriginOf(rate.value()).index;
    return {};
  }

  Status AddUpdateOf(size_t i, const GraphValue& gradient) {
    std::vector<GraphValue> moments;
    const size_t first = made_.kept.size();
    for (const std::string_view end : MomentNames(optimizer_)) {
      std::string name = MomentOf(i, end);
      Result<GraphValue> moment = made_.graph.Input(name, parameters_[i].tensor);
      if (!moment.ok()) return moment.error();
      moments.push_back(moment.value());
      made_.kept.push_back({std::move(name),
                            Kept::Kind::kMoment,
                            moment.value().tensor,
                            made_.graph.OriginOf(moment.value()).index,
                            {},
                            {}});
    }
    Result<Updated> updated =
        AddUpdate(made_.graph, optimizer_, clock_, parameters_[i], gradient, moments);
    if (!updated.ok()) return updated.error();
    made_.kept[i].next = updated.value().parameter;
    for (size_t m = 0; m < moments.size(); ++m) {
      made_.kept[first + m].next = updated.value().moments[m];
    }
    return {};
  }

  const Model& model_;
  const Optimizer& optimizer_;
  StepGraph made_;
  std::vector<GraphValue> parameters_;
  Clock clock_;
  uint32_t counter_input_ = 0;
};

}  // namespace

Status CheckKeptName(std::string_view name) {
  const auto is_fine = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  constexpr size_t kMost = 100;
  const bool is_short = !name.empty() && name.size() <= kMost;
  if (is_short && name[0] != '.' && std::ranges::all_of(name, is_fine)) return {};
  return InvalidArgument(
      fmt::format("trainer: the name '{}' must be of at most {} letters, digits, '_', '-' and '.', "
                  "and must not begin with '.'",
                  Escaped(name), kMost));
}

Result<StepGraph> MakeStepGraph(const Model& model, const Optimizer& optimizer) {
  return Maker(model, optimizer).Make();
}

}  // namespace anydml::train
