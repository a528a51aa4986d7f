// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Steps of optimizers, and that bits depend on nothing but the model, the data and the seed.
// The expected bits are those of training_numbers.py.
#include "train/trainer.h"

#include <bit>
#include <cmath>
#include <map>

#include "backends/cpu/instruction_set.h"
#include "models.h"
#include "train/checkpoint.h"

namespace anydml::train {
namespace {

constexpr std::array<float, 4> kTarget = {1, -2, 0.5f, 0};

// Three steps with the rates 0.1, 0.1 and 0.05.
std::unique_ptr<Trainer> ThreeSteps(const cpu::Executor& executor, const Optimizer& optimizer) {
  graph::Values graph;
  auto trainer = Must(Trainer::Create(OnCpu(executor), Distance(graph), optimizer, 1));
  const std::array<const void*, 1> fed = {kTarget.data()};
  for (int step = 0; step < 3; ++step) {
    if (step == 2) MustBe(trainer->SetLearningRate(0.05f));
    MustBe(trainer->Step(fed));
  }
  return trainer;
}

TEST(Trainer, MakesStepsOfAdam) {
  const cpu::Executor executor(1);
  const auto trainer = ThreeSteps(executor, {.learning_rate = 0.1f});
  EXPECT_EQ(Bits(Values(*trainer, "w")),
            (std::vector<uint32_t>{0x3eab2125, 0xbf82e4aa, 0xbe6e2a9f, 0xbf224fac}));
  EXPECT_EQ(Bits(Values(*trainer, "w.first_moment")),
            (std::vector<uint32_t>{0xbde029e8, 0x3e1b5e2a, 0xbdf2bbce, 0xbdd757b6}));
  EXPECT_EQ(Bits(Values(*trainer, "w.second_moment")),
            (std::vector<uint32_t>{0x3a03abd3, 0x3a7aa172, 0x3a19f7bc, 0x39f36464}));
  EXPECT_EQ(Bits(Values(*trainer, "steps")), std::vector<uint32_t>{3});
}

TEST(Trainer, MakesStepsOfSgdWithMomentum) {
  const cpu::Executor executor(1);
  const auto trainer = ThreeSteps(
      executor, {.kind = Optimizer::Kind::kSgd, .learning_rate = 0.1f, .momentum = 0.9f});
  EXPECT_EQ(Bits(Values(*trainer, "w")),
            (std::vector<uint32_t>{0x3e8bf998, 0xbf8343bf, 0xbe8f4025, 0xbf338bc3}));
  EXPECT_EQ(Bits(Values(*trainer, "w.velocity")),
            (std::vector<uint32_t>{0xbf93a828, 0x3fc607b0, 0xbf9e7672, 0xbf8e8610}));
}

// Twenty steps of TwoLayers; the checksum of what came out.
std::string Checksum(int threads, cpu::Cut cut, Optimizer::Kind kind = Optimizer::Kind::kAdam) {
  const cpu::Executor executor(threads, cut);
  graph::Values graph;
  auto trainer = Must(Trainer::Create(OnCpu(executor), TwoLayers(graph),
                                      {.kind = kind, .learning_rate = 0.01f}, 5));
  for (uint64_t step = 0; step < 20; ++step) {
    EXPECT_TRUE(trainer->Step(TwoLayersBatch(step).fed()).ok());
  }
  return Must(train::Checksum(*trainer));
}

TEST(Trainer, LearnsATask) {
  const cpu::Executor executor(1);
  graph::Values graph;
  auto trainer =
      Must(Trainer::Create(OnCpu(executor), TwoLayers(graph), {.learning_rate = 0.02f}, 5));
  const auto loss_after = [&](uint64_t first, uint64_t last) {
    for (uint64_t step = first; step < last; ++step) {
      EXPECT_TRUE(trainer->Step(TwoLayersBatch(step).fed()).ok());
    }
    return Must(trainer->ReadLoss());
  };
  EXPECT_GT(loss_after(0, 1), 1.0f);    // log 4 is 1.39
  EXPECT_LT(loss_after(1, 300), 0.5f);  // by then it knows most of them
}

TEST(Trainer, GivesTheSameBitsWithAnyThreads) {
  const std::string one = Checksum(1, cpu::Cut::kWorthwhile);
  for (const int threads : {2, 3}) EXPECT_EQ(Checksum(threads, cpu::Cut::kEverywhere), one);
}

TEST(Trainer, GivesTheSameBitsWithAnyInstructionSet) {
  for (const auto kind : {Optimizer::Kind::kAdam, Optimizer::Kind::kSgd}) {
    std::map<std::string, std::string> names;  // of the sets, by checksum
    for (const cpu::InstructionSet& set : cpu::AvailableInstructionSets()) {
      const cpu::ScopedInstructionSet scope(set);
      names[Checksum(2, cpu::Cut::kWorthwhile, kind)] += std::string(set.name) + " ";
    }
    EXPECT_EQ(names.size(), 1u) << ::testing::PrintToString(names);
  }
}

// A running mean of x, as batch normalization has it: beside the parameters, by the graph.
TEST(Trainer, KeepsStatistics) {
  const cpu::Executor executor(1);
  graph::Values graph;
  Model model = Distance(graph);
  GradientWriter write(graph);
  const GraphValue mean = Input(graph, "mean", {4});
  const GraphValue next = write.Add(write.Scale(mean, 0.5f), write.Scale(graph.inputs()[0], 0.5f));
  model.statistics.push_back({mean, next, {Initial::Kind::kOnes}});
  auto trainer = Must(Trainer::Create(OnCpu(executor), model, {}, 1));
  const std::array<const void*, 1> fed = {kTarget.data()};
  MustBe(trainer->Step(fed));
  MustBe(trainer->Step(fed));
  EXPECT_EQ(Values(*trainer, "mean"), (std::vector<float>{1, -1.25f, 0.625f, 0.25f}));
}

// REDUCE cannot write over what it does not have the sizes of, nor the maximum of x in place.
TEST(Trainer, RefusesStatisticsThatCannotBeWrittenInPlace) {
  const cpu::Executor executor(1);
  graph::Values graph;
  Model model = Distance(graph);
  GradientWriter write(graph);
  const GraphValue last = Input(graph, "last", {4});
  schema::Settings running = GradientWriter::Call("ACTIVATION_SOFTMAX1");
  running.Uints("Axes", std::array{0u});
  model.statistics.push_back({last, write.Output(running, {last}), {}});
  EXPECT_EQ(Trainer::Create(OnCpu(executor), model, {}, 1).error().message,
            "trainer: what becomes of 'last' cannot be written over it; end with an operator that "
            "runs in place, such as ELEMENT_WISE_IDENTITY");
}

std::string Refusal(const Model& model, const Optimizer& optimizer = {}) {
  const cpu::Executor executor(1);
  auto trainer = Trainer::Create(OnCpu(executor), model, optimizer, 1);
  return trainer.ok() ? "accepted" : trainer.error().message;
}

TEST(Trainer, RefusesModelsThatCannotBeTrained) {
  graph::Values graph;
  Model model = Distance(graph);
  const Model good = model;
  GradientWriter write(graph);
  model.loss = write.Broadcast(good.loss, Sizes{1, 200000});
  EXPECT_NE(Refusal(model).find("has Sizes {1, 200000} and the type FLOAT32"), std::string::npos);
  model.loss = good.loss;
  model.parameters.clear();
  EXPECT_EQ(Refusal(model), "trainer: the model has no parameters");
  model.parameters = {{model.loss, {}}};
  EXPECT_EQ(Refusal(model), "trainer: parameters and statistics must be inputs of the graph");
  model.parameters = {good.parameters[0], good.parameters[0]};
  EXPECT_EQ(Refusal(model), "trainer: 'w' is given twice");
  model.parameters = {{Input(graph, "../w", {4}), {}}};
  EXPECT_EQ(Refusal(model),
            "trainer: the name '../w' must be of at most 100 letters, digits, '_', '-' and '.', "
            "and must not begin with '.'");
  model.parameters = {{Input(graph, "h", {4}, DataType::kFloat16), {}}};
  EXPECT_EQ(Refusal(model), "trainer: 'h' must be FLOAT32 and packed");
  EXPECT_EQ(Refusal(good, {.learning_rate = -1}),
            "optimizer: the learning rate -1 must be finite and at least 0");
  EXPECT_EQ(Refusal(good, {.beta1 = 1}), "optimizer: beta1 = 1 must be from 0 to below 1");
}

TEST(Trainer, RefusesInputsWithItsOwnNames) {
  const auto refusal = [](const char* name, const Optimizer& optimizer) {
    graph::Values graph;
    Input(graph, name, {4});
    return Refusal(Distance(graph), optimizer);
  };
  const Optimizer sgd = {.kind = Optimizer::Kind::kSgd, .momentum = 0.5f};
  EXPECT_EQ(refusal("steps", {}), "trainer: the name 'steps' is the trainer's own");
  EXPECT_EQ(refusal("learning_rate", sgd),
            "trainer: the name 'learning_rate' is the trainer's own");
  EXPECT_EQ(refusal("learning_rate", {}), "accepted");
  EXPECT_EQ(refusal("w.first_moment", {}),
            "trainer: the name 'w.first_moment' is the trainer's own");
  EXPECT_EQ(refusal("w.velocity", sgd), "trainer: the name 'w.velocity' is the trainer's own");
  EXPECT_EQ(refusal("w.velocity", {}), "accepted");
}

// Neither nodes that nothing needs nor the numbers of values.
TEST(Trainer, HashesWhatIsTrainedAlone) {
  const cpu::Executor executor(1);
  const auto hash = [&](bool has_others, double factor) {
    graph::Values graph;
    GradientWriter write(graph);
    if (has_others) write.Scale(Input(graph, "other", {2}), 3);
    Model model = Distance(graph);
    model.loss = write.Scale(model.loss, factor);
    return Must(Trainer::Create(OnCpu(executor), model, {}, 1))->model_hash();
  };
  EXPECT_EQ(hash(true, 2), hash(false, 2));
  EXPECT_NE(hash(false, 3), hash(false, 2));
}

TEST(Trainer, RefusesStepsThatAreFedWrongly) {
  const cpu::Executor executor(1);
  graph::Values graph;
  auto trainer = Must(Trainer::Create(OnCpu(executor), Distance(graph), {}, 1));
  EXPECT_EQ(trainer->Step({}).error().message, "this graph is fed 1 inputs, not 0");
  const std::array<const void*, 1> none = {nullptr};
  EXPECT_EQ(trainer->Step(none).error().message, "the memory of input 'target' must not be null");
  EXPECT_EQ(trainer->ReadLoss().error().message, "trainer: there is no loss before the first step");
}

// What another loss of the same graph reads.
TEST(Trainer, NeedsNoMemoryForInputsThatNoNodeReads) {
  const cpu::Executor executor(1);
  graph::Values graph;
  Input(graph, "weights_of_samples", {16});
  auto trainer = Must(Trainer::Create(OnCpu(executor), Distance(graph), {}, 1));
  const std::array<const void*, 2> fed = {nullptr, kTarget.data()};
  MustBe(trainer->Step(fed));
  EXPECT_TRUE(std::isfinite(Must(trainer->ReadLoss())));
}

}  // namespace
}  // namespace anydml::train
