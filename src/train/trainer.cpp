// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/escaped.h"
#include "gradient/differentiate.h"
#include "operators/gradient_writer.h"
#include "train/model_hash.h"
#include "train/numbers.h"

namespace anydml::train {
namespace {

constexpr std::string_view kCounter = "steps";
constexpr std::string_view kRate = "learning_rate";

// Names become names of files.
Status CheckName(std::string_view name) {
  const auto is_fine = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  constexpr size_t kMost = 100;
  if (!name.empty() && name.size() <= kMost && name[0] != '.' &&
      std::ranges::all_of(name, is_fine)) {
    return {};
  }
  return InvalidArgument(
      fmt::format("trainer: the name '{}' must be of at most {} letters, digits, '_', '-' and '.', "
                  "and must not begin with '.'",
                  Escaped(name), kMost));
}

Result<std::string> NameOf(const graph::Values& graph, const GraphValue& value) {
  if (!graph.Has(value) || graph.OriginOf(value).kind != graph::Values::Origin::Kind::kInput) {
    return InvalidArgument("trainer: parameters and statistics must be inputs of the graph");
  }
  const std::string& name = graph.input_names()[graph.OriginOf(value).index];
  if (value.tensor.data_type != DataType::kFloat32) {
    return InvalidArgument(fmt::format("trainer: '{}' must be FLOAT32", Escaped(name)));
  }
  const TensorDesc& tensor = graph.OriginOf(value).tensor;
  if (!HaveSameLayout(tensor, PackedTensor(tensor.data_type, tensor.Sizes()))) {
    return InvalidArgument(fmt::format("trainer: '{}' must be packed", Escaped(name)));
  }
  Status status = CheckName(name);
  if (!status.ok()) return status.error();
  return name;
}

std::vector<float> FirstValues(const Initial& initial, const TensorDesc& tensor, uint64_t seed,
                               std::string_view name) {
  std::vector<float> values(tensor.ElementCount(), initial.kind == Initial::Kind::kOnes ? 1 : 0);
  if (initial.kind == Initial::Kind::kUniform) {
    const uint64_t fan_in = values.size() / tensor.sizes[0];
    FillUniform(seed, name, initial.bound != 0 ? initial.bound : HeBound(fan_in), values);
  }
  return values;
}

// UINT32 step + 1.
GraphValue NextStep(GradientWriter& write, const GraphValue& one, const GraphValue& steps) {
  return write.Add(steps, one);
}

}  // namespace

Result<std::unique_ptr<Trainer>> Trainer::Create(const Place& place, const Model& model,
                                                 const Optimizer& optimizer, uint64_t seed) {
  Status status = CheckOptimizer(optimizer);
  if (!status.ok()) return status.error();
  std::unique_ptr<Trainer> trainer(new Trainer(place, seed));
  trainer->learning_rate_ = optimizer.learning_rate;
  trainer->model_hash_ = HashOf(model, optimizer);
  status = trainer->Build(model, optimizer);
  if (status.ok()) status = trainer->Allocate();
  if (status.ok()) status = trainer->Initialize(model);
  if (!status.ok()) return status.error();
  return trainer;
}

// A state that is new to the graph.
Result<GraphValue> Trainer::AddState(graph::Values& graph, State::Kind kind, std::string name,
                                     const TensorDesc& tensor) {
  Result<GraphValue> value = graph.Input(name, tensor);
  if (!value.ok()) return value;
  states_.push_back({std::move(name), kind, tensor, graph.OriginOf(value.value()).index, {}});
  return value;
}

Status Trainer::Build(const Model& model, const Optimizer& optimizer) {
  graph::Values graph = model.graph;
  std::vector<GraphValue> outputs = {model.loss};
  std::vector<GraphValue> wanted;
  for (const Parameter& parameter : model.parameters) {
    Result<std::string> name = NameOf(graph, parameter.value);
    if (!name.ok()) return name.error();
    wanted.push_back(graph.Whole(parameter.value));
    states_.push_back({name.value(),
                       State::Kind::kParameter,
                       wanted.back().tensor,
                       graph.OriginOf(parameter.value).index,
                       {}});
  }
  if (wanted.empty()) return InvalidArgument("trainer: the model has no parameters");
  Result<std::vector<GraphValue>> gradients = gradient::Differentiate(graph, model.loss, wanted);
  if (!gradients.ok()) return gradients.error();

  // Behind the backward pass, so that updates may lie over what it reads.
  constexpr std::array<uint32_t, 1> kOne = {1};
  Clock clock;
  Result<GraphValue> counter =
      graph.Input(std::string(kCounter), PackedTensor(DataType::kUint32, kOne));
  if (!counter.ok()) return counter.error();
  Result<GraphValue> one = graph.Constant(std::as_bytes(std::span(kOne)), counter.value().tensor);
  if (!one.ok()) return one.error();
  GradientWriter write(graph);
  clock.step = NextStep(write, one.value(), counter.value());
  Result<std::vector<GraphValue>> counted = write.Finish({clock.step});
  if (!counted.ok()) return counted.error();
  if (optimizer.kind == Optimizer::Kind::kSgd) {
    Result<GraphValue> rate =
        graph.Input(std::string(kRate), PackedTensor(DataType::kFloat32, kOne));
    if (!rate.ok()) return rate.error();
    clock.learning_rate = rate.value();
    rate_input_ = graph.OriginOf(rate.value()).index;
  }
  std::vector<GraphValue> next_moments;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const std::string name = states_[i].name;
    std::vector<GraphValue> moments;
    for (const std::string_view end : MomentNames(optimizer)) {
      Result<GraphValue> moment =
          AddState(graph, State::Kind::kMoment, fmt::format("{}.{}", name, end), wanted[i].tensor);
      if (!moment.ok()) return moment.error();
      moments.push_back(moment.value());
    }
    Result<Updated> updated =
        AddUpdate(graph, optimizer, clock, wanted[i], gradients.value()[i], moments);
    if (!updated.ok()) return updated.error();
    outputs.push_back(updated.value().parameter);
    std::ranges::copy(updated.value().moments, std::back_inserter(next_moments));
  }
  std::ranges::copy(next_moments, std::back_inserter(outputs));
  for (const Statistic& statistic : model.statistics) {
    Result<std::string> name = NameOf(graph, statistic.value);
    if (!name.ok()) return name.error();
    if (!graph.Has(statistic.next) ||
        !HaveSameLayout(graph.Whole(statistic.next).tensor, graph.Whole(statistic.value).tensor)) {
      return InvalidArgument(
          fmt::format("trainer: what becomes of the statistic '{}' must be as large as itself",
                      Escaped(name.value())));
    }
    states_.push_back({name.value(),
                       State::Kind::kStatistic,
                       graph.Whole(statistic.value).tensor,
                       graph.OriginOf(statistic.value).index,
                       {}});
    outputs.push_back(statistic.next);
  }
  states_.push_back({std::string(kCounter),
                     State::Kind::kCounter,
                     counter.value().tensor,
                     graph.OriginOf(counter.value()).index,
                     {},
                     {}});
  outputs.push_back(clock.step);

