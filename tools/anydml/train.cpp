// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// `anydml train`: executes a step again and again, with batches from files.
#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/escaped.h"
#include "commands.h"
#include "console.h"
#include "output_file.h"
#include "replay.h"
#include "train/checkpoint.h"

namespace anydml::tool {
namespace {

namespace fs = std::filesystem;

volatile std::sig_atomic_t is_interrupted = 0;

// A checkpoint is saved before the command ends. What is ignored, by nohup say, stays so.
void StopGracefully() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, [](int) { is_interrupted = 1; }) == SIG_IGN) {
      std::signal(signal, SIG_IGN);
    }
  }
}

// "x=pictures.npy"
Result<FeedFile> ReadFeed(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals != std::string::npos && equals != 0 && equals + 1 != text.size()) {
    return FeedFile{text.substr(0, equals), text.substr(equals + 1), ""};
  }
  return InvalidArgument(fmt::format("--feed: '{}' must be NAME=FILE", Escaped(text)));
}

Status MakeFolder(const std::string& path) {
  std::error_code problem;
  fs::create_directory(path, problem);
  if (!problem && fs::is_directory(path, problem)) return {};
  const std::string reason = problem ? problem.message() : std::strerror(ENOTDIR);
  return InvalidArgument(fmt::format("{} cannot be created: {}", Escaped(path), reason));
}

class Run {
 public:
  explicit Run(const TrainOptions& options) : options_(options) {}

  Status Execute() {
    Status status = Open();
    if (!status.ok()) return status;
    while (log_.steps() < options_.steps && is_interrupted == 0) {
      Result<float> loss = replay_->Step();
      if (!loss.ok()) return loss.error();
      log_.losses.push_back(loss.value());
      const bool is_due = log_.steps() % options_.every == 0 || log_.steps() == options_.steps;
      if (is_due) status = Save();
      if (!status.ok()) return status;
    }
    if (log_.steps() == options_.steps) return {};
    if (saved_ != log_.steps()) status = Save();
    return status.ok() ? InvalidArgument(Interruption()) : status;
  }

 private:
  Status Open() {
    log_.model = options_.model;
    log_.input_path = options_.input_path;
    log_.device = options_.device;
    log_.seed = options_.seed;
    log_.initialized = options_.initialized;
    std::vector<fs::path> fed;
    for (const std::string& text : options_.feeds) {
      Result<FeedFile> feed = ReadFeed(text);
      if (!feed.ok()) return feed.error();
      log_.feeds.push_back(feed.value());
      fed.emplace_back(feed.value().path);
    }
    const Status unread = CheckReplacesNone(options_.log, fed);
    if (!unread.ok())
      return InvalidArgument(fmt::format("'{}' {}", Escaped(options_.log), unread.error().message));
    Result<std::unique_ptr<Replay>> replay =
        Replay::Open(log_, options_.device, options_.threads, options_.log);
    if (!replay.ok()) return replay.error();
    replay_ = std::move(replay).value();
    Status status = options_.from.empty() ? Status() : GoOn();
    if (!status.ok()) return status;
    StopGracefully();
    status = MakeFolder(options_.save);
    if (!status.ok() || options_.log.empty()) return status;
    return WriteText(HeaderOf(log_), options_.log);
  }

  Status GoOn() {
    Result<uint64_t> position = train::LoadCheckpoint(replay_->trainer(), options_.from);
    if (!position.ok()) return position.error();
    const train::Trainer& trainer = replay_->trainer();
    if (trainer.seed() != options_.seed) {
      return InvalidArgument(fmt::format("--seed {}: {} has the seed {}", options_.seed,
                                         Escaped(options_.from), trainer.seed()));
    }
    if (trainer.steps() >= options_.steps) {
      return InvalidArgument(fmt::format("--steps {}: {} is of step {}", options_.steps,
                                         Escaped(options_.from), trainer.steps()));
    }
    Result<std::string> sum = train::Checksum(trainer);
    if (!sum.ok()) return sum.error();
    log_.first = {trainer.steps(), options_.from, sum.value()};
    saved_ = trainer.steps();
    return {};
  }

  Status Save() {
    const uint64_t step = log_.steps();
    const std::string folder = (fs::path(options_.save) / std::to_string(step)).string();
    Status status = train::SaveCheckpoint(replay_->trainer(), folder, step);
    if (!status.ok()) return status;
    Result<std::string> sum = train::Checksum(replay_->trainer());
    if (!sum.ok()) return sum.error();
    log_.checkpoints.push_back({step, folder, sum.value()});
    Print("step {}: loss {}, sha256 {} in {}\n", step, log_.losses.back(), sum.value(),
          Escaped(folder));
    const uint64_t before = std::exchange(saved_, step);
    return options_.log.empty() ? Status() : AppendText(LinesAfter(before, log_), options_.log);
  }

  std::string Interruption() const {
    if (log_.checkpoints.empty()) return "interrupted before the first step";
    return fmt::format("interrupted after step {} of {}, which is saved in {}", log_.steps(),
                       options_.steps, Escaped(log_.checkpoints.back().folder));
  }

  const TrainOptions& options_;
  RunLog log_;
  std::unique_ptr<Replay> replay_;
  uint64_t saved_ = 0;  // the step of the last checkpoint
};

}  // namespace

int TrainModel(const TrainOptions& options) {
  const Status status = Run(options).Execute();
  if (status.ok()) return kSuccess;
  Complain("{}", status.error().message);
  return kFailure;
}

}  // namespace anydml::tool
