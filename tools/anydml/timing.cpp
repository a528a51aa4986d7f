// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "timing.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "bench/contest.h"
#include "console.h"

namespace anydml::tool {
namespace {

using Clock = std::chrono::steady_clock;

double Milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

// Reads half of the bytes and writes the other half.
class Copy {
 public:
  virtual ~Copy() = default;
  virtual Status Run() = 0;
};

class CopyOnCpu final : public Copy {
 public:
  CopyOnCpu(uint64_t bytes, const cpu::Executor& executor)
      : executor_(executor), from_(bytes / 2 + 1, 1), to_(bytes / 2 + 1, 2) {}

  Status Run() override {
    executor_.ParallelFor(from_.size(), 65536, [&](uint64_t begin, uint64_t end) {
      std::memcpy(to_.data() + begin, from_.data() + begin, end - begin);
    });
    return {};
  }

 private:
  const cpu::Executor& executor_;
  std::vector<char> from_;
  std::vector<char> to_;
};

class CopyOnCuda final : public Copy {
 public:
  CopyOnCuda(uint64_t bytes, int ordinal) : bytes_(bytes / 2 + 1), ordinal_(ordinal) {
    const cuda::ScopedDevice device(ordinal_);
    for (cuda::Memory* memory : {&from_, &to_}) {
      Result<cuda::Memory> allocated = cuda::Allocate(bytes_);
      if (!allocated.ok()) {
        status_ = allocated.error();
        return;
      }
      *memory = std::move(allocated).value();
    }
  }

  Status Run() override {
    if (!status_.ok()) return status_;
    const cuda::ScopedDevice device(ordinal_);
    Status status = cuda::Copy(to_.get(), from_.get(), bytes_, nullptr);
    return status.ok() ? cuda::Synchronize(nullptr) : status;
  }

 private:
  uint64_t bytes_;
  int ordinal_;
  cuda::Memory from_;
  cuda::Memory to_;
  Status status_;
};

std::unique_ptr<Copy> MakeCopy(uint64_t bytes, const c_api::Device& device) {
  if (device.cuda) return std::make_unique<CopyOnCuda>(bytes, *device.cuda);
  return std::make_unique<CopyOnCpu>(bytes, device.executor);
}

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

Result<Timing> Measure(uint32_t iterations, uint64_t bytes, const c_api::Device& device,
                       const std::function<Status()>& execute) {
  const std::unique_ptr<Copy> copy = MakeCopy(bytes, device);
  Status copied = copy->Run();  // touches the pages
  if (!copied.ok()) return copied.error();
  std::vector<double> times, copy_times;
  ProgressBar progress(iterations);
  for (uint32_t i = 0; i < iterations; ++i) {
    const auto start = Clock::now();
    Status status = execute();
    const auto middle = Clock::now();
    if (!status.ok()) return status.error();
    copied = copy->Run();
    if (!copied.ok()) return copied.error();
    copy_times.push_back(Milliseconds(Clock::now() - middle));
    times.push_back(Milliseconds(middle - start));
    progress.Show(i + 1);
  }
  return Timing{iterations, bench::Median(times), *std::ranges::min_element(times),
                *std::ranges::max_element(times), bench::Median(copy_times)};
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
