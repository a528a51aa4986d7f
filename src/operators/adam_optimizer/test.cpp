// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is special about ADAM_OPTIMIZER: the order of its operations, the step, and execution in
// place.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "kernels/moments/plan.h"
#include "operators/adam_optimizer/desc.h"
#include "support/run.h"

namespace anydml::adam_optimizer {
namespace {

using test::In;
using test::Pattern;
using test::Tensor;
using Floats = std::vector<float>;

struct Numbers {
  float learning_rate;
  float beta1;
  float beta2;
  float epsilon;
};

DML_ADAM_OPTIMIZER_OPERATOR_DESC Describe(const Tensor& t, const Tensor& step, const Numbers& n) {
  return {t, t, t, t, step, t, t, t, n.learning_rate, n.beta1, n.beta2, n.epsilon};
}

// Parameters and moments after a step.
struct State {
  Floats x, m, v;
};

State Step(const State& before, const Floats& gradient, uint32_t step, const Numbers& numbers) {
  const auto count = static_cast<UINT>(gradient.size());
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {count});
  const Tensor one(DML_TENSOR_DATA_TYPE_UINT32, {1});
  const auto desc = Describe(tensor, one, numbers);
  const auto output = [&](size_t i) {
    return test::RunOn<float>(
        DML_OPERATOR_ADAM_OPTIMIZER, &desc,
        {In(before.x), In(before.m), In(before.v), In(gradient), In(std::vector<uint32_t>{step})},
        count, i);
  };
  return {output(0), output(1), output(2)};
}

uint32_t Checksum(const Floats& values) {
  uint32_t sum = 0;
  for (size_t j = 0; j < values.size(); ++j) {
    sum += static_cast<uint32_t>(2 * j + 1) * std::bit_cast<uint32_t>(values[j]);
  }
  return sum;
}

constexpr Numbers kExact = {.125f, .5f, .75f, 0};

TEST(AdamOptimizer, TakesAStepByThePage) {
  const State after = Step({{1, 1}, {0, 0}, {0, 0}}, {2, -4}, 1, kExact);
  EXPECT_EQ(after.x, (Floats{.875f, 1.125f}));
  EXPECT_EQ(after.m, (Floats{1, -2}));
  EXPECT_EQ(after.v, (Floats{1, 4}));
}

// Three steps with parameters that round everywhere.
TEST(AdamOptimizer, GivesTheBitsOfTheAcceptanceCase) {
  State state = {Floats(40), Floats(40), Floats(40)};
  for (int i = 0; i < 40; ++i) state.x[i] = static_cast<float>(Pattern(i, 1009, 613)) / 64;
  for (uint32_t step : {1u, 2u, 3u}) {
    Floats gradient(40);
    for (int i = 0; i < 40; ++i) {
      gradient[i] = static_cast<float>(Pattern(i, 257, 97 * int64_t{step})) / 32;
    }
    state = Step(state, gradient, step, {.01f, .9f, .999f, 1e-8f});
  }
  EXPECT_EQ(Checksum(state.x), 0x0c56a07eu);
  EXPECT_EQ(Checksum(state.m), 0x4e9327f2u);
  EXPECT_EQ(Checksum(state.v), 0x7a5ecb68u);
}

// B46 (d): powers of the betas are calculated in float64.
TEST(AdamOptimizer, CalculatesItsRateInDouble) {
  moments::Plan plan = {};
  plan.learning_rate = .001f;
  plan.beta1 = .9f;
  plan.beta2 = .999f;
  const std::pair<uint32_t, uint32_t> expected[] = {
      {1, 0x39a5cb17}, {2, 0x3976beef}, {10, 0x3920a11c}, {1000, 0x3a507326}, {100000, 0x3a83126f}};
  for (const auto& [step, bits] : expected) {
    EXPECT_EQ(std::bit_cast<uint32_t>(moments::FactorsOf(plan, step).rate), bits) << step;
  }
}

// B46 (c): steps count from 1.
TEST(AdamOptimizer, GivesNanParametersAtStep0) {
  const State after = Step({{1, 1}, {0, 0}, {0, 0}}, {2, -4}, 0, kExact);
  EXPECT_TRUE(std::isnan(after.x[0]) && std::isnan(after.x[1]));
  EXPECT_EQ(after.m, (Floats{1, -2}));
  EXPECT_EQ(after.v, (Floats{1, 4}));
}

// B59: all three outputs over their inputs, and over one another's.
TEST(AdamOptimizer, RunsInPlace) {
  const UINT count = 1003;
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {count});
  const Tensor one(DML_TENSOR_DATA_TYPE_UINT32, {1});
  const auto desc = Describe(tensor, one, {.01f, .9f, .999f, 1e-8f});
  const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_ADAM_OPTIMIZER, &desc};
  Result<Operator> op = CreateOperator(&operator_desc, {});
  ASSERT_TRUE(op.ok()) << op.error().message;
  State before = {Floats(count), Floats(count), Floats(count)};
  Floats gradient(count);
  for (UINT i = 0; i < count; ++i) {
    before.x[i] = static_cast<float>(Pattern(i, 1009, 613)) / 64;
    before.m[i] = static_cast<float>(Pattern(i, 101, 37)) / 16;
    before.v[i] = static_cast<float>(Pattern(i, 101, 37) + 51) / 8;
    gradient[i] = static_cast<float>(Pattern(i, 257, 97)) / 32;
  }
  const State expected = Step(before, gradient, 7, {.01f, .9f, .999f, 1e-8f});
  const uint32_t step = 7;
  constexpr size_t kOver[][3] = {{0, 1, 2}, {3, 0, 1}, {2, 3, 0}};
  for (const CpuStrategy& strategy : op.value().definition->kernel->cpu_strategies) {
    for (const auto& over : kOver) {
      Floats memory[] = {before.x, before.m, before.v, gradient};
      Bindings bindings;
      for (size_t i = 0; i < 4; ++i) bindings.inputs[i] = memory[i].data();
      bindings.inputs[4] = &step;
      for (size_t i = 0; i < 3; ++i) bindings.outputs[i] = memory[over[i]].data();
      Result<CpuProgram> program = Compile(op.value(), &strategy);
      ASSERT_TRUE(program.ok()) << program.error().message;
      ASSERT_TRUE(anydml::Run(program.value(), bindings, cpu::Executor(2)).ok());
      EXPECT_EQ(memory[over[0]], expected.x) << strategy.name;
      EXPECT_EQ(memory[over[1]], expected.m) << strategy.name;
      EXPECT_EQ(memory[over[2]], expected.v) << strategy.name;
    }
  }
}

