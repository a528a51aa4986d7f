// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The log of a training, a JSON object per line: what was trained with which data, the bits of
// every step's loss, the sum of every checkpoint. `anydml verify` computes them again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "feeds.h"

namespace anydml::tool {

struct RunLog {
  struct Checkpoint {
    uint64_t step = 0;
    std::string folder;
    std::string sha256;  // of all that is kept (B145)
  };

  std::string model;
  std::string input_path;
  std::string model_sha256;  // StepModel::hash
  std::string device;        // for readers
  uint64_t seed = 0;
  std::vector<FeedFile> feeds;
  std::vector<float> losses;            // of step 1 and so on
  std::vector<Checkpoint> checkpoints;  // by growing steps
};

std::string TextOf(const RunLog& log);

// One sentence, that begins with the path, for whatever is wrong with the file.
Result<RunLog> ReadRunLog(const std::string& path);

}  // namespace anydml::tool
