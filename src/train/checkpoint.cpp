// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/checkpoint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "base/sha256.h"
#include "model/npy.h"
#include "train/manifest.h"
#include "train/new_folder.h"

namespace anydml::train {
namespace {

using Bytes = std::vector<std::byte>;

Result<Bytes> Read(const Trainer::State& state) {
  Bytes bytes(state.memory.bytes());
  Status status = state.memory.Read(bytes.data());
  if (!status.ok()) return status.error();
  return bytes;
}

std::vector<uint64_t> ShapeOf(const TensorDesc& tensor) {
  return {tensor.Sizes().begin(), tensor.Sizes().end()};
}

std::string HeaderOf(std::string_view name, const TensorDesc& tensor) {
  return fmt::format("{} {} {}\n", DataTypeName(tensor.data_type), fmt::join(tensor.Sizes(), " "),
                     name);
}

// Calls body(header, bytes) for what weights.bin consists of.
template <typename Body>
Status ForEachWeight(const Trainer& trainer, const Body& body) {
  std::vector<const Trainer::State*> parameters;
  for (const Trainer::State& state : trainer.states()) {
    if (state.kept.kind == Kept::Kind::kParameter) parameters.push_back(&state);
  }
  std::ranges::sort(parameters, {}, [](const auto* state) { return state->kept.name; });
  for (const Trainer::State* state : parameters) {
    const std::string header = HeaderOf(state->kept.name, state->kept.tensor);
    Result<Bytes> bytes = Read(*state);
    if (!bytes.ok()) return bytes.error();
    body(std::as_bytes(std::span(header)), std::span<const std::byte>(bytes.value()));
  }
  return {};
}

Status WriteAll(const Trainer& trainer, const NewFolder& folder, uint64_t position) {
  Bytes weights;
  Status status = ForEachWeight(trainer, [&](auto header, auto bytes) {
    weights.insert(weights.end(), header.begin(), header.end());
    weights.insert(weights.end(), bytes.begin(), bytes.end());
  });
  if (!status.ok()) return status;
  status = folder.Write(kWeightsFile, {weights});
  for (size_t i = 0; i < trainer.states().size() && status.ok(); ++i) {
    const Trainer::State& state = trainer.states()[i];
    Result<Bytes> bytes = Read(state);
    if (!bytes.ok()) return bytes.error();
    const std::string header =
        model::NpyHeader(state.kept.tensor.data_type, ShapeOf(state.kept.tensor));
    status = folder.Write(state.kept.name + std::string(kTensorEnding),
                          {std::as_bytes(std::span(header)), bytes.value()});
  }
  if (!status.ok()) return status;
  const std::string text = TextOf(Manifest{.model = trainer.model_hash(),
                                           .steps = trainer.steps(),
                                           .seed = trainer.seed(),
                                           .position = position,
                                           .learning_rate = trainer.learning_rate(),
                                           .weights_sha256 = Sha256().Add(weights).Text()});
  return folder.Write(kManifestFile, {std::as_bytes(std::span(text))});
}

Result<Bytes> ReadState(const std::string& folder, const Trainer::State& state) {
  const std::string name = state.kept.name + std::string(kTensorEnding);
  constexpr uint64_t kMostOfHeader = 1 << 16;
  Result<std::vector<uint8_t>> file =
      ReadFile(folder, name, state.kept.tensor.total_bytes + kMostOfHeader);
  if (!file.ok()) return file.error();
  Result<model::NpyArray> array = model::ReadNpy(file.value());
  if (!array.ok()) return Refuse(folder, name, array.error().message);
  if (array.value().data_type != state.kept.tensor.data_type ||
      array.value().shape != ShapeOf(state.kept.tensor)) {
    return Refuse(
        folder, name,
        fmt::format("is {} of sizes {{{}}} and must be {} of {{{}}}",
                    DataTypeName(array.value().data_type), fmt::join(array.value().shape, ", "),
                    DataTypeName(state.kept.tensor.data_type),
                    fmt::join(state.kept.tensor.Sizes(), ", ")));
  }
  Bytes bytes(state.memory.bytes());  // a multiple of 4, of which the last may be nobody's
  std::memcpy(bytes.data(), array.value().data.data(), array.value().data.size());
  return bytes;
}

// The weights and the count of steps are in the manifest too.
Status CheckStates(const std::string& folder, const Manifest& manifest, const Trainer& trainer,
                   const std::vector<Bytes>& all) {
  std::vector<Weight> weights;
  for (size_t i = 0; i < all.size(); ++i) {
    const Kept& kept = trainer.states()[i].kept;
    if (kept.kind == Kept::Kind::kParameter) weights.push_back({kept.name, kept.tensor, all[i]});
  }
  if (Checksum(std::move(weights)) != manifest.weights_sha256) {
    return Refuse(folder, kManifestFile, "has a weights_sha256 that is not that of the weights");
  }
  // A step that comes from a model counts as it likes.
  if (trainer.states().back().kept.kind != Kept::Kind::kCounter) return {};
  uint32_t steps = 0;  // of any count the lower 32 bits
  std::memcpy(&steps, all.back().data(), sizeof steps);
  if (steps == static_cast<uint32_t>(manifest.steps)) return {};
  return Refuse(folder, kManifestFile,
                fmt::format("has steps = {}, and steps.npy has {}", manifest.steps, steps));
}

}  // namespace

Status SaveCheckpoint(const Trainer& trainer, const std::string& folder, uint64_t position) {
  Result<NewFolder> created = NewFolder::Create(folder);
  if (!created.ok()) return created.error();
  Status status = WriteAll(trainer, created.value(), position);
  return status.ok() ? created.value().Finish() : status;
}

Result<uint64_t> LoadCheckpoint(Trainer& trainer, const std::string& folder) {
  Result<Manifest> manifest = ReadManifest(folder);
  if (!manifest.ok()) return manifest.error();
  if (manifest.value().model != trainer.model_hash()) {
    return Refuse(folder, kManifestFile, "is of another model, loss or optimizer");
  }
  std::vector<Bytes> all;
  for (const Trainer::State& state : trainer.states()) {
    Result<Bytes> bytes = ReadState(folder, state);
    if (!bytes.ok()) return bytes.error();
    all.push_back(std::move(bytes).value());
  }
  Status status = CheckStates(folder, manifest.value(), trainer, all);
  if (status.ok()) status = trainer.SetLearningRate(manifest.value().learning_rate);
  for (size_t i = 0; i < all.size() && status.ok(); ++i) {
    status = trainer.states()[i].memory.Write(all[i].data());
  }
  if (!status.ok()) return status.error();
  trainer.Continue(manifest.value().steps, manifest.value().seed);
  return manifest.value().position;
}

Result<std::string> Checksum(const Trainer& trainer) {
  Sha256 hash;
  Status status =
      ForEachWeight(trainer, [&](auto header, auto bytes) { hash.Add(header).Add(bytes); });
  if (!status.ok()) return status.error();
  return hash.Text();
}

std::string Checksum(std::vector<Weight> weights) {
  std::ranges::sort(weights, {}, &Weight::name);
  Sha256 hash;
  for (const Weight& weight : weights) {
    const std::string header = HeaderOf(weight.name, weight.tensor);
    hash.Add(std::as_bytes(std::span(header))).Add(weight.elements);
  }
  return hash.Text();
}

}  // namespace anydml::train
