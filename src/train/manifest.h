// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A checkpoint's manifest.json: what it has beside the tensors, and that it is a checkpoint.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace anydml::train {

inline constexpr std::string_view kManifestFile = "manifest.json";
inline constexpr std::string_view kWeightsFile = "weights.bin";
inline constexpr std::string_view kTensorEnding = ".npy";

struct Manifest {
  std::string model;  // 64 hexadecimal digits, as those of files
  uint64_t steps = 0;
  uint64_t seed = 0;
  uint64_t position = 0;
  float learning_rate = 0;
  std::map<std::string, std::string, std::less<>> files;  // the sha256 of each by its name
};

// Ends with the sha256 of what stands before it.
std::string TextOf(const Manifest& manifest);

// Sentences about a checkpoint begin with the file.
Error Refuse(const std::string& folder, std::string_view file, std::string_view what);
Result<std::vector<uint8_t>> ReadFile(const std::string& folder, const std::string& name,
                                      uint64_t most);
Result<Manifest> ReadManifest(const std::string& folder);
// That a file has the bytes that were saved.
Status CheckFile(const Manifest& manifest, const std::string& folder, const std::string& name,
                 std::span<const uint8_t> bytes);

}  // namespace anydml::train
