// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/escaped.h"
#include "train/model_hash.h"
#include "train/numbers.h"

namespace anydml::train {
namespace {

// Of a counter too: zeros are those of any type.
std::vector<float> FirstValues(const Kept& kept, uint64_t seed) {
  const bool ones = kept.initial.kind == Initial::Kind::kOnes;
  // Other types than FLOAT32 begin as zeros, and may be wider.
  const uint64_t bytes = std::max<uint64_t>(kept.tensor.total_bytes, sizeof(float));
  std::vector<float> values((bytes + sizeof(float) - 1) / sizeof(float), ones ? 1 : 0);
  if (kept.initial.kind == Initial::Kind::kUniform) {
    FillWeight(seed, kept.name, kept.tensor.Sizes(), kept.initial.bound, values);
  }
  return values;
}

// UINT64 from 2^63 on as a negative one, which is no class either.
int64_t ReadInteger(const std::byte* from, DataType type) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, ElementSize(type));
  constexpr DataTypeSet kSigned = {DataType::kInt8, DataType::kInt16, DataType::kInt32};
  const uint32_t shift = kSigned.Contains(type) ? 64 - 8 * ElementSize(type) : 0;
  return static_cast<int64_t>(bits << shift) >> shift;
}

}  // namespace

Result<std::unique_ptr<Trainer>> Trainer::Create(const Place& place, const Model& model,
                                                 const Optimizer& optimizer, uint64_t seed) {
  Status status = CheckOptimizer(optimizer);
  if (!status.ok()) return status.error();
  Result<StepGraph> step = MakeStepGraph(model, optimizer);
  if (!step.ok()) return step.error();
  return Create(place, step.value(), HashOf(model, optimizer), seed, optimizer.learning_rate);
}

Result<std::unique_ptr<Trainer>> Trainer::Create(const Place& place, const StepGraph& step,
                                                 std::string model_hash, uint64_t seed,
                                                 float learning_rate) {
  std::unique_ptr<Trainer> trainer(new Trainer(place, seed));
  trainer->learning_rate_ = learning_rate;
  trainer->model_hash_ = std::move(model_hash);
  Status status = trainer->Compile(step);
  const TensorDesc loss = step.graph.OutputTensor(step.loss);
  if (status.ok()) status = trainer->Allocate(loss.total_bytes);
  if (status.ok()) status = trainer->Initialize();
  if (!status.ok()) return status.error();
  return trainer;
}

Status Trainer::Compile(const StepGraph& step) {
  std::vector<GraphValue> outputs = {step.loss};
  std::vector<graph::SharedMemory> shared;
  std::vector<bool> is_fed(step.graph.inputs().size(), true);
  for (const Kept& kept : step.kept) {
    shared.push_back({static_cast<uint32_t>(outputs.size()), kept.input});
    outputs.push_back(kept.next);
    is_fed[kept.input] = false;
    states_.push_back({kept, {}});
  }
  rate_input_ = step.learning_rate;
  if (rate_input_) is_fed[*rate_input_] = false;
  Result<Session> session = Session::Create(place_, step.graph, outputs, is_fed, shared);
  if (!session.ok()) return session.error();
  session_ = std::move(session).value();
  limits_ = step.limits;
  for (const graph::SharedMemory& pair : shared) {
    if (graph::MayAlias(session_.program(), pair.input, pair.output)) continue;
    return InvalidArgument(fmt::format(
        "trainer: what becomes of '{}' cannot be written over it; end with an operator that runs "
        "in place, such as ELEMENT_WISE_IDENTITY",
        Escaped(states_[pair.output - 1].kept.name)));
  }
  inputs_.resize(step.graph.inputs().size());
  outputs_.resize(outputs.size());
  return {};
}

