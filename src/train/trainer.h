// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A training: parameters with their moments and statistics in memory of a device, and one
// compiled graph that is a step - forward, backward, update - whose outputs lie over them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "train/optimizer.h"
#include "train/session.h"

namespace anydml::train {

// The first values of what is kept from step to step.
struct Initial {
  enum class Kind : uint8_t { kZeros, kOnes, kUniform };
  Kind kind = Kind::kZeros;
  float bound = 0;  // of uniform values; 0: HeBound of all sizes but the first
};

// An input of the graph that the optimizer changes.
struct Parameter {
  GraphValue value;
  Initial initial;
};

// An input that the graph itself gives anew, such as a running mean.
struct Statistic {
  GraphValue value;
  GraphValue next;
  Initial initial;
};

// What is trained. All of the graph's other inputs are fed per step.
struct Model {
  const graph::Values& graph;
  GraphValue loss;  // one element
  std::vector<Parameter> parameters;
  std::vector<Statistic> statistics;
};

class Trainer {
 public:
  // One tensor that is kept: a parameter, one of its moments, a statistic or the counter of
  // steps.
  struct State {
    enum class Kind : uint8_t { kParameter, kMoment, kStatistic, kCounter };
    std::string name;
    Kind kind = Kind::kParameter;
    TensorDesc tensor;
    uint32_t input = 0;  // of the step's graph
    DeviceMemory memory;
  };

  static Result<std::unique_ptr<Trainer>> Create(const Place& place, const Model& model,
                                                 const Optimizer& optimizer, uint64_t seed);

  // Host memory per feed, packed as the input's tensor says.
  Status Step(std::span<const void* const> fed);
  const std::vector<Feed>& feeds() const { return session_.feeds(); }
  uint64_t steps() const { return steps_; }
  uint64_t seed() const { return seed_; }
  // Of the last step; on a CUDA device it waits for it.
  Result<float> ReadLoss() const;

  // No memory is planned again: an SGD reads its rate from memory, and of Adam only the
  // operators that have it as an attribute are made anew.
  Status SetLearningRate(float rate);
  float learning_rate() const { return learning_rate_; }

  // The counter comes last.
  const std::vector<State>& states() const { return states_; }
  const State* Find(std::string_view name) const;
  const Place& place() const { return place_; }
  // 64 hexadecimal digits, equal for equal graphs, losses and optimizers, whatever the rate.
  const std::string& model_hash() const { return model_hash_; }

  // For checkpoints: as if so many steps had been made. States are written before.
  void Continue(uint64_t steps, uint64_t seed);

 private:
  Trainer(Place place, uint64_t seed) : place_(std::move(place)), seed_(seed) {}

  Result<GraphValue> AddState(graph::Values& graph, State::Kind kind, std::string name,
                              const TensorDesc& tensor);
  Status Build(const Model& model, const Optimizer& optimizer);
  Status Allocate();
  Status Initialize(const Model& model);

  Place place_;
  uint64_t seed_;
  uint64_t steps_ = 0;
  float learning_rate_ = 0;
  std::string model_hash_;
  std::vector<State> states_;
  std::vector<const void*> inputs_;  // of the step's graph
  std::vector<void*> outputs_;       // the loss, then the states in order
  DeviceMemory loss_;
  std::optional<uint32_t> rate_input_;  // of an SGD
  DeviceMemory rate_;
  Session session_;
};

}  // namespace anydml::train
