// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "replay.h"

#include <fmt/format.h>

#include "base/escaped.h"
#include "load.h"
#include "model/nearest.h"
#include "model/paths.h"
#include "prepare.h"
#include "train/checkpoint.h"
#include "train/numbers.h"

namespace anydml::tool {
namespace {

Error InModel(const std::string& path, const Error& error) {
  return {error.code, fmt::format("{}: {}", Escaped(path), error.message)};
}

Result<StepModel> LoadStepModel(const std::string& path, const std::string& input_path,
                                const std::string& output) {
  if (path == "-") {
    return InvalidArgument("the model of a training must be a file, so that it can be read again");
  }
  LoadedModel loaded = LoadModel(path, input_path, output);
  for (Error& problem : FindProblems(loaded.model, kNewestFeatureLevel)) {
    loaded.problems.push_back(std::move(problem));
  }
  if (!loaded.problems.empty()) return InModel(path, loaded.problems.front());
  constexpr uint64_t kMost = uint64_t{1} << 30;
  Result<std::vector<uint8_t>> text = model::ReadFile(path, kMost);
  if (!text.ok()) return InModel(path, text.error());
  Result<StepModel> step =
      MakeStepModel(std::move(loaded.model), std::as_bytes(std::span(text.value())));
  if (!step.ok()) return InModel(path, step.error());
  return step;
}

}  // namespace

Result<std::unique_ptr<Replay>> Replay::Open(RunLog& log, const std::string& device,
                                             uint32_t threads, const std::string& output) {
  Result<StepModel> model = LoadStepModel(log.model, log.input_path, output);
  if (!model.ok()) return model.error();
  Result<std::shared_ptr<c_api::Device>> opened = OpenDevice(device, threads, kNewestFeatureLevel);
  if (!opened.ok()) return opened.error();
  std::unique_ptr<Replay> replay(new Replay(std::move(opened).value(), std::move(model).value()));
  Status status = replay->Prepare(log);
  if (!status.ok()) return status.error();
  return replay;
}

Status Replay::Prepare(RunLog& log) {
  const train::Place place = {device_->cuda, &device_->executor, device_->options};
  Result<std::unique_ptr<train::Trainer>> trainer =
      train::Trainer::Create(place, model_.step, model_.hash, log.seed);
  if (!trainer.ok()) return InModel(log.model, trainer.error());
  trainer_ = std::move(trainer).value();
  log.model_sha256 = model_.hash;
  for (const train::Trainer::State& state : trainer_->states()) {
    Status status = state.memory.Write(model_.contents.at(state.kept.input).data());
    if (!status.ok()) return status;
  }
  for (const std::string& name : log.initialized) {
    Status status = InitializeParameter(name, log.seed);
    if (!status.ok()) return status;
  }
  Result<Feeds> feeds = Feeds::Read(log.feeds, trainer_->feeds(), log.seed);
  if (!feeds.ok()) return feeds.error();
  feeds_ = std::move(feeds).value();
  return {};
}

Status Replay::InitializeParameter(const std::string& name, uint64_t seed) {
  std::vector<std::string_view> names;
  for (const train::Trainer::State& state : trainer_->states()) {
    const TensorDesc& tensor = state.kept.tensor;
    if (tensor.data_type != DataType::kFloat32 ||
        tensor.total_bytes != tensor.ElementCount() * sizeof(float)) {
      continue;
    }
    names.push_back(state.kept.name);
    if (state.kept.name != name) continue;
    std::vector<float> values(tensor.ElementCount());
    train::FillWeight(seed, name, tensor.Sizes(), 0, values);
    return state.memory.Write(values.data());
  }
  return InvalidArgument(
      fmt::format("--init: '{}' is no packed FLOAT32 resource that the model trains{}",
                  Escaped(name), Escaped(model::Suggest(name, names))));
}

Status Replay::Load(const RunLog::Checkpoint& checkpoint) {
  Result<uint64_t> position = train::LoadCheckpoint(*trainer_, checkpoint.folder);
  if (!position.ok()) return position.error();
  if (trainer_->steps() == checkpoint.step) return {};
  return InvalidArgument(fmt::format("{} is of step {} and must be of step {}",
                                     Escaped(checkpoint.folder), trainer_->steps(),
                                     checkpoint.step));
}

Result<float> Replay::Step() {
  std::vector<const void*> fed = feeds_.Batch(trainer_->steps());
  for (size_t i = 0; i < fed.size(); ++i) {
    if (fed[i] == nullptr) fed[i] = model_.contents.at(trainer_->feeds()[i].input).data();
  }
  Status status = trainer_->Step(fed);
  if (!status.ok()) return status.error();
  return trainer_->ReadLoss();
}

}  // namespace anydml::tool
