// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "train/manifest.h"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "base/sha256.h"
#include "model/json_text.h"
#include "model/paths.h"

namespace anydml::train {
namespace {

constexpr uint64_t kFormat = 2;
constexpr std::string_view kOwnSum = "  \"sha256\": ";

std::string SumOf(std::string_view text) {
  return Sha256().Add(std::as_bytes(std::span(text))).Text();
}

bool ReadNumber(const model::Json& json, const char* name, uint64_t& value) {
  if (!json.is_object() || !json.contains(name) || !json[name].is_number_unsigned()) return false;
  value = json[name].get<uint64_t>();
  return true;
}

// 64 hexadecimal digits.
bool ReadSum(const model::Json& json, const char* name, std::string& value) {
  if (!json.contains(name) || !json[name].is_string()) return false;
  value = json[name].get<std::string>();
  constexpr std::string_view kDigits = "0123456789abcdef";
  return value.size() == 64 && value.find_first_not_of(kDigits) == std::string::npos;
}

bool ReadFiles(const model::Json& json, Manifest& manifest) {
  if (!json.contains("files") || !json["files"].is_object()) return false;
  const model::Json& files = json["files"];
  for (const auto& file : files.items()) {
    if (!ReadSum(files, file.key().c_str(), manifest.files[file.key()])) return false;
  }
  return true;
}

}  // namespace

std::string TextOf(const Manifest& manifest) {
  std::string text = fmt::format(
      "{{\n  \"format\": {},\n  \"model\": \"{}\",\n  \"steps\": {},\n  \"seed\": {},\n"
      "  \"position\": {},\n  \"learning_rate\": \"{}\",\n  \"learning_rate_bits\": {},\n"
      "  \"files\": {{",
      kFormat, manifest.model, manifest.steps, manifest.seed, manifest.position,
      manifest.learning_rate, std::bit_cast<uint32_t>(manifest.learning_rate));
  for (const auto& [name, sum] : manifest.files) {
    const bool is_first = text.ends_with('{');
    text += fmt::format("{}\n    \"{}\": \"{}\"", is_first ? "" : ",", name, sum);
  }
  text += "\n  },\n";
  const std::string own = SumOf(text);
  return text.append(kOwnSum).append(fmt::format("\"{}\"\n}}\n", own));
}

Error Refuse(const std::string& folder, std::string_view file, std::string_view what) {
  return InvalidArgument(fmt::format("{}/{} {}", Escaped(folder), Escaped(file), what));
}

Result<std::vector<uint8_t>> ReadFile(const std::string& folder, const std::string& name,
                                      uint64_t most) {
  Result<std::vector<uint8_t>> bytes = model::ReadFile(folder + "/" + name, most);
  if (!bytes.ok()) return Refuse(folder, name, bytes.error().message);
  return bytes;
}

Result<Manifest> ReadManifest(const std::string& folder) {
  constexpr uint64_t kMost = 1 << 20;
  Result<std::vector<uint8_t>> bytes = ReadFile(folder, std::string(kManifestFile), kMost);
  if (!bytes.ok()) return bytes.error();
  const std::string_view text(reinterpret_cast<const char*>(bytes.value().data()),
                              bytes.value().size());
  Result<model::Json> json = model::ParseJson(text);
  if (!json.ok()) return Refuse(folder, kManifestFile, "is no JSON: " + json.error().message);
  const model::DismantleAtEnd dismantle(json);
  const model::Json& read = json.value();
  uint64_t format = 0;
  if (!ReadNumber(read, "format", format) || format != kFormat) {
    return Refuse(folder, kManifestFile, fmt::format("is not of format {}", kFormat));
  }
  Manifest manifest;
  uint64_t rate = 0;
  std::string own;
  const bool is_whole =
      ReadNumber(read, "steps", manifest.steps) && ReadNumber(read, "seed", manifest.seed) &&
      ReadNumber(read, "position", manifest.position) &&
      ReadNumber(read, "learning_rate_bits", rate) && ReadSum(read, "model", manifest.model) &&
      ReadFiles(read, manifest) && ReadSum(read, "sha256", own);
  if (!is_whole) {
    return Refuse(folder, kManifestFile,
                  "must have steps, seed, position, learning_rate_bits, and model, files and "
                  "sha256 of 64 hexadecimal digits");
  }
  if (own != SumOf(text.substr(0, text.rfind(kOwnSum)))) {
    return Refuse(folder, kManifestFile, "was changed: it has another sha256 than it says");
  }
  if (rate > std::numeric_limits<uint32_t>::max()) {
    return Refuse(folder, kManifestFile,
                  fmt::format("has learning_rate_bits = {}, which must be below 2^32", rate));
  }
  manifest.learning_rate = std::bit_cast<float>(static_cast<uint32_t>(rate));
  return manifest;
}

Status CheckFile(const Manifest& manifest, const std::string& folder, const std::string& name,
                 std::span<const uint8_t> bytes) {
  const auto found = manifest.files.find(name);
  const std::string sum = Sha256().Add(std::as_bytes(bytes)).Text();
  if (found != manifest.files.end() && found->second == sum) return {};
  return Refuse(folder, name, "was changed: manifest.json has another sha256 of it");
}

}  // namespace anydml::train
