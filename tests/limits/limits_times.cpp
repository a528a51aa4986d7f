// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// limits_times: how the time of long axes and large windows grows with them, for
// docs/reliability.md. Prints the least of some executions on one thread; nothing is checked,
// because the machine may have other work.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "operators/registry.h"
#include "support/descriptions.h"
#include "support/tensor_data.h"

namespace anydml::test {
namespace {

using Clock = std::chrono::steady_clock;

double Milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

// The least time of 3 executions at least, and of as many as fit into a quarter of a second.
double LeastTime(const CpuProgram& program, const Bindings& bindings) {
  constexpr double kEnough = 250;
  const cpu::Executor executor(1);
  double least = 0, sum = 0;
  for (int i = 0; i < 3 || sum < kEnough; ++i) {
    const Clock::time_point begin = Clock::now();
    if (!Run(program, bindings, executor).ok()) return -1;
    const double time = Milliseconds(Clock::now() - begin);
    least = i == 0 ? time : std::min(least, time);
    sum += time;
  }
  return least;
}

// Negative where the description is refused.
double TimeOf(std::string_view name, const Case& c) {
  const Definition& definition = *FindOperator(name);
  // FLOAT32 is the first type of these operators.
  const auto arguments = Describe(*definition.schema, c, AdmittedTypes(*definition.schema).front());
  if (!arguments) return -1;
  const Result<Operator> op = CreateOperator(definition, *arguments, {});
  if (!op.ok()) return -1;
  const Result<CpuProgram> program = Compile(op.value());
  if (!program.ok()) return -1;
  std::mt19937 random(20260101);
  std::vector<TensorMemory> memory;
  memory.reserve(arguments->tensor_numbers());  // addresses stay
  Bindings bindings;
  size_t inputs = 0, outputs = 0;
  for (size_t field : arguments->inputs()) {
    memory.emplace_back(arguments->tensor(field)).FillRandom(random);
    bindings.inputs[inputs++] = memory.back().data();
  }
  for (size_t field : arguments->outputs()) {
    bindings.outputs[outputs++] = memory.emplace_back(arguments->tensor(field)).data();
  }
  TemporaryMemory temporary(program.value().temporary_bytes);
  bindings.temporary = temporary.data();
  return LeastTime(program.value(), bindings);
}

void PrintTime(std::string_view description, std::string_view sizes, double milliseconds) {
  fmt::print("{:<52} {:<22} {:9.3f} ms\n", description, sizes, milliseconds);
}

constexpr CaseSetting kLinear = {"InterpolationMode", {1}};

void PrintResampling() {
  for (uint32_t power = 18; power <= 22; ++power) {
    const uint32_t n = 1u << power;
    PrintTime("RESAMPLE_GRAD1, linear, n into 1", fmt::format("n 2^{}", power),
              TimeOf("RESAMPLE_GRAD1",
                     {"", {{{n}, {1}}}, {{kLinear, {"Scales", {static_cast<double>(n)}}}}}));
  }
  for (uint32_t power = 19; power <= 21; ++power) {
    const uint32_t n = 1u << power;
    PrintTime("RESAMPLE_GRAD1, linear, n into n / 2", fmt::format("n 2^{}", power),
              TimeOf("RESAMPLE_GRAD1", {"", {{{n}, {n / 2}}}, {{kLinear, {"Scales", {2}}}}}));
  }
  for (uint32_t power = 19; power <= 21; ++power) {
    const uint32_t n = 1u << power;
    PrintTime("RESAMPLE2, linear, n into 2 n", fmt::format("n 2^{}", power),
              TimeOf("RESAMPLE2", {"", {{{n}, {2 * n}}}, {{kLinear, {"Scales", {2}}}}}));
  }
  for (uint32_t n = 256; n <= 2048; n *= 2) {
    PrintTime("RESAMPLE_GRAD1, linear, {n, 1} into {1, n}", fmt::format("n {}", n),
              TimeOf("RESAMPLE_GRAD1",
                     {"", {{{n, 1}, {1, n}}}, {{kLinear, {"Scales", {1.0 * n, 1.0 / n}}}}}));
  }
}

void PrintPooling() {
  constexpr uint32_t kSizes[][2] = {{20000, 5000}, {20000, 10000}, {40000, 5000}, {40000, 20000}};
  for (const auto& [n, window] : kSizes) {
    const CaseSizes row = {1, 1, 1, n}, windows = {1, 1, 1, n - window + 1};
    PrintTime(
        "MAX_POOLING_GRAD, windows of w at stride 1 on n", fmt::format("n {}, w {}", n, window),
        TimeOf("MAX_POOLING_GRAD",
               {"", {{row, windows, row}}, {{{"WindowSize", {1, static_cast<double>(window)}}}}}));
  }
}

}  // namespace
}  // namespace anydml::test

int main() {
  anydml::test::PrintResampling();
  anydml::test::PrintPooling();
}
