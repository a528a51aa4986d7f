// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// training.h and train.hpp as programs use them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "anydml/train.hpp"

namespace anydml {
namespace {

// Points of a circle and of the ring around it, as bytes from -64 to 63 about 64.
Dataset Rings(uint32_t count) {
  Dataset data;
  std::vector<uint32_t> places(128 * 128);
  EXPECT_EQ(anydml_shuffle(3, 0, 128 * 128, places.data()), ANYDML_OK);
  for (uint32_t i = 0; i < count; ++i) {
    const int x = static_cast<int>(places[i] % 128), y = static_cast<int>(places[i] / 128);
    data.samples.push_back(static_cast<uint8_t>(x));
    data.samples.push_back(static_cast<uint8_t>(y));
    data.labels.push_back(std::hypot(x - 64, y - 64) < 48 ? 1 : 0);
  }
  return data;
}

Value Network(Model& model, const Value& bytes, bool is_training) {
  const Tensor floats = {DataType::kFloat32, bytes.sizes()};
  const Value x = (Cast(bytes, {.OutputTensor = floats}) - 64.0f) * (1 / 64.0f);
  Value v = model.Linear(x, "hidden", 16);
  v = Relu(model.BatchNormalize(v, "norm", is_training));
  return model.Linear(v, "scores", 2);
}

template <typename Call>
std::string Refusal(const Call& call) {
  try {
    call();
  } catch (const std::exception& problem) {
    return problem.what();
  }
  return "accepted";
}

class Training : public ::testing::Test {
 protected:
  Training() {
    const Value x = model_.Input("x", DataType::kUint8, {32, 2});
    const Value classes = model_.Input("classes", DataType::kUint32, {32});
    loss_ = CrossEntropy(Network(model_, x, true), classes);
  }
  ~Training() override { std::filesystem::remove_all(folder_); }

  void Steps(Trainer& trainer, Batches& batches, int count) const {
    for (int i = 0; i < count; ++i) {
      batches.Next();
      trainer.Step({batches.samples(), batches.labels()});
    }
  }
  double ShareOfRight(const Trainer& trainer) const {
    Model model;
    const Value x = model.Input("x", DataType::kUint8, {256, 2});
    const Evaluation evaluation(device_, model, {Network(model, x, false)}, trainer);
    Batches batches(data_, 256);
    batches.Next();
    float scores[256][2];
    evaluation.Run({batches.samples()}, {scores});
    int right = 0;
    for (int i = 0; i < 256; ++i) {
      right += (scores[i][1] > scores[i][0]) == (batches.labels()[i] == 1) ? 1 : 0;
    }
    return right / 256.0;
  }

