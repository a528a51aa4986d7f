// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A training in a folder: manifest.json, weights.bin, and every tensor that is kept as an
// .npy file (B145). The folder is written under another name and takes its own when it is
// whole, so that an interrupted or impossible write leaves the one that there was.
#pragma once

#include <cstdint>
#include <string>

#include "train/trainer.h"

namespace anydml::train {

// `position` is the caller's: how far it is in its data.
Status SaveCheckpoint(const Trainer& trainer, const std::string& folder, uint64_t position);

// Into a trainer of the same model. Returns the position. A folder that does not fit leaves
// the trainer as it was.
Result<uint64_t> LoadCheckpoint(Trainer& trainer, const std::string& folder);

// A weight in memory of the host, packed.
struct Weight {
  std::string name;
  TensorDesc tensor;
  std::span<const std::byte> elements;
};

// SHA-256 of weights.bin: per parameter in the order of names a line such as
// "FLOAT32 6 1 5 5 conv1" and the packed little-endian elements.
Result<std::string> Checksum(const Trainer& trainer);
std::string Checksum(std::vector<Weight> weights);

}  // namespace anydml::train
