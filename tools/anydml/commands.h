// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The commands of `anydml`, one file each. They print to standard output, leave
// one sentence on standard error when they fail, and return the exit code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "train/optimizer.h"

namespace anydml::bench {
struct Options;
}

namespace anydml::tool {

inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;
inline constexpr int kUsage = 2;

struct OpsOptions {
  std::string name;  // empty: all
  bool json = false;
  bool markdown = false;
};
int ListOps(const OpsOptions& options);

int ListDevices();

struct RunOptions {
  std::string model;
  std::string device = "cpu";
  uint32_t threads = 0;
  std::string feature_level;  // empty: the newest
  std::string input_path;     // empty: the model's folder
  std::string output_path;    // empty: the current folder, with care (targets.h)
  uint32_t iterations = 0;    // 0: once, untimed
  bool tables = false;        // show the tensors of every dispatch as small tables
};
int RunModel(const RunOptions& options);

struct CheckOptions {
  std::string model;
  std::string feature_level;
  std::string input_path;
  std::string output_path;
};
int CheckModel(const CheckOptions& options);

struct ExplainOptions {
  std::string model;
  std::string feature_level;
  std::string input_path;
};
int ExplainModel(const ExplainOptions& options);

struct DrawOptions {
  std::string model;
  std::string output;  // empty: standard output
  std::string feature_level;
  std::string input_path;
  bool taps = false;  // weights on the arrows, and what they reach in the other inputs
};
int DrawModel(const DrawOptions& options);

struct GradOptions {
  std::string model;
  std::string input_path;
  std::string loss;
  std::vector<std::string> of;
  std::string output;  // empty: standard output
  std::optional<train::Optimizer> update;
  std::string runner;         // "directml", or empty for this library
  std::string feature_level;  // of DirectML's; empty: the newest
};
int DifferentiateModel(const GradOptions& options);

struct TrainOptions {
  std::string model;
  std::string input_path;
  std::vector<std::string> feeds;  // NAME=FILE
  uint64_t steps = 0;
  std::string device = "cpu";
  uint32_t threads = 0;
  uint64_t seed = 1;                     // of the order of samples and of first values
  std::vector<std::string> initialized;  // parameters that get first values from the seed
  std::string from;                      // a checkpoint's folder to go on from
  std::string save;                      // folder of the checkpoints' folders
  uint64_t every = 64;                   // steps from checkpoint to checkpoint
  std::string log;                       // empty: none
};
int TrainModel(const TrainOptions& options);

struct VerifyOptions {
  std::string log;
  uint64_t step = 0;
  std::string device = "cpu";
  uint32_t threads = 0;
};
int VerifyLog(const VerifyOptions& options);

// Every operator's benchmark cases beside a copy of the same bytes.
int Benchmark(const bench::Options& options);

}  // namespace anydml::tool