// B46 (a), (b)
TEST(AdamOptimizer, RefusesOtherTensors) {
  const Tensor t(DML_TENSOR_DATA_TYPE_FLOAT32, {4}), step(DML_TENSOR_DATA_TYPE_UINT32, {1});
  const Tensor floats(DML_TENSOR_DATA_TYPE_FLOAT32, {1}), two(DML_TENSOR_DATA_TYPE_UINT32, {2});
  const Tensor integers(DML_TENSOR_DATA_TYPE_INT32, {4});
  const auto refuse = [](const Tensor& tensor, const Tensor& of_step,
                         FeatureLevel level = kNewestFeatureLevel) {
    const auto desc = Describe(tensor, of_step, kExact);
    return test::Refuse(DML_OPERATOR_ADAM_OPTIMIZER, &desc, {.feature_level = level});
  };
  EXPECT_EQ(refuse(t, step), "");
  EXPECT_EQ(refuse(t, floats),
            "ADAM_OPTIMIZER: TrainingStepTensor.DataType = FLOAT32 must be UINT32");
  EXPECT_EQ(refuse(t, two),
            "ADAM_OPTIMIZER: TrainingStepTensor.Sizes = {2} must be 1 in every entry");
  EXPECT_EQ(refuse(integers, step),
            "ADAM_OPTIMIZER: InputParametersTensor.DataType = INT32 must be FLOAT32 or FLOAT16");
  EXPECT_EQ(refuse(t, step, FeatureLevel::k3_1),
            "ADAM_OPTIMIZER: InputParametersTensor.DimensionCount = 1 needs feature level 4_0 or "
            "above; this device has 3_1");
}

}  // namespace
}  // namespace anydml::adam_optimizer
