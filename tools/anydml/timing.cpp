// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "timing.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "console.h"

namespace anydml::tool {
namespace {

using Clock = std::chrono::steady_clock;

double Milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Reads half of the bytes and writes the other half.
class Copy {
 public:
  explicit Copy(uint64_t bytes) : from_(bytes / 2 + 1, 1), to_(bytes / 2 + 1, 2) {}

  void Run(const cpu::Executor& executor) {
    executor.ParallelFor(from_.size(), 65536, [&](uint64_t begin, uint64_t end) {
      std::memcpy(to_.data() + begin, from_.data() + begin, end - begin);
    });
  }

 private:
  std::vector<char> from_;
  std::vector<char> to_;
};

class ProgressBar {
 public:
  explicit ProgressBar(uint32_t total) : total_(total), visible_(isatty(STDERR_FILENO) != 0) {}
  ~ProgressBar() {
    if (visible_ && drawn_ >= 0) WriteError(fmt::format("\r{:40}\r", ""));
  }

  void Show(uint32_t done) {
    const int percent = static_cast<int>(uint64_t{done} * 100 / total_);
    if (!visible_ || percent == drawn_) return;
    drawn_ = percent;
    WriteError(fmt::format("\r[{:<25}] {:3} %", std::string(percent / 4, '#'), percent));
  }

 private:
  const uint32_t total_;
  const bool visible_;
  int drawn_ = -1;
};

}  // namespace

Result<Timing> Measure(uint32_t iterations, uint64_t bytes, const cpu::Executor& executor,
                       const std::function<Status()>& execute) {
  Copy copy(bytes);
  copy.Run(executor);  // touches the pages
  std::vector<double> times, copy_times;
  ProgressBar progress(iterations);
  for (uint32_t i = 0; i < iterations; ++i) {
    const auto start = Clock::now();
    Status status = execute();
    const auto middle = Clock::now();
    if (!status.ok()) return status.error();
    copy.Run(executor);
    copy_times.push_back(Milliseconds(Clock::now() - middle));
    times.push_back(Milliseconds(middle - start));
    progress.Show(i + 1);
  }
  return Timing{iterations, Median(times), *std::ranges::min_element(times),
                *std::ranges::max_element(times), Median(copy_times)};
}

std::string Text(const Timing& timing, uint64_t bytes) {
  return fmt::format(
      "{} iterations, {:.4f} ms median, {:.4f} ms min, {:.4f} ms max, {:.2f} GB/s, {:.2f} x a copy "
      "of the same bytes",
      timing.iterations, timing.median_ms, timing.least_ms, timing.most_ms,
      static_cast<double>(bytes) / timing.median_ms / 1e6,
      timing.median_ms / timing.copy_median_ms);
}

}  // namespace anydml::tool
