// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "bench/measure_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>

#include "bench/agreement.h"
#include "bench/arithmetic.h"
#include "bench/check.h"
#include "bench/contest.h"
#include "bench/copy.h"
#include "bench/cuda_row.h"
#include "bench/memory.h"
#include "bench/movement.h"

namespace anydml::bench {
namespace {

Result<const CpuStrategy*> FindStrategy(const Kernel& kernel, std::string_view name) {
  if (name.empty()) return static_cast<const CpuStrategy*>(nullptr);
  std::string known;
  for (const CpuStrategy& strategy : kernel.cpu_strategies) {
    if (strategy.name == name) return &strategy;
    known.append(known.empty() ? "" : ", ").append(strategy.name);
  }
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("{} has no strategy '{}'; these are: {}", kernel.name, name, known)};
}

Result<CpuProgram> CompileRow(const Row& row, const MeasureOptions& options) {
  Result<const CpuStrategy*> strategy = FindStrategy(*row.definition->kernel, options.strategy);
  if (!strategy.ok()) return strategy.error();
  Result<Operator> op = CreateOperator(*row.definition, Describe(row), {});
  if (!op.ok()) return op.error();
  return Compile(op.value(), strategy.value());
}

// All that compete for one row.
class Contest {
 public:
  Contest(const Row& row, CpuProgram program, const MeasureOptions& options)
      : row_(row),
        options_(options),
        program_(std::move(program)),
        executor_(options.threads),
        arena_(*program_.op.arguments, options.seed, executor_),
        temporary_(program_.temporary_bytes),
        bindings_(arena_.Bind()) {
    bindings_.temporary = temporary_.data();
  }

  Result<RowResult> Hold() {
    RowResult result;
    result.row = row_;
    result.strategy = program_.strategy->name;
    result.threads = options_.threads;
    result.bytes = BytesOf(row_).moved();
    const Status status = Run(program_, bindings_, executor_);
    if (!status.ok()) return status.error();
    if (auto difference = FindDifference(row_, bindings_)) {
      return Error{ErrorCode::kInternal, *difference};
    }
    std::vector<PeerContestant> peers;
    for (const Peer& peer : options_.peers) Enter(peer, peers, result);
    Time(peers, result);
    return result;
  }

 private:
  void Enter(const Peer& peer, std::vector<PeerContestant>& peers, RowResult& result) {
    try {
      const PeerTask task = {row_, *program_.op.arguments, bindings_, options_.threads};
      Agreement agreement(program_, bindings_, executor_);
      for (PeerContestant& contestant : peer.enter(task)) {
        if (auto difference = agreement.FindDifference(contestant)) {
          result.notes.push_back(fmt::format("{} is not timed: {}", contestant.name, *difference));
        } else {
          peers.push_back(std::move(contestant));
        }
      }
    } catch (const std::exception& error) {
      const std::string_view sentence = error.what();
      result.notes.push_back(
          fmt::format("{} refuses: {}", peer.name, sentence.substr(0, sentence.find('\n'))));
    }
  }

  void Time(const std::vector<PeerContestant>& peers, RowResult& result) {
    Copy copy(result.bytes);
    Movement movement(BytesOf(row_));
    const auto on_one_thread = [&] { (void)Run(program_, bindings_, one_thread_); };
    const Arithmetic arithmetic(RoughTime(on_one_thread));
    std::vector<std::function<void()>> contestants = {
        [&] { (void)Run(program_, bindings_, executor_); },
        on_one_thread,
        [&] { copy.Library(executor_); },
        [&] { copy.Plain(executor_); },
        [&] { copy.NonTemporal(executor_); },
        [&] { arithmetic.Run(executor_); },
        [&] { arithmetic.Run(one_thread_); },
        [&] { movement.Run(executor_); },
    };
    const size_t first_peer = contestants.size();
    for (const PeerContestant& peer : peers) contestants.push_back(peer.run);
    const std::vector<double> times = HoldContest(
        contestants, {.bytes = result.bytes, .seconds = options_.seconds, .warm = options_.warm},
        executor_);
    result.ours_ms = times[0];
    result.one_thread_ms = times[1];
    const CopyTimes copies = {times[2], times[3], times[4]};
    result.memcpy_ms = copies.library;
    result.fastest_copy_ms = copies.Fastest();
    result.floor_ms = copies.Floor(result.bytes);
    result.machine_gain = times[6] / times[5];
    result.moved_ms = times[7];
    for (size_t i = 0; i < peers.size(); ++i) {
      result.peers.push_back({peers[i].name, peers[i].raced, times[first_peer + i]});
    }
  }

  const Row row_;
  const MeasureOptions& options_;
  const CpuProgram program_;
  const cpu::Executor executor_;
  const cpu::Executor one_thread_{1};
  Arena arena_;
  Buffer temporary_;
  Bindings bindings_;
};

}  // namespace

double RowResult::best_peer_ms() const {
  double best = 0;
  for (const PeerTime& peer : peers) {
    if (peer.raced && (best == 0 || peer.ms < best)) best = peer.ms;
  }
  return best;
}

RowResult MiddleOf(std::vector<RowResult> passes) {
  const auto middle = passes.begin() + static_cast<int64_t>(passes.size() - 1) / 2;
  std::ranges::nth_element(passes, middle, {}, &RowResult::floors);
  return std::move(*middle);
}

Result<RowResult> MeasureRow(const Row& row, const MeasureOptions& options) {
  if (options.device != "cpu") return MeasureRowOnCuda(row, options);
  Result<CpuProgram> program = CompileRow(row, options);
  if (!program.ok()) return program.error();
  return Contest(row, std::move(program).value(), options).Hold();
}

}  // namespace anydml::bench
