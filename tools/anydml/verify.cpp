// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// `anydml verify`: makes some steps of a logged training again, and compares bits.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/escaped.h"
#include "commands.h"
#include "console.h"
#include "replay.h"
#include "train/checkpoint.h"

namespace anydml::tool {
namespace {

using Checkpoint = RunLog::Checkpoint;

class Verification {
 public:
  explicit Verification(const VerifyOptions& options) : options_(options) {}

  Status Execute() {
    Result<RunLog> log = ReadRunLog(options_.log);
    if (!log.ok()) return log.error();
    log_ = std::move(log).value();
    Status status = Choose();
    if (status.ok()) status = Open();
    if (status.ok() && first_.step != 0) status = Load();
    if (!status.ok()) return status;
    while (replay_->trainer().steps() < last_.step) {
      Result<float> loss = replay_->Step();
      if (!loss.ok()) return loss.error();
      status = CompareLoss(loss.value());
      if (!status.ok()) return status;
    }
    status = CompareSum(last_);
    if (!status.ok()) return status;
    Print("steps {} to {}: all losses and the sha256 of the last checkpoint are the same on {}\n",
          first_.step + 1, last_.step, Escaped(options_.device));
    return {};
  }

 private:
  // The checkpoints before and after the step.
  Status Choose() {
    const std::vector<Checkpoint>& all = log_.checkpoints;
    const auto next = std::ranges::lower_bound(all, options_.step, {}, &Checkpoint::step);
    if (next == all.end() || options_.step <= log_.first.step) {
      return InvalidArgument(fmt::format("--step {}: {} has checkpoints of steps {} to {}",
                                         options_.step, Escaped(options_.log), log_.first.step + 1,
                                         all.empty() ? log_.first.step : all.back().step));
    }
    last_ = *next;
    first_ = next == all.begin() ? log_.first : *std::prev(next);
    return {};
  }

  // What the log names must be what it was.
  Status Open() {
    const RunLog then = log_;
    Result<std::unique_ptr<Replay>> replay = Replay::Open(log_, options_.device, options_.threads);
    if (!replay.ok()) return replay.error();
    replay_ = std::move(replay).value();
    Status status = CompareFile(log_.model, then.model_sha256, log_.model_sha256);
    for (size_t i = 0; i < then.feeds.size() && status.ok(); ++i) {
      status = CompareFile(log_.feeds[i].path, then.feeds[i].sha256, log_.feeds[i].sha256);
    }
    return status;
  }

  static Status CompareFile(const std::string& path, const std::string& then,
                            const std::string& now) {
    if (then == now) return {};
    return InvalidArgument(
        fmt::format("{} is not the file that was trained with: its contents have another sha256",
                    Escaped(path)));
  }

  Status Load() {
    const Status status = replay_->Load(first_);
    return status.ok() ? CompareSum(first_) : status;
  }

  Status CompareLoss(float loss) const {
    const uint64_t step = replay_->trainer().steps();
    const float then = log_.losses[step - 1 - log_.first.step];
    const auto now_bits = std::bit_cast<uint32_t>(loss);
    const auto then_bits = std::bit_cast<uint32_t>(then);
    if (now_bits == then_bits) return {};
    return InvalidArgument(
        fmt::format("step {}: the loss is {} ({:08x}) here and {} ({:08x}) in {}", step, loss,
                    now_bits, then, then_bits, Escaped(options_.log)));
  }

  Status CompareSum(const Checkpoint& checkpoint) const {
    Result<std::string> sum = train::Checksum(replay_->trainer());
    if (!sum.ok()) return sum.error();
    if (sum.value() == checkpoint.sha256) return {};
    return InvalidArgument(fmt::format("step {}: the sha256 is {} here and {} in {}",
                                       checkpoint.step, sum.value(), Escaped(checkpoint.sha256),
                                       Escaped(options_.log)));
  }

  const VerifyOptions& options_;
  RunLog log_;
  Checkpoint first_;
  Checkpoint last_;
  std::unique_ptr<Replay> replay_;
};

}  // namespace

int VerifyLog(const VerifyOptions& options) {
  const Status status = Verification(options).Execute();
  if (status.ok()) return kSuccess;
  Complain("{}", status.error().message);
  return kFailure;
}

}  // namespace anydml::tool
