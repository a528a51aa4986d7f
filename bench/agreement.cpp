// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "bench/agreement.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "operators/describe.h"

namespace anydml::bench {
namespace {

// B13 for both sides: twice (t + 2 d) * 2^-24 * sum|terms|, with t + 2 d = 128
// for every case: the largest has 64 terms and 4 axes.
constexpr float kBound = 2 * 128 * 0x1p-24f;
// Peers compute the weights of LINEAR from float32 coordinates: below 2^7 where
// they are not exact, hence two roundings of 2^-18 each, along two axes, of
// values below 4. A tap that is missing or misplaced costs far more.
constexpr float kCoordinateBound = 4 * 2 * 2 * 0x1p-18f;

// The sign of a zero does not count: oneDNN multiplies gradients by 0.
bool Differs(float expected, float actual, float bound) {
  return !(std::abs(expected - actual) <= bound);  // NaN differs
}

}  // namespace

Agreement::Agreement(const CpuProgram& program, const Bindings& bindings,
                     const cpu::Executor& executor)
    : program_(program),
      bindings_(bindings),
      executor_(executor),
      tensor_(program.op.arguments->tensor(program.op.arguments->outputs()[0])),
      expected_(bindings.Output<uint8_t>(0), bindings.Output<uint8_t>(0) + tensor_.total_bytes) {
  const bool sums = !program.op.definition->kernel->preserves_nan_bits;
  if (sums && tensor_.data_type == DataType::kFloat32) ComputeMagnitudes();
}

Agreement::~Agreement() { std::memcpy(bindings_.outputs[0], expected_.data(), expected_.size()); }

void Agreement::ComputeMagnitudes() {
  const std::vector<size_t> inputs = program_.op.arguments->inputs();
  // Of products all inputs are factors; elsewhere those before the last say where terms come from.
  const bool products = program_.op.definition->kernel->cuda_name == "matmul";
  std::vector<std::vector<float>> absolute(inputs.size());
  magnitudes_ = expected_;
  Bindings bindings = bindings_;
  for (size_t i = products ? 0 : inputs.size() - 1; i < inputs.size(); ++i) {
    const TensorDesc& input = program_.op.arguments->tensor(inputs[i]);
    if (!input.present()) continue;
    absolute[i].resize(input.total_bytes / sizeof(float));
    for (size_t at = 0; at < absolute[i].size(); ++at) {
      absolute[i][at] = std::abs(bindings_.Input<float>(i)[at]);
    }
    bindings.inputs[i] = absolute[i].data();
  }
  bindings.outputs[0] = magnitudes_.data();
  (void)Run(program_, bindings, executor_);
}

std::optional<std::string> Agreement::FindDifference(const PeerContestant& contestant) {
  std::memset(bindings_.outputs[0], 0, expected_.size());
  contestant.run();
  if (contestant.publish) contestant.publish();
  if (tensor_.data_type != DataType::kFloat32) {
    if (std::memcmp(bindings_.outputs[0], expected_.data(), expected_.size()) == 0) return {};
    return "its result is not ours";
  }
  const auto* expected = reinterpret_cast<const float*>(expected_.data());
  const auto* magnitudes = reinterpret_cast<const float*>(magnitudes_.data());
  const float* actual = bindings_.Output<float>(0);
  for (size_t i = 0; i < expected_.size() / sizeof(float); ++i) {
    const float bound = magnitudes_.empty() ? 0 : kBound * magnitudes[i] + kCoordinateBound;
    if (!Differs(expected[i], actual[i], bound)) continue;
    return fmt::format("element {} is {}, ours is {}", i, actual[i], expected[i]);
  }
  return {};
}

}  // namespace anydml::bench