  std::vector<bool> is_fed(graph.inputs().size(), true);
  if (rate_input_) is_fed[*rate_input_] = false;
  for (const State& state : states_) {
    if (!is_fed[state.input]) {
      return InvalidArgument(fmt::format("trainer: '{}' is given twice", Escaped(state.name)));
    }
    is_fed[state.input] = false;
  }
  std::vector<graph::SharedMemory> shared;
  for (uint32_t i = 0; i < states_.size(); ++i) shared.push_back({i + 1, states_[i].input});
  Result<Session> session = Session::Create(place_, graph, outputs, is_fed, shared);
  if (!session.ok()) return session.error();
  session_ = std::move(session).value();
  for (const graph::SharedMemory& pair : shared) {
    if (graph::MayAlias(session_.program(), pair.input, pair.output)) continue;
    return InvalidArgument(fmt::format(
        "trainer: what becomes of '{}' cannot be written over it; end with an operator that runs "
        "in place, such as ELEMENT_WISE_IDENTITY",
        Escaped(states_[pair.output - 1].name)));
  }
  inputs_.resize(graph.inputs().size());
  outputs_.resize(outputs.size());
  return {};
}

Status Trainer::Allocate() {
  const auto allocate = [this](uint64_t bytes, DeviceMemory& memory) -> Status {
    Result<DeviceMemory> allocated = DeviceMemory::Allocate(place_, bytes);
    if (!allocated.ok()) return allocated.error();
    memory = std::move(allocated).value();
    return {};
  };
  Status status = allocate(sizeof(float), loss_);
  if (status.ok() && rate_input_) status = allocate(sizeof(float), rate_);
  outputs_[0] = loss_.get();
  for (size_t i = 0; i < states_.size() && status.ok(); ++i) {
    State& state = states_[i];
    status = allocate(state.tensor.total_bytes, state.memory);
    inputs_[state.input] = outputs_[i + 1] = state.memory.get();
  }
  return status;
}

