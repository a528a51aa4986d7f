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

constexpr uint64_t kMostOfHeader = 1 << 16;

Result<Bytes> Read(const Trainer::State& state) {
  Bytes bytes(state.memory.bytes());
  Status status = state.memory.Read(bytes.data());
  if (!status.ok()) return status.error();
  return bytes;
}

std::vector<uint64_t> ShapeOf(const TensorDesc& tensor) {
  return {tensor.Sizes().begin(), tensor.Sizes().end()};
}

std::string FileOf(const Trainer::State& state) {
  return state.kept.name + std::string(kTensorEnding);
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
  Manifest manifest = {.model = trainer.model_hash(),
                       .steps = trainer.steps(),
                       .seed = trainer.seed(),
                       .position = position,
                       .learning_rate = trainer.learning_rate(),
                       .files = {}};
  const auto write = [&](const std::string& name, std::span<const std::byte> header,
                         std::span<const std::byte> bytes) {
    manifest.files[name] = Sha256().Add(header).Add(bytes).Text();
    return folder.Write(name, {header, bytes});
  };
  Bytes weights;
  Status status = ForEachWeight(trainer, [&](auto header, auto bytes) {
    weights.insert(weights.end(), header.begin(), header.end());
    weights.insert(weights.end(), bytes.begin(), bytes.end());
  });
  if (status.ok()) status = write(std::string(kWeightsFile), {}, weights);
  for (size_t i = 0; i < trainer.states().size() && status.ok(); ++i) {
    const Trainer::State& state = trainer.states()[i];
    Result<Bytes> bytes = Read(state);
    if (!bytes.ok()) return bytes.error();
    const std::string header =
        model::NpyHeader(state.kept.tensor.data_type, ShapeOf(state.kept.tensor));
    status = write(FileOf(state), std::as_bytes(std::span(header)), bytes.value());
  }
  if (!status.ok()) return status;
  const std::string text = TextOf(manifest);
  return folder.Write(kManifestFile, {std::as_bytes(std::span(text))});
}

Result<Bytes> ReadState(const std::string& folder, const Manifest& manifest,
                        const Trainer::State& state) {
  const std::string name = FileOf(state);
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
  Status status = CheckFile(manifest, folder, name, file.value());
  if (!status.ok()) return status.error();
  Bytes bytes(state.memory.bytes());  // a multiple of 4, of which the last may be nobody's
  std::memcpy(bytes.data(), array.value().data.data(), array.value().data.size());
  return bytes;
}

// Nothing is read from it, but somebody may compare it.
Status CheckWeightsFile(const std::string& folder, const Manifest& manifest,
                        const Trainer& trainer) {
  uint64_t most = 0;
  for (const Trainer::State& state : trainer.states()) most += state.memory.bytes() + kMostOfHeader;
  Result<std::vector<uint8_t>> file = ReadFile(folder, std::string(kWeightsFile), most);
  if (!file.ok()) return file.error();
  return CheckFile(manifest, folder, std::string(kWeightsFile), file.value());
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
    Result<Bytes> bytes = ReadState(folder, manifest.value(), state);
    if (!bytes.ok()) return bytes.error();
    all.push_back(std::move(bytes).value());
  }
  Status status = CheckWeightsFile(folder, manifest.value(), trainer);
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
