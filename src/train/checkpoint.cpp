// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/checkpoint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "base/sha256.h"
#include "model/json_text.h"
#include "model/npy.h"
#include "model/paths.h"
#include "train/new_folder.h"

namespace anydml::train {
namespace {

using Bytes = std::vector<std::byte>;

constexpr uint64_t kFormat = 1;
constexpr std::string_view kManifest = "manifest.json";
constexpr std::string_view kWeights = "weights.bin";

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

std::string Manifest(const Trainer& trainer, uint64_t position, const std::string& checksum) {
  return fmt::format(
      "{{\n  \"format\": {},\n  \"model\": \"{}\",\n  \"steps\": {},\n  \"seed\": {},\n"
      "  \"position\": {},\n  \"learning_rate\": \"{}\",\n  \"learning_rate_bits\": {},\n"
      "  \"weights_sha256\": \"{}\"\n}}\n",
      kFormat, trainer.model_hash(), trainer.steps(), trainer.seed(), position,
      trainer.learning_rate(), std::bit_cast<uint32_t>(trainer.learning_rate()), checksum);
}

Status WriteAll(const Trainer& trainer, const NewFolder& folder, uint64_t position) {
  Bytes weights;
  Status status = ForEachWeight(trainer, [&](auto header, auto bytes) {
    weights.insert(weights.end(), header.begin(), header.end());
    weights.insert(weights.end(), bytes.begin(), bytes.end());
  });
  if (!status.ok()) return status;
  status = folder.Write(kWeights, {weights});
  for (size_t i = 0; i < trainer.states().size() && status.ok(); ++i) {
    const Trainer::State& state = trainer.states()[i];
    Result<Bytes> bytes = Read(state);
    if (!bytes.ok()) return bytes.error();
    const std::string header =
        model::NpyHeader(state.kept.tensor.data_type, ShapeOf(state.kept.tensor));
    status =
        folder.Write(state.kept.name + ".npy", {std::as_bytes(std::span(header)), bytes.value()});
  }
  if (!status.ok()) return status;
  const std::string text = Manifest(trainer, position, Sha256().Add(weights).Text());
  return folder.Write(kManifest, {std::as_bytes(std::span(text))});
}

// Sentences about a checkpoint begin with the file.
Error Refuse(const std::string& folder, std::string_view file, std::string_view what) {
  return InvalidArgument(fmt::format("{}/{} {}", Escaped(folder), Escaped(file), what));
}

Result<std::vector<uint8_t>> ReadFile(const std::string& folder, const std::string& name,
                                      uint64_t most) {
  Result<std::vector<uint8_t>> bytes = model::ReadFile(folder + "/" + name, most);
  if (!bytes.ok()) return Refuse(folder, name, bytes.error().message);
  return bytes;
}

struct Manifested {
  uint64_t steps = 0;
  uint64_t seed = 0;
  uint64_t position = 0;
  float learning_rate = 0;
};

Result<Manifested> ReadManifest(const std::string& folder, const std::string& model_hash) {
  constexpr uint64_t kMost = 1 << 20;
  Result<std::vector<uint8_t>> bytes = ReadFile(folder, std::string(kManifest), kMost);
  if (!bytes.ok()) return bytes.error();
  const std::string_view text(reinterpret_cast<const char*>(bytes.value().data()),
                              bytes.value().size());
  Result<model::Json> json = model::ParseJson(text);
  if (!json.ok()) return Refuse(folder, kManifest, "is no JSON: " + json.error().message);
  const model::DismantleAtEnd dismantle(json);
  const model::Json& manifest = json.value();
  const auto number = [&manifest](const char* name, uint64_t& value) {
    if (!manifest.is_object() || !manifest.contains(name)) return false;
    if (!manifest[name].is_number_unsigned()) return false;
    value = manifest[name].get<uint64_t>();
    return true;
  };
  uint64_t format = 0;
  if (!number("format", format) || format != kFormat) {
    return Refuse(folder, kManifest, fmt::format("is not of format {}", kFormat));
  }
  Manifested manifested;
  uint64_t rate = 0;
  const bool is_whole = number("steps", manifested.steps) && number("seed", manifested.seed) &&
                        number("position", manifested.position) &&
                        number("learning_rate_bits", rate) && manifest.contains("model");
  if (!is_whole) {
    return Refuse(folder, kManifest,
                  "must have steps, seed, position, learning_rate_bits and model");
  }
  manifested.learning_rate = std::bit_cast<float>(static_cast<uint32_t>(rate));
  if (manifest["model"] != model_hash) {
    return Refuse(folder, kManifest, "is of another model, loss or optimizer");
  }
  return manifested;
}

Result<Bytes> ReadState(const std::string& folder, const Trainer::State& state) {
  const std::string name = state.kept.name + ".npy";
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

}  // namespace

Status SaveCheckpoint(const Trainer& trainer, const std::string& folder, uint64_t position) {
  Result<NewFolder> created = NewFolder::Create(folder);
  if (!created.ok()) return created.error();
  Status status = WriteAll(trainer, created.value(), position);
  return status.ok() ? created.value().Finish() : status;
}

Result<uint64_t> LoadCheckpoint(Trainer& trainer, const std::string& folder) {
  Result<Manifested> manifest = ReadManifest(folder, trainer.model_hash());
  if (!manifest.ok()) return manifest.error();
  std::vector<Bytes> all;
  for (const Trainer::State& state : trainer.states()) {
    Result<Bytes> bytes = ReadState(folder, state);
    if (!bytes.ok()) return bytes.error();
    all.push_back(std::move(bytes).value());
  }
  Status status = trainer.SetLearningRate(manifest.value().learning_rate);
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
