// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "bench/contest.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>

#include "bench/memory.h"

namespace anydml::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMinRounds = 7;
constexpr int kMaxRounds = 201;
constexpr uint64_t kSmall = 1 << 20;
constexpr uint64_t kBeyondCaches = 256 << 20;
constexpr double kMinSampleMs = 0.2;

double Milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

double TimeOf(const std::function<void()>& run, int times) {
  const auto start = Clock::now();
  for (int i = 0; i < times; ++i) run();
  return Milliseconds(Clock::now() - start) / times;
}

// So many that the clock's own cost does not count.
int ExecutionsPerSample(const std::function<void()>& run, const ContestOptions& options) {
  run();
  const double once = TimeOf(run, 1);
  if (options.bytes >= kSmall) return 1;
  return static_cast<int>(std::clamp(kMinSampleMs / std::max(once, 1e-5), 3.0, 1000.0));
}

// Reads more than the caches hold, on every thread.
class Sweep {
 public:
  Sweep() : memory_(kSweptBytes) {}

  void Run(const cpu::Executor& executor) {
    executor.ParallelFor(kSweptBytes / kBlock, 1, [&](uint64_t begin, uint64_t end) {
      uint64_t sum = 0;
      for (uint64_t at = begin * kBlock; at < end * kBlock; at += kCacheLine) {
        sum += memory_.data()[at];
      }
      sum_.fetch_add(sum, std::memory_order_relaxed);  // so that nobody skips the reading
    });
  }

 private:
  static constexpr uint64_t kSweptBytes = 96 << 20;
  static constexpr uint64_t kBlock = 1 << 20;

  Buffer memory_;
  std::atomic<uint64_t> sum_{0};
};

}  // namespace

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double RoughTime(const std::function<void()>& run) {
  run();
  return TimeOf(run, 3);
}

std::vector<double> HoldContest(const std::vector<std::function<void()>>& contestants,
                                const ContestOptions& options, const cpu::Executor& executor) {
  const bool small = options.bytes < kSmall, beyond_caches = options.bytes >= kBeyondCaches;
  std::optional<Sweep> sweep;
  if (!options.warm && !small && !beyond_caches) sweep.emplace();
  std::vector<int> times;
  for (const auto& run : contestants) times.push_back(ExecutionsPerSample(run, options));
  std::vector<std::vector<double>> samples(contestants.size());
  const auto start = Clock::now();
  for (int round = 0; round < kMaxRounds; ++round) {
    const bool enough = Milliseconds(Clock::now() - start) > options.seconds * 1e3;
    if (round >= kMinRounds && enough) break;
    for (size_t i = 0; i < contestants.size(); ++i) {
      if (sweep) {
        sweep->Run(executor);
      } else if (!beyond_caches) {
        contestants[i]();
      }
      samples[i].push_back(TimeOf(contestants[i], times[i]));
    }
  }
  std::vector<double> medians;
  for (auto& values : samples) medians.push_back(Median(std::move(values)));
  return medians;
}

}  // namespace anydml::bench
