// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "bench/arithmetic.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>

namespace anydml::bench {
namespace {

constexpr uint64_t kUnits = 64;
constexpr uint64_t kStepsToCalibrate = 1 << 16;

// Eight chains, so that a core's units are busy as they are in a kernel.
uint64_t Work(uint64_t seed, uint64_t steps) {
  std::array<uint64_t, 8> chains;
  for (size_t i = 0; i < chains.size(); ++i) chains[i] = seed + i;
  for (uint64_t step = 0; step < steps; ++step) {
    for (uint64_t& chain : chains) chain = chain * 6364136223846793005u + 1442695040888963407u;
  }
  uint64_t sum = 0;
  for (const uint64_t chain : chains) sum += chain;
  return sum;
}

std::atomic<uint64_t> sink{0};  // so that nobody skips the work

double StepsPerMs() {
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    sink.fetch_add(Work(sink.load(), kStepsToCalibrate), std::memory_order_relaxed);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best = std::max(best, kStepsToCalibrate / took.count());
  }
  return best;
}

}  // namespace

Arithmetic::Arithmetic(double one_thread_ms) {
  static const double steps_per_ms = StepsPerMs();
  steps_per_unit_ =
      std::max<uint64_t>(1, static_cast<uint64_t>(one_thread_ms * steps_per_ms) / kUnits);
}

void Arithmetic::Run(const cpu::Executor& executor) const {
  executor.ParallelFor(kUnits, 1, [&](uint64_t begin, uint64_t end) {
    uint64_t sum = 0;
    for (uint64_t unit = begin; unit < end; ++unit) sum += Work(unit, steps_per_unit_);
    sink.fetch_add(sum, std::memory_order_relaxed);
  });
}

}  // namespace anydml::bench