Status Trainer::Allocate(uint64_t loss_bytes) {
  const auto allocate = [this](uint64_t bytes, DeviceMemory& memory) -> Status {
    Result<DeviceMemory> allocated = DeviceMemory::Allocate(place_, bytes);
    if (!allocated.ok()) return allocated.error();
    memory = std::move(allocated).value();
    return {};
  };
  Status status = allocate(loss_bytes, loss_);
  if (!status.ok()) return status;
  outputs_[0] = loss_.get();
  if (rate_input_) {
    status = allocate(sizeof(float), rate_);
    inputs_[*rate_input_] = rate_.get();
  }
  for (size_t i = 0; i < states_.size() && status.ok(); ++i) {
    State& state = states_[i];
    status = allocate(state.kept.tensor.total_bytes, state.memory);
    inputs_[state.kept.input] = outputs_[i + 1] = state.memory.get();
  }
  return status;
}

Status Trainer::Initialize() {
  Status status = rate_input_ ? rate_.Write(&learning_rate_) : Status();
  for (size_t i = 0; i < states_.size() && status.ok(); ++i) {
    status = states_[i].memory.Write(FirstValues(states_[i].kept, seed_).data());
  }
  return status;
}

Status Trainer::CheckLimits(std::span<const void* const> fed) const {
  for (const Limit& limit : limits_) {
    for (size_t i = 0; i < std::min(fed.size(), feeds().size()); ++i) {
      const Feed& feed = feeds()[i];
      if (feed.input != limit.input || feed.memory.bytes() == 0 || fed[i] == nullptr) continue;
      const uint64_t size = ElementSize(feed.tensor.data_type);
      const auto* const bytes = static_cast<const std::byte*>(fed[i]);
      for (uint64_t n = 0; n < feed.tensor.ElementCount(); ++n) {
        const int64_t number = ReadInteger(bytes + n * size, feed.tensor.data_type);
        if (number >= 0 && number < int64_t{limit.count}) continue;
        return InvalidArgument(
            fmt::format("trainer: element {} of '{}' is {}, and must be a class from 0 to {}", n,
                        Escaped(feed.name), number, limit.count - 1));
      }
    }
  }
  return {};
}

Status Trainer::Step(std::span<const void* const> fed) {
  Status status = CheckLimits(fed);
  if (status.ok()) status = session_.Run(fed, inputs_, outputs_);
  if (!status.ok()) return status;
  ++steps_;
  has_loss_ = true;
  return {};
}

Result<float> Trainer::ReadLoss() const {
  if (!has_loss_) return InvalidArgument("trainer: there is no loss before the first step");
  std::vector<std::byte> bytes(loss_.bytes());
  Status status = loss_.Read(bytes.data());
  if (!status.ok()) return status.error();
  float loss = 0;
  std::memcpy(&loss, bytes.data(), sizeof loss);
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
  const auto found =
      std::ranges::find(states_, name, [](const State& state) { return state.kept.name; });
  return found == states_.end() ? nullptr : &*found;
}

uint64_t Trainer::memory_bytes() const {
  uint64_t bytes = session_.memory_bytes() + loss_.bytes() + rate_.bytes();
  for (const State& state : states_) bytes += state.memory.bytes();
  return bytes;
}

Status Trainer::ContinueFrom(const Trainer& other) {
  const bool is_alike =
      std::ranges::equal(states_, other.states_, [](const State& mine, const State& given) {
        return mine.kept.name == given.kept.name &&
               mine.kept.tensor.data_type == given.kept.tensor.data_type &&
               HaveSameLayout(mine.kept.tensor, given.kept.tensor);
      });
  if (!is_alike) {
    return InvalidArgument(
        "trainer: what it goes on from must keep the same parameters, moments and statistics");
  }
  Status status = SetLearningRate(other.learning_rate_);
  for (size_t i = 0; i < states_.size() && status.ok(); ++i) {
    std::vector<std::byte> bytes(states_[i].memory.bytes());
    status = other.states_[i].memory.Read(bytes.data());
    if (status.ok()) status = states_[i].memory.Write(bytes.data());
  }
  if (status.ok()) Continue(other.steps_, other.seed_);
  return status;
}

void Trainer::Continue(uint64_t steps, uint64_t seed) {
  steps_ = steps;
  seed_ = seed;
  has_loss_ = false;
}

}  // namespace anydml::train
