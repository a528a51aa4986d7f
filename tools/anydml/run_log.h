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
  std::vector<std::string> initialized;  // parameters with first values from the seed (B141)
  std::vector<FeedFile> feeds;
  Checkpoint first;                     // of --from; step 0 is the model itself
  std::vector<float> losses;            // of the steps after the first checkpoint
  std::vector<Checkpoint> checkpoints;  // by growing steps

  uint64_t steps() const { return first.step + losses.size(); }
};

std::string HeaderOf(const RunLog& log);
// The lines of the steps after `step` and their checkpoints, which follow the header.
std::string LinesAfter(uint64_t step, const RunLog& log);

// One sentence, that begins with the path, for whatever is wrong with the file. A last line
// without its end, of a run that was stopped while it wrote, is not read.
Result<RunLog> ReadRunLog(const std::string& path);

}  // namespace anydml::tool