  const Device device_{"cpu"};
  const Dataset data_ = Rings(1000);
  const std::string folder_ =
      ::testing::TempDir() + "anydml_interface_test." + std::to_string(getpid());
  Model model_;
  Value loss_;
};

TEST_F(Training, LearnsAndEvaluatesWithAnotherBatch) {
  Trainer trainer(device_, model_, loss_, Adam{.LearningRate = 1e-2f});
  EXPECT_LT(ShareOfRight(trainer), 0.8);
  Batches batches(data_, 32, 1);
  Steps(trainer, batches, 200);
  EXPECT_GT(ShareOfRight(trainer), 0.9);
  EXPECT_LT(trainer.Loss(), 0.4f);  // log 2 is 0.69
}

TEST_F(Training, FollowsASchedule) {
  Trainer trainer(device_, model_, loss_, Adam{});
  Batches batches(data_, 32, 1);
  const Cosine rate = {.LearningRate = 0.5f, .Steps = 2, .WarmUp = 2};
  std::vector<float> rates;
  for (int step = 0; step < 5; ++step) {
    trainer.SetLearningRate(rate.At(trainer.Steps()));
    rates.push_back(trainer.info().learning_rate);
    Steps(trainer, batches, 1);
  }
  EXPECT_EQ(rates, (std::vector<float>{0.25f, 0.5f, 0.5f, 0.25f, 0.0f}));
  EXPECT_EQ((StepDecay{.LearningRate = 1, .Steps = 3, .Factor = 0.5f}.At(6)), 0.25f);
  EXPECT_EQ((Constant{.LearningRate = 1, .WarmUp = 2}.At(0)), 0.5f);
  EXPECT_EQ(Refusal([] { Cosine{.Last = -1}.At(0); }),
            "schedule: last = -1 must be finite and at least 0");
}

TEST_F(Training, ShowsLinesInFiles) {
  Trainer trainer(device_, model_, loss_, Adam{.LearningRate = 0.25f});
  Batches batches(data_, 32, 1);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  Progress progress(25, 10, file.get());
  std::string expected;
  for (int step = 1; step <= 25; ++step) {
    Steps(trainer, batches, 1);
    progress.Show(trainer);
    if (step % 10 != 0 && step != 25) continue;
    char line[99];
    std::snprintf(line, sizeof line, "step %d of 25, loss %.4g, rate 0.25\n", step,
                  static_cast<double>(trainer.Loss()));
    expected += line;
  }
  char shown[999] = {};
  std::rewind(file.get());
  EXPECT_GT(std::fread(shown, 1, sizeof shown - 1, file.get()), 0u);
  EXPECT_EQ(shown, expected);
}

TEST_F(Training, ShowsABarOnTerminals) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_TRUE(terminal != -1 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
  std::FILE* const file = std::fopen(ptsname(terminal), "w");
  ASSERT_NE(file, nullptr);
  Trainer trainer(device_, model_, loss_, Adam{});
  {
    Progress progress(2, 1, file);
    Batches batches(data_, 32, 1);
    for (int i = 0; i < 2; ++i) {
      Steps(trainer, batches, 1);
      progress.Show(trainer);
    }
  }
  std::fclose(file);
  std::string shown;
  char text[999];
  for (ssize_t size = 0; (size = read(terminal, text, sizeof text)) > 0;) {
    shown.append(text, static_cast<size_t>(size));
  }
  EXPECT_NE(shown.find("\r[############............] step 1 of 2, loss "), std::string::npos);
  EXPECT_NE(shown.find("\r[########################] step 2 of 2, loss "), std::string::npos);
  EXPECT_TRUE(shown.ends_with("\r\033[K"));  // nothing is left of it
  EXPECT_EQ(shown.find('\n'), std::string::npos);
  close(terminal);
}

TEST_F(Training, GoesOnFromACheckpoint) {
  Trainer whole(device_, model_, loss_, Sgd{.LearningRate = 0.1f, .Momentum = 0.5f}, 7);
  Batches batches(data_, 32, 1);
  Steps(whole, batches, 40);  // more than an epoch of 31
  whole.Save(folder_, batches.position());
  Steps(whole, batches, 10);
  Trainer second(device_, model_, loss_, Sgd{.Momentum = 0.5f});
  Batches rest(data_, 32, 1);
  rest.Seek(second.Load(folder_));
  EXPECT_EQ(second.Steps(), 40u);
  Steps(second, rest, 10);
  EXPECT_EQ(second.Checksum(), whole.Checksum());
  EXPECT_EQ(second.info().seed, 7u);
  EXPECT_EQ(second.info().learning_rate, 0.1f);
}

TEST_F(Training, GoesOnFromATrainerOfAnotherBatch) {
  Trainer whole(device_, model_, loss_, Adam{}, 7);
  Batches batches(data_, 32, 1);
  Steps(whole, batches, 5);
  whole.SetLearningRate(0.01f);
  Model small;
  const Value x = small.Input("x", DataType::kUint8, {8, 2});
  const Value classes = small.Input("classes", DataType::kUint32, {8});
  const Value loss = CrossEntropy(Network(small, x, true), classes);
  Trainer other(device_, small, loss, Adam{});
  other.ContinueFrom(whole);
  EXPECT_EQ(other.Checksum(), whole.Checksum());
  EXPECT_EQ(other.Steps(), 5u);
  EXPECT_EQ(other.info().seed, 7u);
  EXPECT_EQ(other.info().learning_rate, 0.01f);
  // Moments and statistics too: of two trainers of one batch each goes on as the other.
  Trainer twin(device_, model_, loss_, Adam{});
  twin.ContinueFrom(other);
  Batches rest(data_, 32, 1);
  rest.Seek(batches.position());
  Steps(whole, batches, 5);
  Steps(twin, rest, 5);
  EXPECT_EQ(twin.Checksum(), whole.Checksum());
  EXPECT_EQ(twin.Read("norm.mean"), whole.Read("norm.mean"));
  const std::string sentence =
      "trainer: what it goes on from must keep the same parameters, moments and statistics";
  Trainer without_moments(device_, model_, loss_, Sgd{});
  EXPECT_EQ(Refusal([&] { twin.ContinueFrom(without_moments); }), sentence);
  EXPECT_EQ(twin.Steps(), 10u);
}

// What is bound to the step, and what lies between its operators.
TEST_F(Training, TellsItsMemory) {
  const Trainer trainer(device_, model_, loss_, Adam{});
  const anydml_trainer_info info = trainer.info();
  uint64_t bound = 0;
  for (uint32_t i = 0; i < info.fed_count + info.kept_count; ++i) {
    bound += detail::Fill<anydml_tensor_info>([&](anydml_tensor_info* tensor) {
               return i < info.fed_count ? anydml_get_fed_info(trainer.get(), i, tensor)
                                         : anydml_get_kept_info(trainer.get(), i - info.fed_count,
                                                                tensor, nullptr);
             }).total_bytes;
  }
  // 32 rows of 16 hidden floats several times, at most 50.
  EXPECT_GT(info.memory_bytes, bound + 32 * 16 * 4);
  EXPECT_LT(info.memory_bytes, bound + 50 * 32 * 16 * 4);
}

TEST_F(Training, SavesWhenItIsInterrupted) {
  Trainer trainer(device_, model_, loss_, Adam{});
  Batches batches(data_, 32, 1);
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    const Interruption interruption;
    std::raise(SIGHUP);  // which is ignored
    Steps(trainer, batches, 1);
    EXPECT_EQ(Refusal([&] { interruption.Check(trainer, folder_); }), "accepted");
    for (const int signal : {SIGINT, SIGTERM}) {
      const Interruption another;
      std::raise(signal);
      Steps(trainer, batches, 1);
      EXPECT_EQ(Refusal([&] { another.Check(trainer, folder_, batches.position()); }),
                "interrupted after step " + std::to_string(trainer.Steps()) +
                    ", which is saved in " + folder_);
    }
  }
  Trainer second(device_, model_, loss_, Adam{});
  EXPECT_EQ(second.Load(folder_), 3u);
  EXPECT_EQ(second.Checksum(), trainer.Checksum());
  EXPECT_EQ(std::signal(SIGINT, SIG_DFL), SIG_DFL);  // as it was
  std::signal(SIGHUP, before);
}

// Statistics that are used as they are stay so in a training, as in fine-tuning.
TEST_F(Training, LeavesFrozenStatisticsAlone) {
  Model model;
  const Value x = model.Input("x", DataType::kUint8, {32, 2});
  const Value classes = model.Input("classes", DataType::kUint32, {32});
  Trainer trainer(device_, model, CrossEntropy(Network(model, x, false), classes), Adam{});
  Batches batches(data_, 32, 1);
  Steps(trainer, batches, 2);
  int found = 0;
  for (uint32_t i = 0; i < trainer.info().kept_count; ++i) {
    anydml_tensor_info info = {};
    info.struct_size = sizeof info;
    void* memory = nullptr;
    ASSERT_EQ(anydml_get_kept_info(trainer.get(), i, &info, &memory), ANYDML_OK);
    const bool is_mean = info.name == std::string("norm.mean");
    if (!is_mean && info.name != std::string("norm.variance")) continue;
    ++found;
    EXPECT_EQ(*static_cast<float*>(memory), is_mean ? 0.0f : 1.0f);
  }
  EXPECT_EQ(found, 2);
}

// The data must outlive its batches.
static_assert(!std::is_constructible_v<Batches, Dataset, uint32_t>);
static_assert(std::is_constructible_v<Batches, const Dataset&, uint32_t>);

TEST_F(Training, RefusesInOneSentence) {
  Trainer trainer(device_, model_, loss_, Adam{});
  EXPECT_EQ(Refusal([&] { trainer.Step({}); }), "this graph is fed 2 inputs, not 0");
  EXPECT_EQ(Refusal([&] { trainer.Load("/nowhere"); }), "/nowhere/manifest.json does not exist");
  EXPECT_EQ(Refusal([&] { trainer.SetLearningRate(NAN); }),
            "optimizer: the learning rate nan must be finite and at least 0");
  EXPECT_EQ(Refusal([&] { Dataset("/nowhere", "/nowhere"); }), "/nowhere does not exist");
  EXPECT_EQ(Refusal([&] { Batches(data_, 2000); }), "a batch of 2000 of 1000 samples");
  Model other;
  const Value x = other.Input("x", {2, 3});
  EXPECT_EQ(Refusal([&] { CrossEntropy(x, x); }),
            "cross entropy: scores of sizes {2, 3} need classes that are UINT32 of sizes {2}, not "
            "FLOAT32 of {2, 3}");
  EXPECT_EQ(Refusal([&] { Trainer(device_, other, x, Adam{}); }),
            "trainer: the model has no parameters");
}

template <typename T>
constexpr bool kMayBeFed = std::is_convertible_v<T, Feed>;
static_assert(kMayBeFed<std::vector<float>&> && kMayBeFed<const float (&)[4][2]>);
static_assert(!kMayBeFed<const float*> && !kMayBeFed<const void*> && !kMayBeFed<float>);
static_assert(!std::is_convertible_v<const std::vector<float>&, Fetch>);

TEST_F(Training, RefusesMemoryOfOtherSizesAndTypes) {
  Model model;
  const Value x = model.Input("x", {4, 8}), target = model.Input("t", DataType::kUint32, {4});
  const Value scores = model.Linear(x, "scores", 2);
  Trainer trainer(device_, model, CrossEntropy(scores, target), Adam{});
  const std::vector<float> right(32), tiny(2);
  const std::vector<std::byte> bytes(128);
  const uint32_t classes[4] = {};
  const auto step = [&](const Feed& a, const Feed& b) {
    return Refusal([&] { trainer.Step({a, b}); });
  };
  EXPECT_EQ(step(right, classes), "accepted");
  EXPECT_EQ(step(bytes, classes), "accepted");
  EXPECT_EQ(step(Feed::Unchecked(right.data()), classes), "accepted");
  EXPECT_EQ(step(tiny, classes), "'x' is 32 FLOAT32, and the memory has 2 FLOAT32");
  EXPECT_EQ(step(std::span(bytes).first(8), classes),
            "'x' is 32 FLOAT32, and the memory has 8 bytes");
  EXPECT_EQ(step(classes, right), "'x' is 32 FLOAT32, and the memory has 4 UINT32");
  EXPECT_EQ(step(right, std::vector<int32_t>(4)), "'t' is 4 UINT32, and the memory has 4 INT32");
  EXPECT_EQ(step(nullptr, classes), "the memory of input 'x' must not be null");
  EXPECT_EQ(trainer.Steps(), 3u);

  Model same;
  const Value seen = same.Linear(same.Input("x", {4, 8}), "scores", 2);
  const Evaluation evaluation(device_, same, {seen.SetName("found")}, trainer);
  float found[4][2], few[2] = {};
  evaluation.Run({right}, {found});
  const auto run = [&](const Feed& a, const Fetch& b) {
    return Refusal([&] { evaluation.Run({a}, {b}); });
  };
  EXPECT_EQ(run(tiny, found), "'x' is 32 FLOAT32, and the memory has 2 FLOAT32");
  EXPECT_EQ(run(right, few), "'found' is 8 FLOAT32, and the memory has 2 FLOAT32");
  EXPECT_NE(run(nullptr, found), "accepted");
}

// Three bytes are three bytes, although the library counts its memory in words of 4.
TEST_F(Training, ReadsNothingBehindWhatIsFed) {
  Model model;
  const Value bytes = model.Input("x", DataType::kUint8, {1, 3});
  const Value x = Cast(bytes, {.OutputTensor = Tensor{DataType::kFloat32, {1, 3}}});
  const Value y = model.Linear(x, "y", 3);
  Trainer trainer(device_, model, MeanSquare(y, x), Sgd{});
  const auto fed = std::make_unique<uint8_t[]>(3), found = std::make_unique<uint8_t[]>(3);
  trainer.Step({std::span(fed.get(), 3)});
  Model copy;
  const Value out = Identity(copy.Input("x", DataType::kUint8, {1, 3}));
  Evaluation(device_, copy, {out}, trainer)
      .Run({std::span(fed.get(), 3)}, {std::span(found.get(), 3)});
  EXPECT_EQ(found[2], 0);
}

TEST_F(Training, RefusesClassesThatThereAreNot) {
  const auto refusal = [&](DataType type, const Feed& classes, bool is_view = false) {
    Model model;
    const Value fed = model.Input("classes", type, {4});
    const Value cast = Cast(fed, {.OutputTensor = Tensor{DataType::kUint32, {4}}});
    const Value seen = type == DataType::kUint32 ? fed : cast;
    const Value scores = model.Weight("scores", {is_view ? 2u : 4u, 3});
    Trainer trainer(device_, model, CrossEntropy(scores, is_view ? seen.View({2}, {2}) : seen),
                    Adam{});
    const std::string before = trainer.Checksum();
    const std::string said = Refusal([&] { trainer.Step({classes}); });
    EXPECT_EQ(trainer.Checksum() == before, said != "accepted");
    return said;
  };
  constexpr const char* kMust = ", and must be a class from 0 to 2";
  const uint32_t classes[] = {0, 1000, 2, 1000};
  EXPECT_EQ(refusal(DataType::kUint32, std::vector<uint32_t>{0, 1, 2, 0}), "accepted");
  EXPECT_EQ(refusal(DataType::kUint32, classes),
            std::string("trainer: element 1 of 'classes' is 1000").append(kMust));
  EXPECT_EQ(refusal(DataType::kInt64, std::vector<int64_t>{2, 2, 2, -100}),
            std::string("trainer: element 3 of 'classes' is -100").append(kMust));
  EXPECT_EQ(refusal(DataType::kUint8, std::vector<uint8_t>{3, 2, 2, 2}),
            std::string("trainer: element 0 of 'classes' is 3").append(kMust));
  EXPECT_EQ(refusal(DataType::kUint32, classes, true), "accepted");  // the others are not used
}

TEST_F(Training, RefusesLayersOfOtherRanks) {
  Model model;
  const Value x = model.Input("x", {5}), image = model.Input("image", {1, 2, 3});
  EXPECT_EQ(Refusal([&] { model.Linear(x, "a", 1); }),
            "Linear 'a': its input has 1 dimension and must have 2: {N, K}");
  EXPECT_EQ(Refusal([&] { model.Convolve(image, "b", 1, 1); }),
            "Convolve 'b': its input has 3 dimensions and must have 4: {N, C, H, W}");
  EXPECT_EQ(Refusal([&] { model.BatchNormalize(x, "c", true); }),
            "BatchNormalize 'c': its input has 1 dimension and must have at least 2: {N, C, ...}");
}

TEST_F(Training, EvaluatesGraphsWithInputsThatNoOutputNeeds) {
  const Trainer trainer(device_, model_, loss_, Adam{});
  Model model;
  model.Input("classes", DataType::kUint32, {2});
  const Value x = model.Input("x", DataType::kUint8, {2, 2});
  model.Input("hidden.first_moment", {7});  // of other sizes in the trainer
  const Value scores = Network(model, x, false);
  const Evaluation evaluation(device_, model, {scores}, trainer);
  float results[2][2] = {{NAN, NAN}, {NAN, NAN}};
  evaluation.Run({nullptr, std::span(data_.samples).first(4)}, {results});
  EXPECT_TRUE(std::isfinite(results[1][1]));
}

TEST_F(Training, ReadsWhatIsKept) {
  Trainer trainer(device_, model_, loss_, Adam{}, 7);
  const uint32_t sizes[] = {2, 16};
  float first[32];
  ASSERT_EQ(anydml_initial_weight(7, "scores", 2, sizes, 0, first), ANYDML_OK);
  EXPECT_EQ(trainer.Read("scores"), std::vector<float>(first, first + 32));
  EXPECT_EQ(trainer.Read("norm.variance"), std::vector<float>(16, 1.0f));
  EXPECT_EQ(Refusal([&] { trainer.Read("score"); }), "the trainer keeps no 'score'");
  EXPECT_EQ(Refusal([&] { trainer.Read("steps"); }),
            "'steps' is 1 UINT32, and the memory has 1 FLOAT32");
  EXPECT_EQ(anydml_trainer_read(trainer.get(), "score", 128, first), ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(), "trainer: there is no 'score'");
  EXPECT_EQ(anydml_trainer_read(trainer.get(), "scores", 129, first), ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(), "trainer: 'scores' has 128 bytes, not 129");
}

TEST_F(Training, NamesWeightsThatTheTrainerLacks) {
  const Trainer trainer(device_, model_, loss_, Adam{});
  Model model;
  const Value x = model.Input("x", {4, 16});
  const Value scores = model.Linear(x, "scroes", 2);
  EXPECT_EQ(Refusal([&] { Evaluation(device_, model, {scores}, trainer); }),
            "the model has a weight 'scroes', and the trainer has none");
  const Graph& graph = model;
  float found[4][2];
  const Evaluation evaluation(device_, graph, {scores}, trainer);
  EXPECT_EQ(Refusal([&] { evaluation.Run({std::vector<float>(64)}, {found}); }),
            "this graph has 1 outputs and 3 inputs that are no weights of the trainer: x, scroes, "
            "scroes.bias");
}

TEST_F(Training, WritesModels) {
  const std::string path = folder_ + ".json";
  model_.SaveModel(path, {loss_});
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  std::string text(1 << 20, 0);
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  EXPECT_EQ(text, model_.ToJson({loss_}));
  std::filesystem::remove(path);
  anydml_graph* read = nullptr;
  ASSERT_EQ(anydml_graph_from_json(text.c_str(), nullptr, &read), ANYDML_OK);
  anydml_value weight = 0;
  EXPECT_EQ(anydml_graph_find(read, "hidden.bias", &weight), ANYDML_OK);
  EXPECT_NE(weight, 0u);
  anydml_graph_release(read);
  EXPECT_EQ(Refusal([&] { model_.SaveModel("/nowhere/m.json", {loss_}); }),
            "/nowhere/m.json cannot be written: No such file or directory");
}

TEST_F(Training, RefusesWeightsOfOtherTypesOrSizes) {
  const Trainer trainer(device_, model_, loss_, Adam{});
  const auto refusal = [&](DataType type, const Sizes& sizes) {
    Model model;
    const Value weight = model.Input("scores", type, sizes);
    return Refusal([&] { Evaluation(device_, model, {Identity(weight)}, trainer); });
  };
  EXPECT_EQ(refusal(DataType::kFloat32, {2, 16}), "accepted");
  constexpr const char* kOther = "scores has another type or other sizes in the trainer";
  EXPECT_EQ(refusal(DataType::kFloat32, {16, 2}), kOther);
  EXPECT_EQ(refusal(DataType::kInt32, {2, 16}), kOther);
  EXPECT_EQ(refusal(DataType::kFloat32, {2, 17}), kOther);
}

TEST_F(Training, RefusesNumbersOutOfTheirRange) {
  Model model;
  const Value x = model.Input("x", {4, 3});
  for (const bool is_training : {true, false}) {
    EXPECT_EQ(
        Refusal([&] { model.BatchNormalize(x, is_training ? "a" : "b", is_training, 0.1f, -1); }),
        "batch normalization: epsilon = -1 must be finite and at least 0");
  }
  const Value loss = MeanSquare(x * model.Weight("w", {4, 3}, NAN), x);
  EXPECT_EQ(Refusal([&] { Trainer(device_, model, loss, Adam{}); }),
            "anydml_parameter.bound = nan must be finite and at least 0");
  const uint32_t size = 1;
  float value = 0;
  EXPECT_EQ(anydml_initial_weight(1, "w", 1, &size, -INFINITY, &value), ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(), "the bound = -inf must be finite and at least 0");
}

TEST(TrainingInC, FirstWeightsAndChecksumsAreThoseOfATrainer) {
  const Device device("cpu");
  Model model;
  const Value x = model.Input("x", {4, 25}), target = model.Input("target", {4, 3});
  Trainer trainer(device, model, MeanSquare(model.Linear(x, "full", 3), target), Sgd{}, 11);
  const uint32_t sizes[] = {3, 25}, bias_sizes[] = {1, 3};
  float values[75], bias[3] = {};
  char digits[65];
  ASSERT_EQ(anydml_initial_weight(11, "full", 2, sizes, 0, values), ANYDML_OK);
  EXPECT_LE(*std::max_element(values, values + 75), std::sqrt(6.0f / 25));
  const anydml_weight weights[] = {{"full.bias", 2, bias_sizes, bias}, {"full", 2, sizes, values}};
  ASSERT_EQ(anydml_checksum(2, weights, digits), ANYDML_OK);
  EXPECT_EQ(digits, trainer.Checksum());
  values[74] = -values[74];
  ASSERT_EQ(anydml_checksum(2, weights, digits), ANYDML_OK);
  EXPECT_NE(digits, trainer.Checksum());

  EXPECT_EQ(anydml_initial_weight(1, nullptr, 2, sizes, 0, values), ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(), "the name must not be null");
  EXPECT_EQ(anydml_initial_weight(1, "w", 9, sizes, 0, values), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_checksum(1, nullptr, digits), ANYDML_INVALID_ARGUMENT);
  const anydml_weight no_values = {"w", 2, sizes, nullptr};
  EXPECT_EQ(anydml_checksum(1, &no_values, digits), ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(), "anydml_weight.values must not be null");
  const anydml_weight twice[] = {{"w", 2, sizes, values}, {"w", 2, bias_sizes, bias}};
  EXPECT_EQ(anydml_checksum(2, twice, digits), ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(), "checksum: two weights have the name 'w'");
}

TEST(TrainingInC, RefusesNull) {
  float loss = 0;
  char digits[65];
  anydml_trainer_info info = {};
  anydml_tensor_info tensor = {};
  EXPECT_EQ(anydml_create_trainer(nullptr, nullptr, 0, 0, nullptr, nullptr, 0, nullptr),
            ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(), "the result pointer must not be null");
  EXPECT_EQ(anydml_trainer_step(nullptr, 0, nullptr), ANYDML_INVALID_ARGUMENT);
  EXPECT_STREQ(anydml_last_error(), "the trainer must not be null");
  EXPECT_EQ(anydml_trainer_loss(nullptr, &loss), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_trainer_set_learning_rate(nullptr, 1), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_get_trainer_info(nullptr, &info), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_get_fed_info(nullptr, 0, &tensor), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_get_kept_info(nullptr, 0, &tensor, nullptr), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_trainer_save(nullptr, "x", 0), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_trainer_load(nullptr, "x", nullptr), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_trainer_continue(nullptr, nullptr), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_trainer_checksum(nullptr, digits), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_read_idx(nullptr, nullptr), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_shuffle(1, 0, 1, nullptr), ANYDML_INVALID_ARGUMENT);
  EXPECT_EQ(anydml_shuffle(1, 0, 0, nullptr), ANYDML_OK);
  anydml_release_trainer(nullptr);
  anydml_release_idx(nullptr);
}

}  // namespace
}  // namespace anydml
