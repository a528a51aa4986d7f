// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A training by the command: a model that is a step, and the files that it is fed.
#pragma once

#include <memory>
#include <string>

#include "c_api/device.h"
#include "feeds.h"
#include "run_log.h"
#include "step_model.h"
#include "train/trainer.h"

namespace anydml::tool {

class Replay {
 public:
  // By the log's model, seed and feeds, whose sums it fills in. `output` as LoadModel takes it.
  static Result<std::unique_ptr<Replay>> Open(RunLog& log, const std::string& device,
                                              uint32_t threads, const std::string& output = {});

  train::Trainer& trainer() { return *trainer_; }
  // A checkpoint, which must be of the step that it says.
  Status Load(const RunLog::Checkpoint& checkpoint);
  // The loss of the next step.
  Result<float> Step();

 private:
  Replay(std::shared_ptr<c_api::Device> device, StepModel model)
      : device_(std::move(device)), model_(std::move(model)) {}

  Status Prepare(RunLog& log);
  Status InitializeParameter(const std::string& name, uint64_t seed);

  std::shared_ptr<c_api::Device> device_;
  StepModel model_;
  std::unique_ptr<train::Trainer> trainer_;
  Feeds feeds_;
};

}  // namespace anydml::tool
