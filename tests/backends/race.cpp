// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A mistake on purpose: two pieces of one work write the same element.
#include <cstdint>

#include "backends/cpu/executor.h"

namespace {

uint64_t units = 0;

__attribute__((noinline)) void CountUnits(uint64_t begin, uint64_t end) { units += end - begin; }

}  // namespace

int main() {
  const anydml::cpu::Executor executor(2, anydml::cpu::Cut::kEverywhere);
  for (int round = 0; round < 100; ++round) {
    executor.ParallelFor(64, 1, [](uint64_t begin, uint64_t end) { CountUnits(begin, end); });
  }
  return units == 6400 ? 0 : 1;
}
