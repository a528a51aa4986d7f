// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Small models for tests of trainings.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <stdexcept>
#include <vector>

#include "operators/gradient_writer.h"
#include "train/losses.h"
#include "train/numbers.h"
#include "train/trainer.h"

namespace anydml::train {

using Sizes = std::vector<uint32_t>;

template <typename T>
T Must(Result<T> result) {
  if (!result.ok()) {
    throw std::runtime_error(result.error().message);
  }
  return std::move(result).value();
}

inline void MustBe(const Status& status) { ASSERT_TRUE(status.ok()) << status.error().message; }

inline GraphValue Input(graph::Values& graph, const char* name, const Sizes& sizes,
                        DataType type = DataType::kFloat32) {
  return Must(graph.Input(name, PackedTensor(type, sizes)));
}

inline std::vector<uint32_t> Bits(const std::vector<float>& values) {
  std::vector<uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<uint32_t>(value));
  return bits;
}

inline Place OnCpu(const cpu::Executor& executor) {
  Place place;
  place.executor = &executor;
  return place;
}

inline std::vector<float> Values(const Trainer& trainer, std::string_view name) {
  const Trainer::State* state = trainer.Find(name);
  if (state == nullptr) return {};
  std::vector<float> values(state->memory.bytes() / sizeof(float));
  EXPECT_TRUE(state->memory.Read(values.data()).ok());
  return values;
}

// The mean square of w {4} and the target that is fed.
inline Model Distance(graph::Values& graph) {
  const GraphValue target = Input(graph, "target", {4});
  const GraphValue w = Input(graph, "w", {4});
  return {graph, Must(MeanSquare(graph, w, target)), {{w, {Initial::Kind::kUniform, 1}}}, {}};
}

// x {16, 8} -> 20 -> 4 scores and their cross entropy.
inline Model TwoLayers(graph::Values& graph) {
  Model model = {graph, {}, {}, {}};
  GradientWriter write(graph);
  const auto linear = [&](const GraphValue& x, uint32_t n, const char* weight, const char* bias) {
    const uint32_t k = x.tensor.sizes[3];
    const GraphValue w = Input(graph, weight, {1, 1, n, k});
    const GraphValue b = Input(graph, bias, {1, 1, 1, n});
    model.parameters.push_back({w, {Initial::Kind::kUniform, HeBound(k)}});
    model.parameters.push_back({b, {}});
    schema::Settings gemm = GradientWriter::Call("GEMM");
    gemm.Uint("TransB", 1).Float("Alpha", 1).Float("Beta", 1);
    return write.Output(gemm, {x, w, write.Broadcast(b, Sizes{1, 1, x.tensor.sizes[2], n})});
  };
  const GraphValue x = Input(graph, "x", {1, 1, 16, 8});
  const GraphValue classes = Input(graph, "classes", {16}, DataType::kUint32);
  const GraphValue hidden = write.Apply("RELU", {linear(x, 20, "w1", "b1")});
  const GraphValue scores = linear(hidden, 4, "w2", "b2");
  EXPECT_TRUE(write.Finish({scores}).ok()) << write.Finish({scores}).error().message;
  model.loss = Must(CrossEntropy(graph, write.Reshape(scores, Sizes{16, 4}), classes));
  return model;
}

// What TwoLayers is fed in a step.
class TwoLayersBatch {
 public:
  explicit TwoLayersBatch(uint64_t step) {
    FillUniform(step, "x", 1, x_);
    for (size_t i = 0; i < classes_.size(); ++i) {
      classes_[i] = (x_[8 * i] > 0 ? 2u : 0u) + (x_[8 * i + 1] > x_[8 * i + 2] ? 1u : 0u);
    }
  }
  std::array<const void*, 2> fed() const { return {x_.data(), classes_.data()}; }

 private:
  std::array<float, 128> x_ = {};
  std::array<uint32_t, 16> classes_ = {};
};

}  // namespace anydml::train
