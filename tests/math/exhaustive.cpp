// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Every exact function on all 2^32 floats, on every instruction set: `make exhaustive`, or
//     exhaustive [FUNCTION...]
// prints a line per function: a checksum of all results, which does not depend on their
// order (bits of the result * (2 * bits of the argument + 1), summed modulo 2^64), and how
// many results of which kernel are wrong. The exit status says whether any is.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "math/exact_functions.h"

namespace anydml::test {
namespace {

constexpr uint64_t kBlock = 1 << 14;
constexpr size_t kMaxKernels = 16;

struct Counts {
  uint64_t checksum = 0;  // of the truth
  uint64_t undecided = 0;
  std::array<uint64_t, kMaxKernels> wrong = {};
  std::vector<std::string> examples;
};

void CheckBlock(const ExactFunction& function, const std::vector<FunctionKernel>& kernels,
                uint64_t first, std::vector<float>& x, std::vector<float>& y, Counts& counts) {
  std::array<uint32_t, kBlock> expected;
  for (uint64_t i = 0; i < kBlock; ++i) {
    x[i] = std::bit_cast<float>(static_cast<uint32_t>(first + i));
    const Truth truth = function.At(x[i]);
    expected[i] = BitsOf(truth.value);
    counts.checksum += uint64_t{expected[i]} * (2 * (first + i) + 1);
    if (!truth.decided) {
      ++counts.undecided;
      counts.examples.push_back(fmt::format("{:08X} is not decided", first + i));
    }
  }
  for (size_t k = 0; k < kernels.size(); ++k) {
    Evaluate(function, kernels[k], x, y);
    for (uint64_t i = 0; i < kBlock; ++i) {
      if (BitsOf(y[i]) == expected[i]) continue;
      if (++counts.wrong[k] > 10) continue;
      counts.examples.push_back(fmt::format("{}: {:08X} gives {:08X}, not {:08X}", kernels[k].name,
                                            first + i, BitsOf(y[i]), expected[i]));
    }
  }
}

bool Check(const ExactFunction& function) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<FunctionKernel> kernels = KernelsOf(function);
  Counts total;
  std::mutex mutex;
  std::atomic<uint64_t> next = 0;
  const auto work = [&] {
    Counts counts;
    std::vector<float> x(kBlock), y(kBlock);
    for (uint64_t first; (first = next.fetch_add(kBlock)) >> 32 == 0;) {
      CheckBlock(function, kernels, first, x, y, counts);
    }
    const std::lock_guard lock(mutex);
    total.checksum += counts.checksum;
    total.undecided += counts.undecided;
    for (size_t k = 0; k < kernels.size(); ++k) total.wrong[k] += counts.wrong[k];
    total.examples.insert(total.examples.end(), counts.examples.begin(), counts.examples.end());
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) {
    threads.emplace_back(work);
  }
  for (std::thread& thread : threads) thread.join();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::string wrong;
  bool right = total.undecided == 0;
  for (size_t k = 0; k < kernels.size(); ++k) {
    wrong += fmt::format(" {} {}", kernels[k].name, total.wrong[k]);
    right = right && total.wrong[k] == 0;
  }
  fmt::print("{:<8} {:016X}  wrong:{}  undecided: {}  {:.0f} s\n", function.name, total.checksum,
             wrong, total.undecided, seconds.count());
  for (const std::string& example : total.examples) fmt::print("  {}\n", example);
  std::fflush(stdout);
  return right;
}

// 2^30 random pairs, the same everywhere. Not all pairs, which are too many.
bool CheckPairs(const PairFunction& function) {
  const std::vector<FunctionKernel> kernels = KernelsOf(function);
  std::atomic<uint32_t> next = 0, wrong = 0;
  const auto work = [&] {
    std::vector<float> a(kBlock), b(kBlock), y(kBlock), expected(kBlock);
    for (uint32_t block; (block = next.fetch_add(1)) < 1 << 16;) {
      std::mt19937_64 random(block);
      FillPairs(random, static_cast<int>(block % kPairKinds), a, b);
      for (size_t i = 0; i < kBlock; ++i) expected[i] = function.At(a[i], b[i]);
      for (const FunctionKernel& kernel : kernels) {
        EvaluatePairs(kernel, a, b, y);
        for (size_t i = 0; i < kBlock; ++i) {
          if (BitsOf(y[i]) == BitsOf(expected[i]) || wrong.fetch_add(1) >= 10) continue;
          fmt::print("  {}: {:08X} {:08X} gives {:08X}, not {:08X}\n", kernel.name, BitsOf(a[i]),
                     BitsOf(b[i]), BitsOf(y[i]), BitsOf(expected[i]));
        }
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) {
    threads.emplace_back(work);
  }
  for (std::thread& thread : threads) thread.join();
  fmt::print("{:<8} 2^30 random pairs  wrong: {}\n", function.name, wrong.load());
  return wrong == 0;
}

}  // namespace
}  // namespace anydml::test

int main(int count, char** arguments) {
  bool right = true;
  const auto is_wanted = [&](std::string_view name) {
    return count == 1 || std::any_of(arguments + 1, arguments + count,
                                     [&](const char* wanted) { return name == wanted; });
  };
  for (const anydml::test::ExactFunction& function : anydml::test::kExactFunctions) {
    if (is_wanted(function.name)) right = anydml::test::Check(function) && right;
  }
  for (const anydml::test::PairFunction& function : anydml::test::kPairFunctions) {
    if (is_wanted(function.name)) right = anydml::test::CheckPairs(function) && right;
  }
  return right ? 0 : 1;
}
