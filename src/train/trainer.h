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

#include "train/session.h"
#include "train/step_graph.h"

namespace anydml::train {

class Trainer {
 public:
  struct State {
    Kept kept;
    DeviceMemory memory;
  };

  static Result<std::unique_ptr<Trainer>> Create(const Place& place, const Model& model,
                                                 const Optimizer& optimizer, uint64_t seed);
  // Of a step that somebody else has made. First values are those that it names.
  static Result<std::unique_ptr<Trainer>> Create(const Place& place, const StepGraph& step,
                                                 std::string model_hash, uint64_t seed,
                                                 float learning_rate = 0);

  // Host memory per feed, packed as the input's tensor says. Classes that a loss does not have are
  // refused.
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

  // Of the device: what is kept, and what a step needs.
  uint64_t memory_bytes() const;
  // In the order of the step's.
  const std::vector<State>& states() const { return states_; }
  const State* Find(std::string_view name) const;
  const Place& place() const { return place_; }
  // 64 hexadecimal digits, equal for equal graphs, losses and optimizers, whatever the rate.
  const std::string& model_hash() const { return model_hash_; }

  // As if this one had made the other's steps: takes its states, steps, seed and rate. Both have
  // the same states; their batches may differ.
  Status ContinueFrom(const Trainer& other);
  // For checkpoints: as if so many steps had been made. States are written before.
  void Continue(uint64_t steps, uint64_t seed);

 private:
  Trainer(const Place& place, uint64_t seed) : place_(place), seed_(seed) {}

  Status Compile(const StepGraph& step);
  Status Allocate(uint64_t loss_bytes);
  Status Initialize();
  Status CheckLimits(std::span<const void* const> fed) const;

  Place place_;
  uint64_t seed_;
  uint64_t steps_ = 0;
  bool has_loss_ = false;  // of a step of its own, not of a checkpoint's
  float learning_rate_ = 0;
  std::string model_hash_;
  std::vector<Limit> limits_;
  std::vector<State> states_;
  std::vector<const void*> inputs_;  // of the step's graph
  std::vector<void*> outputs_;       // the loss, then the states in order
  DeviceMemory loss_;
  std::optional<uint32_t> rate_input_;  // of an SGD
  DeviceMemory rate_;
  Session session_;
};

}  // namespace anydml::train
