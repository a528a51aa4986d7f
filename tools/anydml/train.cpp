// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// `anydml train`: executes a step again and again, with batches from files.
#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <filesystem>

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
    while (replay_->trainer().steps() < options_.steps && is_interrupted == 0) {
      Result<float> loss = replay_->Step();
      if (!loss.ok()) return loss.error();
      log_.losses.push_back(loss.value());
      const uint64_t step = replay_->trainer().steps();
      const bool is_due = step % options_.every == 0 || step == options_.steps;
      if (is_due || is_interrupted != 0) status = Save();
      if (!status.ok()) return status;
    }
    if (log_.losses.size() == options_.steps) return {};
    return InvalidArgument(Interruption());
  }

 private:
  Status Open() {
    log_ = {options_.model, options_.input_path, "", options_.device, options_.seed, {}, {}, {}};
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
    std::signal(SIGINT, [](int) { is_interrupted = 1; });
    const Status status = MakeFolder(options_.save);
    return status.ok() ? WriteLog() : status;
  }

  Status Save() {
    const uint64_t step = replay_->trainer().steps();
    const std::string folder = (fs::path(options_.save) / std::to_string(step)).string();
    Status status = train::SaveCheckpoint(replay_->trainer(), folder, step);
    if (!status.ok()) return status;
    Result<std::string> sum = train::Checksum(replay_->trainer());
    if (!sum.ok()) return sum.error();
    log_.checkpoints.push_back({step, folder, sum.value()});
    Print("step {}: loss {}, sha256 {} in {}\n", step, log_.losses.back(), sum.value(),
          Escaped(folder));
    return WriteLog();
  }

  // Anew each time, so that it is whole whatever happens.
  Status WriteLog() const {
    return options_.log.empty() ? Status() : WriteText(TextOf(log_), options_.log);
  }

  std::string Interruption() const {
    if (log_.checkpoints.empty()) return "interrupted before the first step";
    return fmt::format("interrupted after step {} of {}, which is saved in {}", log_.losses.size(),
                       options_.steps, Escaped(log_.checkpoints.back().folder));
  }

  const TrainOptions& options_;
  RunLog log_;
  std::unique_ptr<Replay> replay_;
};

}  // namespace

int TrainModel(const TrainOptions& options) {
  const Status status = Run(options).Execute();
  if (status.ok()) return kSuccess;
  Complain("{}", status.error().message);
  return kFailure;
}

}  // namespace anydml::tool