Status Trainer::Initialize(const Model& model) {
  if (rate_input_) {
    inputs_[*rate_input_] = rate_.get();
    Status status = rate_.Write(&learning_rate_);
    if (!status.ok()) return status;
  }
  const auto initial_of = [&model](uint32_t input) {
    const auto is_it = [&](const auto& kept) {
      return model.graph.OriginOf(kept.value).index == input;
    };
    for (const Parameter& parameter : model.parameters) {
      if (is_it(parameter)) return parameter.initial;
    }
    for (const Statistic& statistic : model.statistics) {
      if (is_it(statistic)) return statistic.initial;
    }
    return Initial();
  };
  for (const State& state : states_) {
    const std::vector<float> values =
        FirstValues(initial_of(state.input), state.tensor, seed_, state.name);
    Status status = state.memory.Write(values.data());  // zeros are those of any type
    if (!status.ok()) return status;
  }
  return {};
}

Status Trainer::Step(std::span<const void* const> fed) {
  Status status = session_.Run(fed, inputs_, outputs_);
  if (status.ok()) ++steps_;
  return status;
}

Result<float> Trainer::ReadLoss() const {
  float loss = 0;
  if (steps_ == 0) return InvalidArgument("trainer: there is no loss before the first step");
  Status status = loss_.Read(&loss);
  if (!status.ok()) return status.error();
  return loss;
}

Status Trainer::SetLearningRate(float rate) {
  Status status = CheckLearningRate(rate);
  if (!status.ok() || rate == learning_rate_) return status;
  if (rate_input_) {
    status = rate_.Write(&rate);
  } else {
    auto changed = std::make_shared<graph::Program>(session_.program());
    for (graph::Step& step : changed->steps) {
      for (graph::Stage& stage : step.stages) {
        Result<std::optional<Operator>> op =
            WithLearningRate(stage.program.op(), rate, place_.options);
        if (!op.ok()) return op.error();
        if (!op.value()) continue;
        Result<DeviceProgram> program = DeviceProgram::Compile(*op.value(), place_.cuda);
        if (!program.ok()) return program.error();
        stage.program = std::move(program).value();
      }
    }
    session_.set_program(std::move(changed));
  }
  if (status.ok()) learning_rate_ = rate;
  return status;
}

const Trainer::State* Trainer::Find(std::string_view name) const {
  const auto found = std::ranges::find(states_, name, &State::name);
  return found == states_.end() ? nullptr : &*found;
}

void Trainer::Continue(uint64_t steps, uint64_t seed) {
  steps_ = steps;
  seed_ = seed;
}

}  // namespace anydml::train
